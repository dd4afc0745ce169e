#include "models/compressor/sparse/sampled_threshold.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/compressor/base/magnitude.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

std::uint64_t rounded_up(double value) { return static_cast<std::uint64_t>(std::ceil(value)); }

float kth_largest(std::span<const float> sample, std::uint64_t k, ComputeCost& operations) {
    operations.elements += sample.size();
    operations.comparisons += 2 * sample.size();
    ++operations.rounds;
    return std::bit_cast<float>(kth_magnitude(sample, k).bits);
}

Positions at_least(const SelectionInput& input, float threshold, ComputeCost& operations) {
    operations.elements += input.values.size();
    operations.comparisons += input.values.size();
    ++operations.rounds;
    return positions_at_least(input.values, threshold);
}

std::vector<float> strided_sample(const SelectionInput& input, std::uint64_t stride, ComputeCost& operations) {
    ++operations.draws;
    std::vector<float> sample;
    for (std::uint64_t i = random_at(input.key, 0) % stride; i < input.values.size(); i += stride)
        sample.push_back(input.values[i]);
    return sample;
}

Positions largest_of(const SelectionInput& input, const Positions& candidates, std::uint64_t k,
                     ComputeCost& operations) {
    operations.comparisons += 2 * candidates.size();
    ++operations.rounds;
    Positions result = largest_positions(gather(input.values, candidates), k);
    for (std::uint32_t& position : result) position = candidates[position];
    return result;
}

/// Moves the threshold until the selection is near the K that shall be sent.
Positions adapted(const DgcSelect& params, const SelectionInput& input, float threshold, ComputeCost& operations) {
    const double aim = std::ceil(static_cast<double>(input.values.size()) / input.factor);
    Positions selected = at_least(input, threshold, operations);
    for (std::uint32_t round = 0; round < params.adaptations; ++round) {
        const auto count = static_cast<double>(selected.size());
        if (count > params.upper_bound * aim) {
            if (params.resample) return largest_of(input, selected, static_cast<std::uint64_t>(aim), operations);
            threshold *= static_cast<float>(params.upper_bound);
        } else if (count < params.lower_bound * aim) {
            threshold *= static_cast<float>(params.lower_bound);
        } else {
            break;
        }
        selected = at_least(input, threshold, operations);
    }
    return selected;
}

/// 1 % of the elements, drawn with replacement.
std::vector<float> drawn_sample(const SelectionInput& input, ComputeCost& operations) {
    const std::uint64_t elements = input.values.size();
    std::vector<float> sample(std::max<std::uint64_t>(1, elements / 100));
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = input.values[drawn_below(elements, input.key, i)];
    operations.draws += sample.size();
    return sample;
}

}   // namespace

std::uint64_t sample_stride(std::uint64_t elements, double factor, double sample_ratio) {
    const std::uint64_t few = rounded_up(2 * factor);
    if (sample_ratio >= 1 || elements <= few) return 1;
    const std::uint64_t sample_size = std::max(rounded_up(static_cast<double>(elements) * sample_ratio), few);
    std::uint64_t stride = rounded_up(static_cast<double>(elements) / static_cast<double>(sample_size) / 32) * 32 + 1;
    while (elements / stride < sample_size) stride -= 8;
    return stride;
}

Positions select(const DgcSelect& params, const SelectionInput& input, ComputeCost& operations) {
    const std::uint64_t stride = sample_stride(input.values.size(), input.factor, params.sample_ratio);
    const std::vector<float> sample = stride == 1 ? std::vector<float>(input.values.begin(), input.values.end())
                                                  : strided_sample(input, stride, operations);
    // As published: from the number of whole strides, which may be one less than what the start leaves in the sample.
    const std::uint64_t samples = input.values.size() / stride;
    const float threshold = kth_largest(sample, rounded_up(static_cast<double>(samples) / input.factor), operations);
    Positions selected =
        stride == 1 ? at_least(input, threshold, operations) : adapted(params, input, threshold, operations);
    const std::uint64_t most = rounded_up(static_cast<double>(input.values.size()) / input.factor);
    if (selected.size() > most) selected.resize(most);
    return selected;
}

Positions select(const DgcLiteSelect&, const SelectionInput& input, ComputeCost& operations) {
    const double aim = static_cast<double>(input.values.size()) / input.factor;
    const auto k = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.01 * aim));
    const std::vector<float> sample = drawn_sample(input, operations);
    float threshold = kth_largest(sample, k, operations);
    Positions selected = at_least(input, threshold, operations);
    for (int round = 0; round < 10; ++round) {
        const auto count = static_cast<double>(selected.size());
        if (count > 1.3 * aim) threshold *= 1.3f;
        else if (count < 0.7 * aim) threshold *= 0.7f;
        else break;
        selected = at_least(input, threshold, operations);
    }
    return selected;
}

}   // namespace oscar

#include "models/compressor/sparse/sidco.hpp"

#include <algorithm>
#include <cmath>

#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

constexpr double first_ratio = 0.75, default_ratio = 0.25;

/// The shares that the stages keep of what the one before left; their product is `ratio`.
std::vector<double> stage_ratios(std::uint32_t stages, double ratio) {
    if (stages == 1 || ratio >= first_ratio) return {ratio};
    const double rest = ratio / first_ratio;
    if (stages > 1) {
        std::vector<double> ratios(stages, std::pow(rest, 1.0 / (stages - 1)));
        ratios[0] = first_ratio;
        return ratios;
    }
    const auto further = static_cast<std::size_t>(std::ceil(std::log(rest) / std::log(default_ratio)));
    std::vector<double> ratios(1 + further, default_ratio);
    ratios.front() = first_ratio;
    ratios.back() = rest / std::pow(default_ratio, static_cast<double>(further - 1));
    return ratios;
}

float smallest_magnitude(std::span<const float> values) {
    std::uint32_t smallest = magnitude_bits(values[0]);
    for (const float v : values) smallest = std::min(smallest, magnitude_bits(v));
    return std::bit_cast<float>(smallest);
}

/// The magnitude that a share `ratio` of the exponential above `min` exceeds.
float quantile(std::span<const float> values, float min, double ratio, ComputeCost& operations) {
    operations.elements += 2 * values.size();
    operations.additions += values.size();
    operations.comparisons += values.size();
    ++operations.rounds;
    const double lowest = static_cast<double>(min);
    return static_cast<float>(lowest - (magnitude_statistics(values).mean - lowest) * std::log(ratio));
}

}   // namespace

Positions select(const SidcoSelect& params, const SelectionInput& input, ComputeCost& operations) {
    const std::vector<double> ratios = stage_ratios(params.stages, 1 / input.factor);
    float threshold = quantile(input.values, 0, ratios[0], operations);
    for (std::size_t stage = 1; stage < ratios.size(); ++stage) {
        const std::vector<float> survivors = gather(input.values, positions_above(input.values, threshold));
        if (survivors.empty()) break;
        threshold = quantile(survivors, smallest_magnitude(survivors), ratios[stage], operations);
    }
    return positions_above(input.values, threshold);
}

}   // namespace oscar

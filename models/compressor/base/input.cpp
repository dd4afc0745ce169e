#include "models/compressor/base/input.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace oscar {
namespace {

/// An exponent of ones is what marks NaN and infinity: one more carries into the sign. One pass without branches, for
/// nearly all gradients are finite.
bool all_finite(std::span<const float> values) {
    constexpr std::uint32_t exponent = 0x7f800000, one = 0x00800000, sign = 0x80000000;
    std::uint32_t carried = 0;
    for (const float v : values) carried |= (std::bit_cast<std::uint32_t>(v) & exponent) + one;
    return (carried & sign) == 0;
}

[[noreturn]] void fail(const std::string& text) { throw std::invalid_argument(text); }

void check_finite(std::span<const float> gradient, std::size_t rank) {
    if (all_finite(gradient)) return;
    const auto bad = std::ranges::find_if_not(gradient, [](float v) { return std::isfinite(v); });
    fail("gradient of rank " + std::to_string(rank) + ": element " + std::to_string(bad - gradient.begin()) + " is " +
         std::to_string(*bad) + "; compressors take finite values only");
}

void check_tiling(std::span<const TensorShape> tensors, std::uint64_t elements) {
    std::uint64_t end = 0;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const TensorShape& tensor = tensors[t];
        const std::string name = "tensor " + std::to_string(t);
        if (tensor.begin != end || tensor.end <= tensor.begin)
            fail(name + " is [" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) +
                 ") but must begin at " + std::to_string(end) + " and not be empty");
        if (tensor.rows > 0 && (tensor.end - tensor.begin) % tensor.rows != 0)
            fail(name + " has " + std::to_string(tensor.end - tensor.begin) + " elements, which " +
                 std::to_string(tensor.rows) + " rows do not divide");
        end = tensor.end;
    }
    if (end != elements)
        fail("tensors end at element " + std::to_string(end) + " but the gradient has " + std::to_string(elements) +
             "; they must tile it");
}

}   // namespace

void check_input(Gradients gradients, std::span<const TensorShape> tensors, std::size_t ranks) {
    if (gradients.empty() || gradients.size() != ranks)
        fail(std::to_string(gradients.size()) + " gradients for " + std::to_string(ranks) +
             " ranks; there must be one of each rank");
    for (std::size_t r = 0; r < gradients.size(); ++r) {
        if (gradients[r].size() != gradients[0].size())
            fail("gradient of rank " + std::to_string(r) + " has " + std::to_string(gradients[r].size()) +
                 " elements but that of rank 0 has " + std::to_string(gradients[0].size()));
        check_finite(gradients[r], r);
    }
    check_tiling(tensors, gradients[0].size());
}

std::vector<float> sum_of(Gradients gradients) {
    std::vector<float> sum(gradients[0].begin(), gradients[0].end());
    for (const auto gradient : gradients.subspan(1))
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gradient[i];
    return sum;
}

std::vector<float> mean_of(Gradients gradients) {
    std::vector<float> mean = sum_of(gradients);
    const auto ranks = static_cast<float>(gradients.size());
    for (float& value : mean) value /= ranks;
    return mean;
}

std::vector<std::span<const float>> views(const std::vector<std::vector<float>>& gradients) {
    return {gradients.begin(), gradients.end()};
}

}   // namespace oscar

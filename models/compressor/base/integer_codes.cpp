#include "models/compressor/base/integer_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

double largest_code(std::uint32_t bits) { return static_cast<double>((std::uint64_t{1} << (bits - 1)) - 1); }

bool fit(std::uint32_t bits, std::uint32_t ranks, std::uint32_t cell) {
    return largest_code(bits) * ranks <= largest_code(cell);
}

float magnitude_at(std::span<const float> values, double percentile) {
    const auto nonzeros = values.size() - static_cast<std::size_t>(std::ranges::count(values, 0.0f));
    if (nonzeros == 0) return 0;
    return std::bit_cast<float>(kth_magnitude(values, nonzeros - nearest_rank(percentile, nonzeros) + 1).bits);
}

float peak(std::span<const float> values, double percentile) {
    return percentile < 100 ? magnitude_at(values, percentile) : max_magnitude(values);
}

}   // namespace

void check_code_width(std::uint32_t bits, std::uint32_t ranks) {
    if (fit(bits, ranks, 32)) return;
    throw std::invalid_argument("codes of " + std::to_string(bits) + " bits of " + std::to_string(ranks) +
                                " ranks have sums of more than 32 bits; use fewer bits");
}

std::uint32_t narrowest_cell(std::uint32_t bits, std::uint32_t ranks) {
    return fit(bits, ranks, 8) ? 8 : fit(bits, ranks, 16) ? 16 : 32;
}

double shared_code_step(std::span<const std::span<const float>> gradients, std::uint32_t bits, double percentile) {
    float largest = 0;
    for (const auto gradient : gradients) largest = std::max(largest, peak(gradient, percentile));
    return static_cast<double>(largest) / largest_code(bits);
}

std::vector<std::int32_t> codes_of(std::span<const float> values, double step, std::uint32_t bits) {
    std::vector<std::int32_t> codes(values.size());
    if (step == 0) return codes;
    std::ranges::transform(values, codes.begin(), [step, limit = largest_code(bits)](float v) {
        const double steps = std::clamp(static_cast<double>(v) / step, -limit, limit);
        return static_cast<std::int32_t>(steps + (steps < 0 ? -0.5 : 0.5));
    });
    return codes;
}

float value_of(std::int32_t code, double step) { return static_cast<float>(static_cast<double>(code) * step); }

double agreed_code_step(std::span<const std::span<const float>> gradients, std::uint32_t bits, double percentile,
                        StepExchanges& traffic, bool overlapped) {
    RankWords peaks{.type = ElementType::magnitude};
    for (const auto gradient : gradients)
        peaks.of_ranks.push_back(words_of_floats(std::array{peak(gradient, percentile)}));
    const auto merged = traffic.carry({.what = "peak", .floats = 1, .overlapped = overlapped}, peaks);
    return static_cast<double>(floats_of_words(merged)[0]) / largest_code(bits);
}

}   // namespace oscar

#include "models/quantise/quantiser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/core/random.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar::inline quantisation {
namespace {

double largest_code(std::uint32_t bits) { return static_cast<double>((1u << (bits - 1)) - 1); }

/// Shares in integers, for 0.999 * 1000 is more than 999 in floating point.
constexpr std::uint64_t whole = 100'000'000;
std::uint64_t parts(double share) {
    return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(whole)));
}

float largest(std::span<const float> values) {
    float peak = 0;
    for (const float v : values) peak = std::max(peak, std::fabs(v));
    return peak;
}

float peak_of(const FixedPoint&, std::span<const float> values) { return largest(values); }

/// The n-th smallest magnitude, n from 1 on. Magnitudes are ordered as their bit patterns are: the upper half of them
/// is found by counting, and the lower half among those that share the upper.
float nth_magnitude(std::span<const float> values, std::size_t n) {
    const auto pattern = [](float value) { return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFF; };
    std::vector<std::uint32_t> with_upper(1 << 15);
    for (const float value : values) ++with_upper[pattern(value) >> 16];
    std::uint32_t upper = 0;
    for (; n > with_upper[upper]; ++upper) n -= with_upper[upper];
    std::vector<std::uint32_t> candidates;
    candidates.reserve(with_upper[upper]);
    for (const float value : values)
        if (pattern(value) >> 16 == upper) candidates.push_back(pattern(value));
    const auto nth = candidates.begin() + static_cast<std::ptrdiff_t>(n - 1);
    std::ranges::nth_element(candidates, nth);
    return std::bit_cast<float>(*nth);
}

float peak_of(const PercentileParams& params, std::span<const float> values) {
    if (values.empty()) return 0;
    return nth_magnitude(values, nearest_rank(params.percentile, values.size()));
}

/// As std::round, in operations that vectors have: what is added to a half's neighbours below does not reach the next
/// whole number.
OSCAR_INLINE inline double rounded(double value) {
    constexpr double below_half = 0.49999999999999994;
    return std::trunc(value + std::copysign(below_half, value));
}

/// `round(value / step, element)` gives a whole number.
template <class Round>
Quantised quantise_by(std::span<const float> values, std::span<const Segment> groups, std::span<const float> peaks,
                      double limit, Round round) {
    Quantised result{std::vector<std::int32_t>(values.size()), 0};
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (peaks[g] == 0) continue;
        const double step = static_cast<double>(peaks[g]) / limit;
        std::uint64_t saturated = 0;
        in_wide_loops([&]() OSCAR_INLINE {
            for (std::uint32_t i = groups[g].begin; i < groups[g].end; ++i) {
                const double code = round(static_cast<double>(values[i]) / step, i);
                saturated += std::fabs(code) > limit;
                result.codes[i] = static_cast<std::int32_t>(std::clamp(code, -limit, limit));
            }
        });
        result.saturated += saturated;
    }
    return result;
}

std::span<const float> part(std::span<const float> values, Segment group) {
    return values.subspan(group.begin, group.end - group.begin);
}

}   // namespace

const FixedPoint& fixed_point(const Quantiser& quantiser) {
    return std::visit([](const auto& params) -> const FixedPoint& { return params; }, quantiser.params);
}

std::size_t nearest_rank(double percentile, std::size_t size) {
    const std::uint64_t wanted = (parts(percentile / 100) * size + whole - 1) / whole;   // rounded up
    return std::clamp<std::size_t>(wanted, 1, size);
}

std::uint64_t may_saturate(const Quantiser& quantiser, std::uint64_t values) {
    const auto* percentile = std::get_if<PercentileParams>(&quantiser.params);
    const std::uint64_t by_design = percentile ? whole - parts(percentile->percentile / 100) : 0;
    return (by_design + parts(fixed_point(quantiser).max_saturated)) * values / whole;
}

std::vector<Segment> scale_groups(const Quantiser& quantiser, std::span<const Segment> tensors) {
    if (std::holds_alternative<PerTensorParams>(quantiser.params)) return {tensors.begin(), tensors.end()};
    if (tensors.empty()) return {};
    return {{tensors.front().begin, tensors.back().end}};
}

std::vector<float> peaks(const Quantiser& quantiser, std::span<const float> values, std::span<const Segment> groups) {
    std::vector<float> result;
    for (const Segment group : groups)
        result.push_back(std::visit([&](const auto& p) { return peak_of(p, part(values, group)); }, quantiser.params));
    return result;
}

Quantised quantise(std::span<const float> values, std::span<const Segment> groups, std::span<const float> peaks,
                   const FixedPoint& params, std::uint64_t key) {
    const double limit = largest_code(params.bits);
    if (params.rounding == Rounding::nearest)
        return quantise_by(values, groups, peaks, limit,
                           [](double code, std::uint32_t) OSCAR_INLINE { return rounded(code); });
    return quantise_by(values, groups, peaks, limit, [key](double code, std::uint32_t element) OSCAR_INLINE {
        return std::floor(code + uniform_at(key, element));
    });
}

std::vector<float> dequantise(std::span<const std::int32_t> sums, std::span<const Segment> groups,
                              std::span<const float> peaks, std::uint32_t bits) {
    std::vector<float> values(sums.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const double step = static_cast<double>(peaks[g]) / largest_code(bits);
        in_wide_loops([&]() OSCAR_INLINE {
            for (std::uint32_t i = groups[g].begin; i < groups[g].end; ++i)
                values[i] = static_cast<float>(static_cast<double>(sums[i]) * step);
        });
    }
    return values;
}

std::uint32_t widened_bits(std::uint32_t bits, std::uint32_t k) {
    return bits + static_cast<std::uint32_t>(std::bit_width(k - 1));
}

}   // namespace oscar::inline quantisation

#include "models/quantise/quantiser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/core/random.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

double largest_code(std::uint32_t bits) { return static_cast<double>((1u << (bits - 1)) - 1); }

/// Shares in integers, for 0.999 * 1000 is more than 999 in floating point.
constexpr std::uint64_t whole = 100'000'000;
std::uint64_t parts(double share) {
    return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(whole)));
}

float largest_magnitude(std::span<const float> values) {
    float peak = 0;
    for (const float v : values) peak = std::max(peak, std::fabs(v));
    return peak;
}

float peak_of(const FixedPoint&, std::span<const float> values) { return largest_magnitude(values); }

/// Magnitudes are ordered as their bit patterns are.
OSCAR_INLINE inline std::uint32_t pattern(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFF; }

/// A pattern that about `share` of the magnitudes reach, from a sample of them.
std::uint32_t pattern_reached_by(double share, std::span<const float> values) {
    constexpr std::size_t sample_size = 8192;
    std::vector<std::uint32_t> sample;
    for (std::size_t i = 0; i < values.size(); i += values.size() / sample_size + 1)
        sample.push_back(pattern(values[i]));
    const auto place = sample.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
    std::ranges::nth_element(sample, place, std::ranges::greater{});
    return *place;
}

/// All patterns from `least` on, of which there are few: a tile without any is passed over at once.
std::vector<std::uint32_t> patterns_from(std::uint32_t least, std::span<const float> values) {
    constexpr std::size_t tile = 128;
    std::vector<std::uint32_t> found;
    for (; !values.empty(); values = values.subspan(std::min(tile, values.size()))) {
        const auto part = values.first(std::min(tile, values.size()));
        std::uint32_t most = 0;
        in_wide_loops([&]() OSCAR_INLINE {
            for (const float value : part) most = std::max(most, pattern(value));
        });
        if (most < least) continue;
        for (const float value : part)
            if (pattern(value) >= least) found.push_back(pattern(value));
    }
    return found;
}

/// The n-th smallest magnitude, n from 1 on: the upper half of its pattern is found by counting, and the lower half
/// among those that share the upper.
float nth_magnitude_by_counting(std::span<const float> values, std::size_t n) {
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

/// The n-th smallest magnitude, n from 1 on. Near the largest, it is looked for among those that a sample says are
/// larger than most.
float nth_magnitude(std::span<const float> values, std::size_t n) {
    const std::size_t larger = values.size() - n;
    const double share = 2 * static_cast<double>(larger + 1) / static_cast<double>(values.size()) + 0.001;
    if (share > 0.1) return nth_magnitude_by_counting(values, n);
    std::vector<std::uint32_t> candidates = patterns_from(pattern_reached_by(share, values), values);
    if (candidates.size() <= larger) return nth_magnitude_by_counting(values, n);
    const auto nth = candidates.begin() + static_cast<std::ptrdiff_t>(larger);
    std::ranges::nth_element(candidates, nth, std::ranges::greater{});
    return std::bit_cast<float>(*nth);
}

float peak_of(const PercentileParams& params, std::span<const float> values) {
    if (values.empty()) return 0;
    return nth_magnitude(values, nearest_rank(params.percentile, values.size()));
}

float peak_of(const PerTensorPercentileParams& params, std::span<const float> values) {
    if (values.empty()) return 0;
    const float peak = nth_magnitude(values, nearest_rank(params.percentile, values.size()));
    return peak > 0 ? peak : largest_magnitude(values);   // no scale at all would lose the tensor's few values unseen
}

/// Vectorisable std::round and std::floor for values that fit int32. Adding 0.49999999999999994, the largest double
/// below 0.5, keeps the double just below a half from rounding up; the conversion truncates.
OSCAR_INLINE inline std::int32_t rounded(double value) {
    constexpr double below_half = 0.49999999999999994;
    return static_cast<std::int32_t>(value + std::copysign(below_half, value));
}
OSCAR_INLINE inline std::int32_t rounded_down(double value) {
    const auto truncated = static_cast<std::int32_t>(value);
    return truncated - (static_cast<double>(truncated) > value ? 1 : 0);
}

std::span<const float> part(std::span<const float> values, Segment group) {
    return values.subspan(group.begin, group.end - group.begin);
}

/// Codes of a group's values, the first of which is element `first`; returns how many saturated. `round(value / step,
/// element)` gives a whole number at most one away. Quotients beyond limit + 1 saturate as limit + 1 does, which fits
/// an integer.
template <class Round>
std::uint64_t quantise_group(std::span<const float> values, std::uint32_t first, double step, std::int32_t limit,
                             std::int32_t* codes, Round round) {
    std::uint64_t result = 0;
    in_wide_loops([&]() OSCAR_INLINE {
        const float* const from = values.data();
        std::int32_t* const to = codes;   // copies of all that the loop uses, or it would read them after each store
        const auto count = static_cast<std::uint32_t>(values.size());
        const std::uint32_t begin = first;
        const std::int32_t most = limit;
        const double width = step, bound = limit + 1.0;
        std::uint32_t saturated = 0;
        OSCAR_INDEPENDENT
        for (std::uint32_t i = 0; i < count; ++i) {
            const double quotient = std::min(std::max(static_cast<double>(from[i]) / width, -bound), bound);
            const std::int32_t code = round(quotient, begin + i);
            to[i] = std::min(std::max(code, -most), most);
            saturated += to[i] != code ? 1 : 0;
        }
        result = saturated;
    });
    return result;
}

template <class Round>
Quantised quantise_by(std::span<const float> values, std::span<const Segment> groups, std::span<const float> peaks,
                      std::int32_t limit, Round round) {
    Quantised result{std::vector<std::int32_t>(values.size()), 0};
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (peaks[g] == 0) continue;
        const double step = static_cast<double>(peaks[g]) / limit;
        result.saturated += quantise_group(part(values, groups[g]), groups[g].begin, step, limit,
                                           result.codes.data() + groups[g].begin, round);
    }
    return result;
}

/// The percentile that a kind clips at; 100 for those that take the maximum.
double percentile_of(const Quantiser& quantiser) {
    return std::visit(
        [](const auto& params) {
            if constexpr (requires { params.percentile; }) return params.percentile;
            else return 100.0;
        },
        quantiser.params);
}

}   // namespace

const FixedPoint& fixed_point(const Quantiser& quantiser) {
    return std::visit([](const auto& params) -> const FixedPoint& { return params; }, quantiser.params);
}

std::size_t nearest_rank(double percentile, std::size_t size) {
    const std::uint64_t place = (parts(percentile / 100) * size + whole - 1) / whole;   // rounded up
    return std::clamp<std::size_t>(place, 1, size);
}

std::uint64_t may_saturate(const Quantiser& quantiser, std::uint64_t values) {
    const std::uint64_t by_design = whole - parts(percentile_of(quantiser) / 100);
    return (by_design + parts(fixed_point(quantiser).max_saturated)) * values / whole;
}

std::vector<Segment> scale_groups(const Quantiser& quantiser, std::span<const Segment> tensors) {
    if (std::holds_alternative<PerTensorParams>(quantiser.params) ||
        std::holds_alternative<PerTensorPercentileParams>(quantiser.params))
        return {tensors.begin(), tensors.end()};
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
    const auto limit = static_cast<std::int32_t>(largest_code(params.bits));
    if (params.rounding == Rounding::nearest)
        return quantise_by(values, groups, peaks, limit,
                           [](double quotient, std::uint32_t) OSCAR_INLINE { return rounded(quotient); });
    return quantise_by(values, groups, peaks, limit, [key](double quotient, std::uint32_t element) OSCAR_INLINE {
        return rounded_down(quotient + uniform_at(key, element));
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

}   // namespace oscar

// Fixed-point codes with a scale that all ranks share.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/kinds.hpp"
#include "models/partition/chunks.hpp"

namespace oscar {

/// Agreement of all ranks on one scale (docs/gradients.md).
enum class ScaleAgreement : std::uint8_t { exact, delayed };
constexpr auto choices(ScaleAgreement) {
    return std::array{
        Choice{
            "delayed", ScaleAgreement::delayed,
            "from the reduced gradients of t-1, without a message; exact in the first iteration and after saturation"},
        Choice{"exact", ScaleAgreement::exact, "an all-gather of each rank's peak before every iteration"}};
}

/// Rounding of a value between two codes to one of them.
enum class Rounding : std::uint8_t { nearest, stochastic };
constexpr auto choices(Rounding) {
    return std::array{
        Choice{"nearest", Rounding::nearest, "halves away from zero"},
        Choice{"stochastic", Rounding::stochastic, "up with the probability of its distance from below: no bias"}};
}

/// Parameters that all quantisers share: width of a code, agreement on the scale, and the share of saturated values at
/// which a delayed scale is given up.
struct FixedPoint {
    std::uint32_t bits = 8;
    Rounding rounding = Rounding::nearest;
    bool residual = false;
    ScaleAgreement agreement = ScaleAgreement::delayed;
    double margin = 1.0;
    double max_saturated = 0.001;
    /// Fields of P, which derives from this set.
    template <class P>
    static constexpr auto fields_of() {
        return Entries{
            field("bits", &P::bits, "width of a code; codes are -(2^(bits-1)-1) .. 2^(bits-1)-1", 2u, 16u),
            field("rounding", &P::rounding, "rounding of values to codes"),
            field("residual", &P::residual,
                  "error feedback: the error of rounding and clipping is added to the rank's next gradient"),
            field("agreement", &P::agreement, "agreement of the ranks on the scale"),
            field("margin", &P::margin, "factor on a delayed peak, against saturation", 0.1, 100.0),
            field("max_saturated", &P::max_saturated,
                  "share of saturated values, beyond those that the kind clips by design, above which the next scale "
                  "is exact",
                  0.0, 1.0)};
    }
};

/// One scale from the largest magnitude of the bucket.
struct MaxParams : FixedPoint {
    static constexpr auto fields() { return fields_of<MaxParams>(); }
};
/// One scale per tensor (layer), from its largest magnitude.
struct PerTensorParams : FixedPoint {
    static constexpr auto fields() { return fields_of<PerTensorParams>(); }
};
/// Parameters that the kinds share whose scale is a percentile of the magnitudes.
struct ClippedFixedPoint : FixedPoint {
    double percentile = 99.9;
    /// Fields of P, which derives from this set.
    template <class P>
    static constexpr auto fields_of() {
        return concatenate(FixedPoint::fields_of<P>(),
                           Entries{field("percentile", &P::percentile,
                                         "share of magnitudes, in percent, that does not saturate", 50.0, 100.0)});
    }
};

/// One scale from a percentile of the magnitudes of the bucket; what exceeds it saturates.
struct PercentileParams : ClippedFixedPoint {
    static constexpr auto fields() { return fields_of<PercentileParams>(); }
};
/// One scale per tensor (layer), from a percentile of its magnitudes; what exceeds it saturates. A tensor of which the
/// percentile is 0, such as an embedding of which few rows have a gradient, takes its largest magnitude.
struct PerTensorPercentileParams : ClippedFixedPoint {
    static constexpr auto fields() { return fields_of<PerTensorPercentileParams>(); }
};

/// The first is the default: of these, with 8 bits, the least time at no larger error than with a percentile of the
/// bucket on windows of three models (docs/gradients.md).
inline constexpr auto quantisers = Entries{
    kind<PerTensorParams>("per_tensor", "one scale per tensor from its max |g|"),
    kind<PerTensorPercentileParams>("per_tensor_percentile",
                                    "one scale per tensor from a percentile of its |g|, outliers saturate"),
    kind<PercentileParams>("percentile", "one scale from a percentile of |g|, outliers saturate"),
    kind<MaxParams>("max", "one scale from max |g|; favours every coder, because most codes become zero"),
};
using Quantiser = OneOf<quantisers>;

/// The shared parameters of any kind, within `quantiser`.
const FixedPoint& fixed_point(const Quantiser& quantiser);
/// The number of a rank's `values` values that may saturate: the share that the kind clips by design, and the
/// allowance.
std::uint64_t may_saturate(const Quantiser& quantiser, std::uint64_t values);

/// The parts of a bucket that have a scale of their own: the tensors for the kinds per tensor, else the whole bucket.
/// `tensors` tile the bucket. Elements of a group share one peak.
std::vector<Segment> scale_groups(const Quantiser& quantiser, std::span<const Segment> tensors);

/// The number, from 1 on, of the smallest of `size` > 0 ordered values that at least `percentile` percent do not
/// exceed.
std::size_t nearest_rank(double percentile, std::size_t size);

/// The magnitude per group that shall map to the largest code: the maximum, or the percentile by nearest rank (the
/// smallest magnitude that at least `percentile` percent do not exceed; of a tensor where that is 0, the maximum).
/// values.size() covers the groups.
std::vector<float> peaks(const Quantiser& quantiser, std::span<const float> values, std::span<const Segment> groups);

/// Codes of one rank and how many of them saturated.
struct Quantised {
    std::vector<std::int32_t> codes;
    std::uint64_t saturated = 0;
};

/// code = clamp(round(value / step)), step = peak / (2^(bits-1) - 1); 0 where the peak is 0. Stochastic rounding is
/// floor(value / step + u), u in [0, 1) by random_at(key, element). Law: its expectation is value / step.
Quantised quantise(std::span<const float> values, std::span<const Segment> groups, std::span<const float> peaks,
                   const FixedPoint& params, std::uint64_t key = 0);

/// code * step for sums of codes. Law: |dequantise(quantise(v)) - v| <= step/2 for values that do not saturate, when
/// rounded to nearest; < step when stochastic.
std::vector<float> dequantise(std::span<const std::int32_t> sums, std::span<const Segment> groups,
                              std::span<const float> peaks, std::uint32_t bits);

/// Bits that hold any sum of the codes of k ranks: bits + ceil(log2 k) (docs/gradients.md).
std::uint32_t widened_bits(std::uint32_t bits, std::uint32_t k);

}   // namespace oscar

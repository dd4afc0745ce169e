// Choosing elements by magnitude, in passes over the bits: a selection, never a sort.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// |value| as an integer that grows with it. Precondition of all below: finite values, so these are ordered.
inline std::uint32_t magnitude_bits(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7fffffff; }

/// A magnitude and how many of the elements that have exactly it belong to the largest k.
struct KthMagnitude {
    std::uint32_t bits = 0;
    std::uint64_t ties = 0;
};
/// The k-th largest magnitude, 1 <= k <= values.size(): radix selection over 11, 10 and 10 bits.
KthMagnitude kth_magnitude(std::span<const float> values, std::uint64_t k);

/// Ascending positions of the k largest magnitudes; of equal ones the first. k <= values.size().
std::vector<std::uint32_t> largest_positions(std::span<const float> values, std::uint64_t k);

/// Ascending positions of the elements with |v| >= threshold >= 0.
std::vector<std::uint32_t> positions_at_least(std::span<const float> values, float threshold);
/// Ascending positions of the elements with |v| > threshold >= 0.
std::vector<std::uint32_t> positions_above(std::span<const float> values, float threshold);
/// The number of elements with |v| > threshold >= 0.
std::uint64_t count_above(std::span<const float> values, float threshold);

/// The elements at `positions`.
std::vector<float> gather(std::span<const float> values, std::span<const std::uint32_t> positions);

struct MagnitudeStatistics {
    double mean = 0;   ///< summed in double precision, in eight interleaved sums; exact for equal values
    float max = 0;
};
/// Mean and maximum of |v|; zeros for no values.
MagnitudeStatistics magnitude_statistics(std::span<const float> values);

/// Sum of squares in double precision, in eight interleaved sums.
double squared_norm(std::span<const float> values);

}   // namespace oscar

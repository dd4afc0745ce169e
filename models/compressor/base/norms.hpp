// Norms of a vector, by which quantisers scale.
#pragma once

#include <span>

namespace oscar {

/// Root of the sum of squares, the sum in double precision.
double l2_norm(std::span<const float> values);
/// Largest |v|; 0 for none.
float max_magnitude(std::span<const float> values);
/// Sum of |v| in double precision.
double magnitude_sum(std::span<const float> values);
/// Root of the mean squared distance from the mean; 0 for no values.
double standard_deviation(std::span<const float> values);

}   // namespace oscar

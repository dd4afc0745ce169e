// Error of a reduced gradient against the fp32 sum.
#pragma once

#include <span>

namespace oscar {

/// Sums over elements, which add up over the parts of a gradient.
struct Deviation {
    double error = 0;                          ///< |reduced - sum|^2
    double exact_norm = 0, reduced_norm = 0;   ///< |sum|^2, |reduced|^2
    double product = 0;                        ///< <reduced, sum>
    Deviation& operator+=(const Deviation& other);
};

/// Against the exact sum of the ranks' fp32 gradients, accumulated in double precision.
struct Fidelity {
    double relative_l2_error = 0;   ///< |reduced - sum|_2 / |sum|_2; 0 when both vanish
    double cosine = 1;              ///< <reduced, sum> / (|reduced| |sum|); 1 when both vanish
    Deviation deviation{};          ///< what both are made of
};
/// The error and cosine that follow from sums over all elements. Where only the exact sum is zero, the error is
/// infinite; where one of the two gradients is zero, the cosine is 0.
Fidelity fidelity(const Deviation& deviation);

/// `reduced` is the dequantised sum; each of `gradients` is one rank's fp32 gradient of the same length.
Fidelity fidelity(std::span<const float> reduced, std::span<const std::span<const float>> gradients);

}   // namespace oscar

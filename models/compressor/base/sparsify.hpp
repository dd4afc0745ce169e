// Sparsification by a threshold that is chosen for a share of zeros, as TAGC does before it sketches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/core/fields.hpp"

namespace oscar {

/// Derivation of the threshold from the wanted share of zeros.
enum class Sparsify : std::uint8_t { exact_quantile, table_as_published };
constexpr auto choices(Sparsify) {
    return std::array{Choice{"exact_quantile", Sparsify::exact_quantile,
                             "the smallest magnitude that leaves at least the wanted share of zeros"},
                      Choice{"table_as_published", Sparsify::table_as_published,
                             "the step before the first of a fixed table that would: fewer zeros than wanted"}};
}

/// The thresholds of ipolyakov/TAGC (tagc/tagc.py).
inline constexpr std::array<float, 25> sparsify_steps{1e-20f, 1e-15f, 1e-10f, 1e-8f, 1e-7f, 2e-7f, 5e-7f, 1e-6f, 2e-6f,
                                                      5e-6f,  1e-5f,  2e-5f,  5e-5f, 1e-4f, 2e-4f, 5e-4f, 1e-3f, 2e-3f,
                                                      5e-3f,  1e-2f,  2e-2f,  5e-2f, 1e-1f, 2e-1f, 5e-1f};

/// The threshold below which magnitudes become zero, so that a share `zeros` in [0, 1] of the values is zero: that
/// share or, where magnitudes are equal, more by exact_quantile; less by table_as_published. 0 drops nothing.
float sparsify_threshold(std::span<const float> values, double zeros, Sparsify how);

/// Sets values of magnitude below `threshold` to zero and returns the number of values that are not zero.
std::uint64_t sparsify(std::span<float> values, float threshold);

}   // namespace oscar

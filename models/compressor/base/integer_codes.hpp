// Gradients of all ranks as integers of one scale, so that sums of sketches do not depend on their order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/carrier.hpp"

namespace oscar {

/// Throws std::invalid_argument if the sum of codes of all ranks can exceed 32 bits.
void check_code_width(std::uint32_t bits, std::uint32_t ranks);

/// The narrowest of 8, 16 and 32 bits that holds the sum of codes of all ranks. Precondition: check_code_width passes.
std::uint32_t narrowest_cell(std::uint32_t bits, std::uint32_t ranks);

/// The step between codes of `bits` bits that reach the greatest of all ranks' `percentile` in (0, 100], by nearest
/// rank, of the magnitudes that are not zero: with 100 their largest. 0 if all values are zero.
double shared_code_step(std::span<const std::span<const float>> gradients, std::uint32_t bits, double percentile = 100);

/// clamp(round(value / step)) to `bits` bits, halves away from zero; zeros for a step of 0.
std::vector<std::int32_t> codes_of(std::span<const float> values, double step, std::uint32_t bits);

/// code * step, rounded to fp32.
float value_of(std::int32_t code, double step);

/// The same step, agreed by an all-reduce of each rank's peak: four bytes, of which the larger is kept.
double agreed_code_step(std::span<const std::span<const float>> gradients, std::uint32_t bits, double percentile,
                        StepExchanges& traffic, bool overlapped = false);

}   // namespace oscar

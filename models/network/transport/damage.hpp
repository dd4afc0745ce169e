// Random selection of the packets that a link damages.
#pragma once

#include <cstdint>

#include "models/core/units.hpp"
#include "models/network/link/loss_params.hpp"

namespace oscar {

/// Probability that at least one of the bits of `wire` is turned over, each with `bit_error_rate`: 1 - (1 - e)^bits, by
/// squaring, so that every host computes the same.
double damage_of(Bytes wire, double bit_error_rate);

/// Whether the packet that is number `index` on `link` is damaged there: a function of (seed, link, index, wire).
bool is_damaged(const LossParams& loss, std::uint32_t link, std::uint64_t index, Bytes wire);

}   // namespace oscar

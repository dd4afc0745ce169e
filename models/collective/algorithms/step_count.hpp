// The number of steps of a collective, without its schedule.
#pragma once

#include <cstdint>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar {

/// The number of steps of make_schedule(collective, ranks): a chunk needs a step to each participant but one, and a sum
/// that goes to all needs the same number of steps before that. `aggregators`: the switches that take part in
/// in_network. `island`: as for make_schedule().
std::uint64_t count_steps(const Collective& collective, std::uint32_t ranks, std::uint32_t aggregators = 1,
                          std::uint32_t island = 1);

}   // namespace oscar

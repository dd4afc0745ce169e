// The number of steps of a collective, without its schedule.
#pragma once

#include <cstdint>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar::inline collective {

/// As many as make_schedule(collective, ranks) has: a chunk needs a step to each participant but one, and where it is a
/// sum that goes to all, as many before. `aggregators`: the switches that take part in in_network.
std::uint64_t count_steps(const Collective& collective, std::uint32_t ranks, std::uint32_t aggregators = 1);

}   // namespace oscar::inline collective

// Least cost of a value: turns predicted coded sizes into predicted times.
#pragma once

#include <cstdint>
#include <vector>

#include "models/partition/chunks.hpp"

namespace oscar {

/// `costs`, raised so that each run of `granularity` elements (the last may be shorter) costs at least `floor` an
/// element. What a run lacks is spread over its elements. With costs in bits and the bits that the link carries while
/// DMA and engine pass a value on as the floor, a run costs the time that it takes, as a pipeline of the three passes
/// it on. Law: a run's cost is max(its cost before, floor * its elements).
std::vector<std::uint32_t> with_floor(PredictedCosts costs, std::uint32_t granularity, std::uint32_t floor);

}   // namespace oscar

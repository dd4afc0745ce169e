// The broadcast of rank 0's chunk boundaries (docs/chunks.md, `leader`), on the simulated network.
#pragma once

#include <cstdint>
#include <span>

#include "models/machine/machine.hpp"
#include "models/partition/chunks.hpp"
#include "sim/report/metrics.hpp"

namespace oscar {

/// Sends the ends of the pieces of rank 0's layout, 4 bytes each, down a binomial tree and returns what that took.
/// `layouts`: contiguous, per rank. Throws std::logic_error if a rank has received other boundaries than its layout
/// has.
PriorExchange run_boundary_broadcast(Machine& machine, std::span<const ChunkLayout> layouts, ChunkCount count,
                                     Issue issue);

/// Bytes that it sends, over all ranks; chunks may be more or fewer than those.
constexpr std::uint64_t boundary_bytes(ChunkCount count, std::uint32_t ranks) {
    return std::uint64_t{4} * count.groups * count.slices * (ranks - 1);
}

}   // namespace oscar

// Who sends what to whom, as a dependency graph. A schedule knows no sizes, no network and no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/index.hpp"

namespace oscar {

/// What the receiver does with a chunk: replace its own by it, or add it to its own.
enum class Op : std::uint8_t { copy, reduce };

/// One message. It may start when the steps `after` have completed at their receivers, all of them in earlier
/// timesteps.
struct Step {
    Rank from, to;
    ChunkId chunk;
    Op op = Op::copy;
    Timestep timestep;
    std::vector<StepId> after;
};

/// Steps in an order that is a topological order of their dependencies.
struct Schedule {
    std::uint32_t ranks = 0, chunks = 0;
    std::vector<Step> steps;

    /// One more than the last timestep; 0 for an empty schedule.
    std::uint32_t timesteps() const;
};

/// Whether the schedule is an AllReduce: every rank ends with every chunk summed over all ranks, each contribution
/// once, whatever order the dependencies leave open. Returns the first reason why not, naming step, rank and chunk.
std::optional<std::string> why_not_all_reduce(const Schedule& schedule);

/// Over how many ranks are summed: what a step carries, and what its receiver holds of that chunk afterwards.
struct Contributions {
    std::uint32_t carried = 1, held = 1;
};

/// Per step. Precondition: the schedule runs in its order.
std::vector<Contributions> contributions(const Schedule& schedule);

/// All-gather on a ring: ranks chunks, chunk r starting at rank r; timestep s: rank r passes chunk (r - s) mod ranks
/// on. It carries the scale exchange (docs/model.md 2, Q1).
Schedule make_ring_all_gather(std::uint32_t ranks);

}   // namespace oscar

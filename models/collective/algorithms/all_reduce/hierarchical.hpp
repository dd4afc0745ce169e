// AllReduce in islands of ranks that reach each other directly, and across them.
#pragma once

#include <cstdint>

#include "models/collective/schedule/islands.hpp"
#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct HierarchicalParams : StaggeredParams, IslandParams {
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return concatenate(fields_of<HierarchicalParams>(), island_fields_of<HierarchicalParams>());
    }
};

/// The same collective with this island named.
HierarchicalParams on_islands(HierarchicalParams params, std::uint32_t ranks, std::uint32_t of_machine);

/// Islands of g neighbouring ranks, m = ranks / g of them. Reduce-scatter in each island by direct exchange, then a
/// ring AllReduce of each part among those that hold it, one of each island, and all-gather in the island by direct
/// exchange, each in the order in which the ring needs the chunks and has them: ranks slices chunks, 2 + 2 (m-1)
/// timesteps (without the first 2 where g is 1). Across islands go 2 (m-1)/(m g) of the gradient from each rank, a g-th
/// of what a flat ring sends.
/// By switches a rank sends the parts of others to the switch of its island, aggregator number ranks + island, gets the
/// sum of theirs of its own part, and adds its own; after the ring it sends that part to the switch, which sends it to
/// all ranks, the sender among them: 4 timesteps in place of 2, where g is above 1. Source: Klenk et al., An In-Network
/// Architecture for Accelerating Shared-Memory Multiprocessor Collectives, ISCA 2020, sections 3 and 4. Precondition:
/// ranks >= 2. An island of 0 is that of a machine without islands. std::invalid_argument: the island does not divide
/// the ranks.
Schedule make_schedule(const HierarchicalParams& params, std::uint32_t ranks);
/// The part of it that stands for all under the rotation by `turn` ranks, whole islands, whose number divides that of
/// all (ScheduleBuilder). Precondition: no switch adds.
Schedule make_part(const HierarchicalParams& params, std::uint32_t ranks, std::uint32_t turn);

}   // namespace oscar

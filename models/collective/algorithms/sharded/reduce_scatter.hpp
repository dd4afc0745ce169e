// Reduce-scatter on a ring, or in islands and across them.
#pragma once

#include <array>

#include "models/collective/schedule/schedule.hpp"
#include "models/collective/schedule/shards.hpp"

namespace oscar {

enum class ReduceScatterShape : std::uint8_t { automatic, ring, hierarchical };
constexpr auto choices(ReduceScatterShape) {
    using enum ReduceScatterShape;
    return std::array{Choice{"automatic", automatic, "hierarchical on several islands of the topology, else ring"},
                      Choice{"ring", ring, "rank r adds its own to what it received last and sends the sum to r+1"},
                      Choice{"hierarchical", hierarchical,
                             "in islands directly or by their switches, then on rings across them: the first half of "
                             "the hierarchical AllReduce"}};
}

struct ReduceScatterParams : ShardParams {
    ReduceScatterShape shape = ReduceScatterShape::automatic;
    static constexpr Operation operation = Operation::reduce_scatter;
    static constexpr auto fields() {
        return concatenate(shard_fields_of<ReduceScatterParams>(),
                           Entries{field("shape", &ReduceScatterParams::shape, "communication pattern")});
    }
};

inline bool is_hierarchical(const ReduceScatterParams& params) {
    return params.shape == ReduceScatterShape::hierarchical;
}

/// The same collective on a machine with such islands (1: none), with its shape and its island named.
ReduceScatterParams on_islands(ReduceScatterParams params, std::uint32_t ranks, std::uint32_t of_machine);

/// The first half of a ring AllReduce, begun so that rank r ends with chunk r. In timestep s, rank r sends chunk
/// (r - 1 - s) mod ranks to r+1. ranks * slices chunks, ranks - 1 timesteps. Hierarchical: the first half of that
/// AllReduce (HierarchicalParams), begun likewise; 1 + (m-1) timesteps for m islands, and one more by switches.
/// In m groups of G ranks: the same among the ranks of each group, by which rank r gets the chunks r mod G, r mod G +
/// G, ... summed over its group, and then a ring AllReduce of them among the ranks that hold them, 2 (m-1) timesteps.
/// An automatic shape is a ring. Precondition: ranks >= 2. std::invalid_argument: island or group do not fit.
Schedule make_schedule(const ReduceScatterParams& params, std::uint32_t ranks);
/// The part of it that stands for all under the rotation by `turn`, whole islands, as that of RingParams.
/// Preconditions: no switch adds, and all ranks are one group.
Schedule make_part(const ReduceScatterParams& params, std::uint32_t ranks, std::uint32_t turn);

}   // namespace oscar

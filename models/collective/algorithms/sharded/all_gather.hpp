// All-gather on a ring, by dissemination, or across islands and in them.
#pragma once

#include <array>

#include "models/collective/schedule/schedule.hpp"
#include "models/collective/schedule/shards.hpp"

namespace oscar {

enum class AllGatherShape : std::uint8_t { automatic, ring, dissemination, hierarchical };
constexpr auto choices(AllGatherShape) {
    using enum AllGatherShape;
    return std::array{Choice{"automatic", automatic, "hierarchical on several islands of the topology, else ring"},
                      Choice{"ring", ring, "rank r forwards to r+1 the block that it received last"},
                      Choice{"dissemination", dissemination,
                             "each rank sends all its blocks to the rank 1, 2, 4, ... before it (Bruck): few "
                             "timesteps, for small data"},
                      Choice{"hierarchical", hierarchical,
                             "on rings across islands, then in them directly or by their switches: the second half of "
                             "the hierarchical AllReduce"}};
}

struct AllGatherParams : ShardParams {
    AllGatherShape shape = AllGatherShape::automatic;
    static constexpr Operation operation = Operation::all_gather;
    static constexpr auto fields() {
        return concatenate(shard_fields_of<AllGatherParams>(),
                           Entries{field("shape", &AllGatherParams::shape, "communication pattern")});
    }
};

inline bool is_hierarchical(const AllGatherParams& params) { return params.shape == AllGatherShape::hierarchical; }

/// The same collective on a machine with such islands (1: none), with its shape and its island named.
AllGatherParams on_islands(AllGatherParams params, std::uint32_t ranks, std::uint32_t of_machine);

/// ranks slices chunks, chunk r starting at rank r, sent ranks-1 times each. Ring: ranks-1 timesteps; timestep s: rank
/// r passes chunk (r - s) mod ranks on. Dissemination: ceil(log2 ranks) timesteps; timestep k: rank r sends its chunks
/// r to r + 2^k - 1, or the fewer that are still missing there, to r - 2^k. Hierarchical: the second half of that
/// AllReduce (HierarchicalParams), (m-1) + 1 timesteps for m islands, and one more by switches.
/// In groups of G ranks: G slices chunks, of which rank r has number r mod G, and each group does so for itself.
/// An automatic shape is a ring. Precondition: ranks >= 1. std::invalid_argument: island or group do not fit.
/// Source: Bruck et al., IEEE TPDS 1997 (dissemination, also Hensgen, Finkel & Manber 1988 as a barrier).
Schedule make_schedule(const AllGatherParams& params, std::uint32_t ranks);
/// The part of it that stands for all under the rotation by `turn`, whole islands, as that of RingParams.
/// Preconditions: no dissemination, no switch copies, and all ranks are one group.
Schedule make_part(const AllGatherParams& params, std::uint32_t ranks, std::uint32_t turn);

/// The ring all-gather of one slice, which carries the scale exchange (docs/gradients.md, exact agreement).
inline Schedule make_ring_all_gather(std::uint32_t ranks) { return make_schedule(AllGatherParams{}, ranks); }

}   // namespace oscar

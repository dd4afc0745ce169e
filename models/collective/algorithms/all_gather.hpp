// All-gather on a ring, or by dissemination.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

enum class AllGatherShape : std::uint8_t { ring, dissemination };
constexpr auto choices(AllGatherShape) {
    return std::array{Choice{"ring", AllGatherShape::ring, "rank r forwards to r+1 the block that it received last"},
                      Choice{"dissemination", AllGatherShape::dissemination,
                             "each rank sends all its blocks to the rank 1, 2, 4, ... before it (Bruck): few "
                             "timesteps, for small data"}};
}

struct AllGatherParams : CollectiveParams {
    AllGatherShape shape = AllGatherShape::ring;
    static constexpr Operation operation = Operation::all_gather;
    static constexpr auto fields() {
        return concatenate(fields_of<AllGatherParams>(),
                           Entries{field("shape", &AllGatherParams::shape, "communication pattern")});
    }
};

/// ranks slices chunks, chunk r starting at rank r, sent ranks-1 times each. Ring: ranks-1 timesteps; timestep s: rank
/// r passes chunk (r - s) mod ranks on. Dissemination: ceil(log2 ranks) timesteps; timestep k: rank r sends its chunks
/// r to r + 2^k - 1, or the fewer that are still missing there, to r - 2^k. Precondition: ranks >= 1.
/// Source: Bruck et al., IEEE TPDS 1997 (dissemination, also Hensgen, Finkel & Manber 1988 as a barrier).
Schedule make_schedule(const AllGatherParams& params, std::uint32_t ranks);
/// The part of a ring all-gather that stands for all under the rotation by `turn`, as that of RingParams. Precondition:
/// the shape is a ring.
Schedule make_part(const AllGatherParams& params, std::uint32_t ranks, std::uint32_t turn);

/// The ring all-gather of one slice, which carries the scale exchange (docs/gradients.md, exact agreement).
inline Schedule make_ring_all_gather(std::uint32_t ranks) { return make_schedule(AllGatherParams{}, ranks); }

}   // namespace oscar

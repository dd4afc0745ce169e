// All-gather on a ring.
#pragma once

#include "models/collective/params.hpp"
#include "models/collective/schedule.hpp"

namespace oscar {

struct AllGatherParams : CollectiveParams {
    static constexpr Operation operation = Operation::all_gather;
    static constexpr auto fields() { return fields_of<AllGatherParams>(); }
};

/// ranks slices chunks, chunk r starting at rank r, ranks-1 timesteps; timestep s: rank r passes chunk (r - s) mod
/// ranks on. Precondition: ranks >= 1.
Schedule make_schedule(const AllGatherParams& params, std::uint32_t ranks);

/// Of one slice. It carries the scale exchange (docs/model.md 2, Q1).
inline Schedule make_ring_all_gather(std::uint32_t ranks) { return make_schedule(AllGatherParams{}, ranks); }

}   // namespace oscar

// Ring AllReduce.
#pragma once

#include "models/collective/params.hpp"
#include "models/collective/schedule.hpp"

namespace oscar {

struct RingParams : CollectiveParams {
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() { return fields_of<RingParams>(); }
};

/// Ring AllReduce: reduce-scatter, then all-gather, for each slice on its own. `ranks * slices` chunks (chunk c of
/// slice k has the id k * ranks + c), 2 (ranks-1) ranks slices steps, 2 (ranks-1) timesteps, which the slices share.
/// Reduce-scatter timestep s: rank r sends chunk (r - s) mod ranks to r+1; all-gather: chunk (r + 1 - s) mod ranks.
/// Each rank sends 2 (ranks-1) / ranks of its gradient. Source: Patarasuk & Yuan, JPDC 2009, section 3.
/// Precondition: ranks >= 2.
Schedule make_schedule(const RingParams& params, std::uint32_t ranks);

}   // namespace oscar

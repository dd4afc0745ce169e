// Reduce-scatter on a ring.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct ReduceScatterParams : CollectiveParams {
    static constexpr Operation operation = Operation::reduce_scatter;
    static constexpr auto fields() { return fields_of<ReduceScatterParams>(); }
};

/// The first half of a ring AllReduce, begun so that rank r ends with chunk r. In timestep s, rank r sends chunk
/// (r - 1 - s) mod ranks to r+1. ranks * slices chunks, ranks - 1 timesteps. Precondition: ranks >= 2.
Schedule make_schedule(const ReduceScatterParams& params, std::uint32_t ranks);
/// The part of it that stands for all under the rotation by `turn`, as that of RingParams.
Schedule make_part(const ReduceScatterParams& params, std::uint32_t ranks, std::uint32_t turn);

}   // namespace oscar

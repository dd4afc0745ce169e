// Reduce-scatter on a ring.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/phases.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct ReduceScatterParams : CollectiveParams {
    static constexpr Operation operation = Operation::reduce_scatter;
    static constexpr auto fields() { return fields_of<ReduceScatterParams>(); }
};

/// The first half of a ring AllReduce, begun so that rank r ends with chunk r. In timestep s, rank r sends chunk
/// (r - 1 - s) mod ranks to r+1. ranks * slices chunks, ranks - 1 timesteps. Precondition: ranks >= 2.
inline Schedule make_schedule(const ReduceScatterParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, ranks * params.slices);
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t s = 0; s + 1 < ranks; ++s)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            ring_round(builder, members, {slice * ranks}, -1 - std::int64_t{s}, Op::reduce, s);
    return std::move(builder).finish();
}

}   // namespace oscar

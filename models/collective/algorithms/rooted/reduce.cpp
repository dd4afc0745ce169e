#include "models/collective/algorithms/rooted/reduce.hpp"

#include <algorithm>
#include <utility>

#include "models/collective/algorithms/rooted/broadcast.hpp"
#include "models/collective/schedule/builder.hpp"

namespace oscar {

/// The broadcast backwards, in which the last slice is the first.
Schedule make_schedule(const ReduceToRootParams& params, std::uint32_t ranks) {
    BroadcastFromRootParams broadcast;
    broadcast.slices = params.slices;
    broadcast.shape = params.shape == ReduceShape::chain ? BroadcastShape::chain : BroadcastShape::binomial;
    Schedule forwards = make_schedule(broadcast, ranks);
    const std::uint32_t last = forwards.timesteps() - 1;
    std::ranges::reverse(forwards.steps);
    ScheduleBuilder builder(ranks, params.slices);
    for (const Step& step : forwards.steps)
        builder.send(step.to, step.from, ChunkId{params.slices - 1 - step.chunk.value}, Op::reduce,
                     last - step.timestep.value);
    return std::move(builder).finish();
}

}   // namespace oscar

#include "models/collective/bidirectional_ring.hpp"

#include <algorithm>

#include "models/collective/phases.hpp"

namespace oscar {

Schedule make_schedule(const BidirectionalRingParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, 2 * ranks * params.slices);
    const auto up = ranks_from(0, 1, ranks);
    auto down = up;
    std::ranges::reverse(down);
    for (const Op op : {Op::reduce, Op::copy})
        for (std::uint32_t s = 0; s + 1 < ranks; ++s)
            for (std::uint32_t slice = 0; slice < params.slices; ++slice) {
                const std::int64_t shift = (op == Op::reduce ? 0 : 1) - std::int64_t{s};
                const std::uint32_t timestep = op == Op::reduce ? s : ranks - 1 + s, first = 2 * slice * ranks;
                ring_round(builder, up, {first}, shift, op, timestep);
                ring_round(builder, down, {first + ranks}, shift, op, timestep);
            }
    return std::move(builder).finish();
}

}   // namespace oscar

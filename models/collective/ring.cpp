#include "models/collective/ring.hpp"

#include "models/collective/phases.hpp"

namespace oscar {

Schedule make_schedule(const RingParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, ranks * params.slices);
    const auto members = ranks_from(0, 1, ranks);
    for (const Op op : {Op::reduce, Op::copy})
        for (std::uint32_t s = 0; s + 1 < ranks; ++s)
            for (std::uint32_t slice = 0; slice < params.slices; ++slice)
                ring_round(builder, members, {slice * ranks}, (op == Op::reduce ? 0 : 1) - std::int64_t{s}, op,
                           op == Op::reduce ? s : ranks - 1 + s);
    return std::move(builder).finish();
}

}   // namespace oscar

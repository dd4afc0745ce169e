#include "models/collective/all_gather.hpp"

#include "models/collective/phases.hpp"

namespace oscar {

Schedule make_schedule(const AllGatherParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, ranks * params.slices);
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t s = 0; s + 1 < ranks; ++s)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            ring_round(builder, members, {slice * ranks}, -std::int64_t{s}, Op::copy, s);
    return std::move(builder).finish();
}

}   // namespace oscar

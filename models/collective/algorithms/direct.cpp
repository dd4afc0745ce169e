#include "models/collective/algorithms/direct.hpp"

#include "models/collective/schedule/phases.hpp"

namespace oscar {

Schedule make_schedule(const DirectParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, ranks * params.slices);
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        direct_reduce_scatter(builder, members, {slice * ranks}, 0);
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        direct_all_gather(builder, members, {slice * ranks}, 1);
    return std::move(builder).finish();
}

}   // namespace oscar

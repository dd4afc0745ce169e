#include "models/collective/algorithms/all_gather.hpp"

#include <algorithm>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

void ring(ScheduleBuilder& builder, std::uint32_t ranks, std::uint32_t slices) {
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t s = 0; s + 1 < ranks; ++s)
        for (std::uint32_t slice = 0; slice < slices; ++slice)
            ring_round(builder, members, {slice * ranks}, -std::int64_t{s}, Op::copy, s);
}

void disseminate(ScheduleBuilder& builder, std::uint32_t ranks, std::uint32_t slices) {
    for (std::uint32_t timestep = 0, held = 1; held < ranks; ++timestep, held *= 2)
        for (std::uint32_t slice = 0; slice < slices; ++slice)
            for (std::uint32_t r = 0; r < ranks; ++r)
                for (std::uint32_t i = 0; i < std::min(held, ranks - held); ++i)
                    builder.send(Rank{r}, Rank{(r + ranks - held) % ranks}, ChunkId{slice * ranks + (r + i) % ranks},
                                 Op::copy, timestep);
}

}   // namespace

Schedule make_part(const AllGatherParams& params, std::uint32_t ranks, std::uint32_t turn) {
    ScheduleBuilder builder(ranks, ranks * params.slices, Rotation{turn, turn, ranks});
    ring(builder, ranks, params.slices);
    return std::move(builder).finish();
}

Schedule make_schedule(const AllGatherParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, ranks * params.slices);
    if (params.shape == AllGatherShape::ring) ring(builder, ranks, params.slices);
    else disseminate(builder, ranks, params.slices);
    return std::move(builder).finish();
}

}   // namespace oscar

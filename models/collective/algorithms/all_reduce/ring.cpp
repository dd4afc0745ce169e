#include "models/collective/algorithms/all_reduce/ring.hpp"

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

/// Round s of final sums towards predecessors: rank r begins with the sum of chunk r + 1, which it owns.
void reverse_round(ScheduleBuilder& builder, std::uint32_t first_chunk, std::uint32_t ranks, std::uint32_t s,
                   std::uint32_t timestep) {
    for (std::uint32_t r = 0; r < ranks && builder.takes(Rank{r}); ++r)
        builder.send(Rank{r}, Rank{(r + ranks - 1) % ranks}, ChunkId{first_chunk + (r + 1 + s) % ranks}, Op::copy,
                     timestep);
}

Schedule sent_by(ScheduleBuilder builder, const RingParams& params, std::uint32_t ranks) {
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t s = 0; s + 1 < ranks; ++s)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            ring_round(builder, members, {slice * ranks}, -std::int64_t{s}, Op::reduce, s);
    for (std::uint32_t s = 0; s + 1 < ranks; ++s)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice) {
            const std::uint32_t timestep = ranks - 1 + s;
            if (params.all_gather_direction == AllGatherDirection::reverse)
                reverse_round(builder, slice * ranks, ranks, s, timestep);
            else ring_round(builder, members, {slice * ranks}, 1 - std::int64_t{s}, Op::copy, timestep);
        }
    return std::move(builder).finish();
}

}   // namespace

Schedule make_schedule(const RingParams& params, std::uint32_t ranks) {
    return sent_by(ScheduleBuilder(ranks, ranks * params.slices), params, ranks);
}

Schedule make_part(const RingParams& params, std::uint32_t ranks, std::uint32_t turn) {
    return sent_by(ScheduleBuilder(ranks, ranks * params.slices, Rotation{turn, turn, ranks}), params, ranks);
}

}   // namespace oscar

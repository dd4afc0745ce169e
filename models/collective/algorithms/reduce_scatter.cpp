#include "models/collective/algorithms/reduce_scatter.hpp"

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

Schedule sent_by(ScheduleBuilder builder, const ReduceScatterParams& params, std::uint32_t ranks) {
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t s = 0; s + 1 < ranks; ++s)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            ring_round(builder, members, {slice * ranks}, -1 - std::int64_t{s}, Op::reduce, s);
    return std::move(builder).finish();
}

}   // namespace

Schedule make_schedule(const ReduceScatterParams& params, std::uint32_t ranks) {
    return sent_by(ScheduleBuilder(ranks, ranks * params.slices), params, ranks);
}

Schedule make_part(const ReduceScatterParams& params, std::uint32_t ranks, std::uint32_t turn) {
    return sent_by(ScheduleBuilder(ranks, ranks * params.slices, Rotation{turn, turn, ranks}), params, ranks);
}

}   // namespace oscar

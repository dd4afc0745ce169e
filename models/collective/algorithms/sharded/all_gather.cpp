#include "models/collective/algorithms/sharded/all_gather.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace oscar {
namespace {

Schedule all_gather(ScheduleBuilder builder, const IslandGrid& grid, std::uint32_t slices, bool by_switches) {
    IslandPhases phases(std::move(builder), grid, IslandChunks::of_owners(grid, 1), slices);
    phases.ring_in_groups(Op::copy);
    phases.gather_inside(by_switches);
    return std::move(phases).finish();
}

void require_one_group(const AllGatherParams& params) {
    if (params.shape == AllGatherShape::dissemination && params.group != 0)
        throw std::invalid_argument("group: by dissemination all ranks are one group; choose 0, or shape: ring");
}

Schedule disseminate(std::uint32_t ranks, std::uint32_t slices) {
    ScheduleBuilder builder(ranks, ranks * slices);
    for (std::uint32_t timestep = 0, held = 1; held < ranks; ++timestep, held *= 2)
        for (std::uint32_t slice = 0; slice < slices; ++slice)
            for (std::uint32_t r = 0; r < ranks; ++r)
                for (std::uint32_t i = 0; i < std::min(held, ranks - held); ++i)
                    builder.send(Rank{r}, Rank{(r + ranks - held) % ranks}, ChunkId{slice * ranks + (r + i) % ranks},
                                 Op::copy, timestep);
    return std::move(builder).finish();
}

}   // namespace

AllGatherParams on_islands(AllGatherParams params, std::uint32_t ranks, std::uint32_t of_machine) {
    using enum AllGatherShape;
    require_one_group(params);
    if (params.shape == automatic) params.shape = goes_by_islands(params, ranks, of_machine) ? hierarchical : ring;
    if (params.shape == hierarchical) params.island = island_in_group(params, ranks, of_machine, true);
    return params;
}

Schedule make_schedule(const AllGatherParams& params, std::uint32_t ranks) {
    require_one_group(params);
    if (params.shape == AllGatherShape::dissemination) return disseminate(ranks, params.slices);
    const IslandGrid grid = grid_of(params, ranks, is_hierarchical(params));
    const std::uint32_t switches = switches_in(params, grid);
    Schedule schedule = all_gather(ScheduleBuilder(ranks, grid.of_a_group() * params.slices, switches), grid,
                                   params.slices, switches > 0);
    schedule.island_switches = switches > 0;
    schedule.group = params.group;
    return schedule;
}

Schedule make_part(const AllGatherParams& params, std::uint32_t ranks, std::uint32_t turn) {
    const ScheduleBuilder builder(ranks, ranks * params.slices, Rotation{turn, turn, ranks});
    return all_gather(builder, grid_of(params, ranks, is_hierarchical(params)), params.slices, false);
}

}   // namespace oscar

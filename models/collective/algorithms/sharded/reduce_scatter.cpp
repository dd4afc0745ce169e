#include "models/collective/algorithms/sharded/reduce_scatter.hpp"

#include <utility>

namespace oscar {
namespace {

Schedule reduce_scatter(ScheduleBuilder builder, const IslandGrid& grid, std::uint32_t slices, bool by_switches) {
    IslandPhases phases(std::move(builder), grid, IslandChunks::of_owners(grid, grid.groups), slices);
    phases.reduce_inside(by_switches);
    phases.ring_in_groups(Op::reduce);
    phases.all_reduce_across_groups();
    return std::move(phases).finish();
}

}   // namespace

ReduceScatterParams on_islands(ReduceScatterParams params, std::uint32_t ranks, std::uint32_t of_machine) {
    using enum ReduceScatterShape;
    if (params.shape == automatic) params.shape = goes_by_islands(params, ranks, of_machine) ? hierarchical : ring;
    if (params.shape == hierarchical) params.island = island_in_group(params, ranks, of_machine, true);
    return params;
}

Schedule make_schedule(const ReduceScatterParams& params, std::uint32_t ranks) {
    const IslandGrid grid = grid_of(params, ranks, is_hierarchical(params));
    const std::uint32_t switches = switches_in(params, grid);
    Schedule schedule =
        reduce_scatter(ScheduleBuilder(ranks, ranks * params.slices, switches), grid, params.slices, switches > 0);
    schedule.island_switches = switches > 0;
    schedule.group = params.group;
    return schedule;
}

Schedule make_part(const ReduceScatterParams& params, std::uint32_t ranks, std::uint32_t turn) {
    const ScheduleBuilder builder(ranks, ranks * params.slices, Rotation{turn, turn, ranks});
    return reduce_scatter(builder, grid_of(params, ranks, is_hierarchical(params)), params.slices, false);
}

}   // namespace oscar

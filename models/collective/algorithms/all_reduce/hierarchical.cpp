#include "models/collective/algorithms/all_reduce/hierarchical.hpp"

#include <utility>

#include "models/collective/schedule/island_phases.hpp"

namespace oscar {
namespace {

Schedule all_reduce(ScheduleBuilder builder, const HierarchicalParams& params, std::uint32_t ranks, bool by_switches) {
    const std::uint32_t island = island_of(params, ranks, 1);
    const IslandGrid grid{island, ranks / island};
    IslandPhases phases(std::move(builder), grid, IslandChunks::of_parts(grid), params.slices);
    phases.reduce_inside(by_switches);
    phases.ring_in_groups(Op::reduce);
    phases.ring_in_groups(Op::copy);
    phases.gather_inside(by_switches);
    return std::move(phases).finish();
}

}   // namespace

HierarchicalParams on_islands(HierarchicalParams params, std::uint32_t ranks, std::uint32_t of_machine) {
    params.island = island_of(params, ranks, of_machine);
    return params;
}

Schedule make_schedule(const HierarchicalParams& params, std::uint32_t ranks) {
    const std::uint32_t switches = switches_of(params, ranks, 1);
    Schedule schedule =
        all_reduce(ScheduleBuilder(ranks, ranks * params.slices, switches), params, ranks, switches > 0);
    schedule.island_switches = switches > 0;
    return schedule;
}

Schedule make_part(const HierarchicalParams& params, std::uint32_t ranks, std::uint32_t turn) {
    const std::uint32_t g = island_of(params, ranks, 1);
    const Rotation rotation{turn, turn / g, ranks / g};
    return all_reduce(ScheduleBuilder(ranks, ranks * params.slices, rotation), params, ranks, false);
}

}   // namespace oscar

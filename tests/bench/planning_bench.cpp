// What precedes a simulation of many ranks: schedules, routes and the search for circles of waiting packets.
#include <benchmark/benchmark.h>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/network/topology/deadlock.hpp"
#include "models/network/topology/kinds/topologies.hpp"
#include "models/network/topology/routes.hpp"

namespace {

using namespace oscar;

/// A plan of 2 (n-1) n steps.
template <class Params>
void plan_of_ranks(benchmark::State& state) {
    const auto ranks = static_cast<std::uint32_t>(state.range(0));
    for (auto _ : state) {
        const Plan plan(make_schedule(Params{}, ranks), ElementType::integer, 8);
        benchmark::DoNotOptimize(plan.schedule.steps.size());
    }
}
BENCHMARK(plan_of_ranks<RingParams>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_of_ranks<DirectParams>)->Arg(1024)->Unit(benchmark::kMillisecond);

/// A route from each rank of a fat tree to another.
void routes_of_a_fat_tree(benchmark::State& state) {
    const auto ranks = static_cast<std::uint32_t>(state.range(0));
    const Topology tree = make_topology(FatTreeParams{}, ranks, {});
    for (auto _ : state) {
        const Routes routes(tree, RoutingParams{});
        for (std::uint32_t r = 0; r < ranks; ++r)
            benchmark::DoNotOptimize(routes.path(Rank{r}, Rank{(r + 1777) % ranks}).size());
    }
}
BENCHMARK(routes_of_a_fat_tree)->Arg(4096)->Unit(benchmark::kMillisecond);

template <class Params>
void wait_cycle_of_ranks(benchmark::State& state) {
    const Topology topology = make_topology(Params{}, static_cast<std::uint32_t>(state.range(0)), {});
    for (auto _ : state) benchmark::DoNotOptimize(find_wait_cycle(topology, {}, 2).size());
}
BENCHMARK(wait_cycle_of_ranks<FatTreeParams>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(wait_cycle_of_ranks<TorusParams>)->Arg(4096)->Unit(benchmark::kMillisecond);
BENCHMARK(wait_cycle_of_ranks<DragonflyParams>)->Arg(1024)->Unit(benchmark::kMillisecond);

}   // namespace

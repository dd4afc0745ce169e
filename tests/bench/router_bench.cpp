// Simulated flit-hops per CPU second of the grid of input-queued routers: an 8x8 mesh under uniform traffic.
#include <benchmark/benchmark.h>

#include "models/network/open_loop/traffic.hpp"

namespace {

using namespace oscar;

/// range(0) per cent of a flit a cycle and node.
void uniform_on_a_mesh(benchmark::State& state) {
    const RouterGrid grid(RouterMeshParams{8, 8});
    TrafficParams traffic;
    VcRouterParams router;
    router.reuse = VcReuse::when_sent;
    std::uint64_t flit_hops = 0;
    Cycles cycles = 0;
    for (auto _ : state) {
        const LoadPoint point = measure_load(grid, router, traffic, static_cast<double>(state.range(0)) / 100, 1);
        flit_hops += point.flit_hops;
        cycles += point.cycles;
    }
    state.counters["flit_hops/s"] = benchmark::Counter(static_cast<double>(flit_hops), benchmark::Counter::kIsRate);
    state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}
BENCHMARK(uniform_on_a_mesh)->Arg(5)->Arg(30)->Arg(40)->Unit(benchmark::kMillisecond);

}   // namespace

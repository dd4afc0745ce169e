// Simulated flit-hops per CPU second: a ring AllReduce of uncompressed values through one switch at packet fidelity.
#include <benchmark/benchmark.h>

#include <map>

#include "models/codec/codecs.hpp"
#include "models/collective/endpoint_participants.hpp"
#include "models/hw/system.hpp"

namespace {

using namespace oscar;

/// All machines are built before the first runs, as the SystemC kernel wants it.
System& machine(std::uint32_t ranks) {
    static std::map<std::uint32_t, std::unique_ptr<System>> machines = [] {
        std::map<std::uint32_t, std::unique_ptr<System>> built;
        for (const std::uint32_t n : {8u, 64u}) {
            const std::string name = "machine" + std::to_string(n);
            built[n] =
                std::make_unique<System>(name.c_str(), make_topology(StarParams{}, n), NodeParams{}, NetworkParams{});
        }
        return built;
    }();
    return *machines.at(ranks);
}

/// range(0) ranks, range(1) KiB of fp32 a rank. Without the endpoints' work: the reference run is not part of it, but
/// gathering, copying and adding the values that travel are.
void ring_through_a_switch(benchmark::State& state) {
    const auto ranks = static_cast<std::uint32_t>(state.range(0));
    const auto elements = static_cast<std::uint32_t>(state.range(1) * 256);
    System& system = machine(ranks);
    const Plan plan(make_schedule(RingParams{}, ranks), Number::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, elements, {ranks, 1}, {});
    const SimulationCost before = system.cost();
    Time simulated;
    for (auto _ : state) {
        state.PauseTiming();
        std::vector<Endpoint> endpoints;
        for (std::uint32_t r = 0; r < ranks; ++r)
            endpoints.emplace_back(Rank{r}, plan, *codec).begin(std::vector<Symbol>(elements), layout, 0);
        EndpointParticipants participants(plan, endpoints, *codec);
        state.ResumeTiming();
        simulated = system.run({plan, participants, Issue::lock_step, {}}).duration();
    }
    const SimulationCost after = system.cost();
    state.counters["flit_hops/s"] =
        benchmark::Counter(static_cast<double>(after.flit_hops - before.flit_hops), benchmark::Counter::kIsRate);
    state.counters["events/s"] =
        benchmark::Counter(static_cast<double>(after.events - before.events), benchmark::Counter::kIsRate);
    state.counters["simulated_us"] = static_cast<double>(simulated.ps) / 1e6;
}
BENCHMARK(ring_through_a_switch)->Args({8, 8 << 10})->Args({64, 8 << 10})->Unit(benchmark::kMillisecond);

}   // namespace

extern "C" int sc_main(int, char**) { return 0; }

BENCHMARK_MAIN();

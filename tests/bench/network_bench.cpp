// Simulated flit-hops per CPU second of whole machines: a ring AllReduce of uncompressed values through one switch.
#include <benchmark/benchmark.h>

#include <map>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/live_message_source.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/machine/machine.hpp"

namespace {

using namespace oscar;

/// Of 8 ranks at fidelity flit, with all signals recorded.
Machine& recorded_machine() {
    static Waveform waveform{WaveformParams{}};
    static Machine machine("recorded", make_topology(StarParams{}, 8, {}), Nodes(8), NetworkParams{},
                           TimingFidelity::flit, MachineParts{.waveform = &waveform});
    return machine;
}

/// All machines are built before the first runs, as the SystemC kernel wants it.
Machine& machine(std::uint32_t ranks, TimingFidelity fidelity) {
    using Key = std::pair<std::uint32_t, TimingFidelity>;
    static std::map<Key, std::unique_ptr<Machine>> machines = [] {
        std::map<Key, std::unique_ptr<Machine>> built;
        recorded_machine();
        for (const Key& key : {Key{8, TimingFidelity::flit},
                               {8, TimingFidelity::packet},
                               {64, TimingFidelity::packet},
                               {8, TimingFidelity::message},
                               {64, TimingFidelity::message},
                               {1024, TimingFidelity::message}}) {
            const std::string name = "machine" + std::to_string(built.size());
            built[key] = std::make_unique<Machine>(name.c_str(), make_topology(StarParams{}, key.first, {}),
                                                   NodeParams{}, NetworkParams{}, key.second);
        }
        return built;
    }();
    return *machines.at({ranks, fidelity});
}

void count(benchmark::State& state, const SimulationCost& before, const SimulationCost& after, Time simulated) {
    state.counters["flit_hops/s"] =
        benchmark::Counter(static_cast<double>(after.flit_hops - before.flit_hops), benchmark::Counter::kIsRate);
    state.counters["events/s"] =
        benchmark::Counter(static_cast<double>(after.events - before.events), benchmark::Counter::kIsRate);
    state.counters["simulated_us"] = static_cast<double>(simulated.ps) / 1e6;
}

/// range(0) ranks, range(1) KiB of fp32 a rank. Without the ranks' work: the reference run is not part of it, but
/// gathering, copying and adding the values that travel are.
void ring_through_a_switch(benchmark::State& state, TimingFidelity fidelity) {
    const auto ranks = static_cast<std::uint32_t>(state.range(0));
    const auto elements = static_cast<std::uint32_t>(state.range(1) * 256);
    Machine& system = machine(ranks, fidelity);
    const Plan plan(make_schedule(RingParams{}, ranks), ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, elements, {ranks, 1}, {});
    const SimulationCost before = system.cost();
    Time simulated;
    for (auto _ : state) {
        state.PauseTiming();
        std::vector<RankState> rank_states;
        for (std::uint32_t r = 0; r < ranks; ++r)
            rank_states.emplace_back(plan, *codec).begin(std::vector<Symbol>(elements), layout, 0);
        LiveMessageSource participants(plan, rank_states, *codec);
        state.ResumeTiming();
        simulated = system.run({plan, participants, Issue::lock_step, {}}).duration();
    }
    count(state, before, system.cost(), simulated);
}
BENCHMARK_CAPTURE(ring_through_a_switch, packet, TimingFidelity::packet)
    ->Args({8, 8 << 10})
    ->Args({64, 8 << 10})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ring_through_a_switch, message, TimingFidelity::message)
    ->Args({8, 8 << 10})
    ->Args({64, 8 << 10})
    ->Unit(benchmark::kMillisecond);

/// range(0) ranks, range(1) MiB of fp32 a rank, of which only the sizes exist, in blocks of the default engine.
void ring_of_sizes(benchmark::State& state, Machine& system) {
    const auto ranks = static_cast<std::uint32_t>(state.range(0));
    const Plan plan(make_schedule(RingParams{}, ranks), ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, EngineParams{}.framing());
    const ChunkLayout layout =
        make_layout(EqualParams{}, static_cast<std::uint32_t>(state.range(1) << 18), {ranks, 1}, {});
    const SimulationCost before = system.cost();
    Time simulated;
    for (auto _ : state) {
        SyntheticMessageSource participants(plan, *codec, layout);
        simulated = system.run({plan, participants, Issue::dependency, {}}).duration();
    }
    count(state, before, system.cost(), simulated);
}
void ring_of_sizes_at(benchmark::State& state, TimingFidelity fidelity) {
    ring_of_sizes(state, machine(static_cast<std::uint32_t>(state.range(0)), fidelity));
}
BENCHMARK_CAPTURE(ring_of_sizes_at, message, TimingFidelity::message)
    ->Args({8, 64})
    ->Args({64, 64})
    ->Args({1024, 1024})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ring_of_sizes_at, packet, TimingFidelity::packet)
    ->Args({8, 64})
    ->Args({64, 64})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ring_of_sizes_at, flit, TimingFidelity::flit)->Args({8, 64})->Unit(benchmark::kMillisecond);
void ring_of_sizes_recorded(benchmark::State& state) {
    machine(8, TimingFidelity::flit);
    ring_of_sizes(state, recorded_machine());
}
BENCHMARK(ring_of_sizes_recorded)->Args({8, 64})->Unit(benchmark::kMillisecond);

}   // namespace

extern "C" int sc_main(int, char**) { return 0; }

BENCHMARK_MAIN();

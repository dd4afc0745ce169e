// Collectives in which switches add, for tests: their plans, and a star whose times can be read off.
#pragma once

#include "models/job/schedule_on.hpp"
#include "tests/machine/support.hpp"

namespace oscar::test {

/// The collective in so many chunks.
inline InNetworkParams chunks(std::uint32_t slices) {
    InNetworkParams params;
    params.slices = slices;
    return params;
}

/// A star where a byte takes 1 ns on a link and a value 1 ns from or to GPU memory, in chunks of one packet of 64
/// values, without headers; every time below is in ns.
struct ReadableStar {
    MachineSpec spec = test::readable();
    static constexpr std::int64_t values = 64, wire = 4 * values, propagation = 100, nic = 10, dma = 70;
    static constexpr std::int64_t adding = 4 + 16;   // 64 values through 16 adders, and their pipeline

    explicit ReadableStar(std::uint32_t ranks, std::uint32_t slots = 128, Time latency = 37_ns) {
        spec.ranks = ranks;
        spec.topology = StarParams{};
        spec.network.packet = Bytes{wire};
        spec.network.switches = {.latency = latency, .aggregator = {.adders = 16, .latency = 16, .slots = slots}};
        spec.node.gpu.dma_latency = 70_ns;
    }
    Plan plan(std::uint32_t count) const {
        return {make_schedule(chunks(count), spec.ranks), ElementType::float32, 32};
    }
    Outcome run(Machine& machine, std::uint32_t count) const {
        const auto codec = make_codec(Fp32Params{}, Framing{});
        return machine.run(plan(count), *codec, test::floats(spec.ranks, count * values), Issue::dependency).outcome;
    }
};

}   // namespace oscar::test

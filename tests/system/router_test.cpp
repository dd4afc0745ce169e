// The machine on input-queued routers: values of the reference, times by hand.
#include <gmock/gmock.h>

#include "models/network/params/input_queued_params.hpp"
#include "tests/system/support.hpp"

namespace oscar::router_test {
namespace {

using test::Machine;
using test::MachineSpec;

/// 16 ranks; a byte takes 1 ns, a flit of 64 B a cycle of 64 ns, a link 1 + 2 cycles, a switch 1.
MachineSpec on_routers(const TopologyKind& topology, const InputQueuedParams& queues = {}) {
    MachineSpec spec;
    spec.ranks = 16;
    spec.topology = topology;
    spec.network.link = {8_Gbps, 128_ns, 64_KiB};
    spec.network.switches.latency = 64_ns;
    spec.network.header = 0_B;
    spec.network.packet = 256_B;
    spec.network.switches.architecture = queues;
    spec.fidelity = TimingFidelity::flit;
    return spec;
}

InputQueuedParams random_queues(std::uint64_t seed) {
    InputQueuedParams queues;
    queues.vcs = static_cast<std::uint32_t>(2 + seed % 5);
    queues.vc_flits = static_cast<std::uint32_t>(1 + seed * 7 % 13);
    queues.reuse = seed % 2 == 0 ? VcReuse::when_empty : VcReuse::when_sent;
    queues.input_speedup = static_cast<std::uint32_t>(1 + seed % 2);
    return queues;
}

class EveryGrid : public ::testing::TestWithParam<std::pair<const char*, TopologyKind>> {};

TEST_P(EveryGrid, OfRoutersLeavesTheSumsOfTheReference) {
    const TopologyKind& topology = GetParam().second;
    const MachineSpec deep = on_routers(topology, random_queues(12)), shallow = on_routers(topology, random_queues(3));
    Machine machine(deep, "deep"), other(shallow, "shallow");
    const auto codec = make_codec(AscParams{}, deep.node.engine.framing());
    for (Machine* each : {&machine, &other})
        for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
            const auto run = each->run(test::int8_plan(16), *codec, test::codes(16, 5000, 8, 1), issue);
            test::expect_same(run);
            EXPECT_GT(run.outcome.duration(), Time{});
        }
}

INSTANTIATE_TEST_SUITE_P(Of, EveryGrid,
                         ::testing::Values(std::pair{"mesh_4_by_4", TopologyKind{MeshParams{4, 4}}},
                                           std::pair{"torus_4_by_4", TopologyKind{TorusParams{4, 4}}},
                                           std::pair{"torus_2_by_8", TopologyKind{TorusParams{2, 8}}},
                                           std::pair{"row_of_16", TopologyKind{MeshParams{1, 16}}}),
                         [](const auto& grid) { return std::string(grid.param.first); });

TEST(AMachineOfRouters, LeavesTheSumsOfAllToAllTraffic) {
    const MachineSpec spec = on_routers(TorusParams{4, 4});
    Machine machine(spec);
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    const Plan plan{make_schedule(DirectParams{}, 16), ElementType::integer, 8};
    test::expect_same(machine.run(plan, *codec, test::codes(16, 8000, 8, 2), Issue::dependency));
}

TEST(AMachineOfRouters, TakesAsLongForAJobThatIsRepeated) {
    Machine machine(on_routers(TorusParams{4, 4}));
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto time = [&] {
        return machine.run(test::fp32_plan(16), *codec, test::floats(16, 8000)).outcome.duration();
    };
    EXPECT_EQ(time(), time());
}

// Between neighbours of a ring of four in a row and back: nobody shares a link. Each round is a message of one packet
// on its own: how long it is on its way is the zero-load time of the farthest pair, from rank 3 back to rank 0.
TEST(AMachineOfRouters, TakesTheZeroLoadTimeOfItsFarthestNeighboursInEachRound) {
    MachineSpec spec = on_routers(MeshParams{1, 4});
    spec.ranks = 4;
    InputQueuedParams deep;
    deep.vc_flits = 64;
    spec.network.switches.architecture = deep;
    MachineSpec faster = spec;
    faster.network.switches.latency = 0_ns;   // still a cycle
    MachineSpec slower = spec;
    slower.network.switches.latency = 3 * 64_ns;   // two cycles more in each router
    const auto codec = make_codec(Fp32Params{}, Framing{});
    Machine plain(spec, "plain"), quick(faster, "quick"), slow(slower, "slow");
    const auto duration = [&](Machine& machine) {
        const auto run = machine.run(test::fp32_plan(4), *codec, test::floats(4, 4 * 64));
        test::expect_same(run);
        return run.outcome.duration();
    };
    const Time before = duration(plain);
    EXPECT_EQ(duration(quick), before);
    // 6 rounds, of which each has its farthest packet pass four routers.
    EXPECT_EQ(duration(slow) - before, 6 * 4 * 2 * 64_ns);
}

TEST(AMachineOfRouters, CountsNoWaitingOnLinksWhereAPacketIsAlone) {
    MachineSpec spec = on_routers(MeshParams{1, 2});
    spec.ranks = 2;
    InputQueuedParams deep;
    deep.vc_flits = 64;
    spec.network.switches.architecture = deep;
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(test::fp32_plan(2), *codec, test::floats(2, 2 * 64));
    // One packet of 4 flits in each of two rounds.
    EXPECT_EQ(run.outcome.path.wire_ps, (2 * 4 * 64_ns).ps);
    for (const LinkUse& link : run.outcome.links) {
        Time busy;
        for (const Span span : link.busy) busy += span.end - span.begin;
        EXPECT_EQ(busy, 2 * 4 * 64_ns) << link.name;
        EXPECT_EQ(link.packets, 2u) << link.name;
    }
}

}   // namespace
}   // namespace oscar::router_test

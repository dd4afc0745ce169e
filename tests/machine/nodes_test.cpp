// A node that differs: how much later an AllReduce ends, by hand. And the closed form of machines all of whose nodes
// differ, on every topology.
#include <gmock/gmock.h>

#include "models/predict/link_sharing.hpp"
#include "tests/machine/support.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::nodes_test {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t node_ranks = 8, rounds = 2 * (node_ranks - 1), odd = 3;   // `odd`: the rank that differs
constexpr std::uint32_t chunk_values = 1024;
constexpr Frequency picosecond_clock{1'000'000'000};

/// A byte takes 1 ns, a cable 100 ns, a switch 30 ns, a value 1 ns by DMA: all edges of a clock of 1 GHz.
MachineSpec plain(const TopologyKind& topology) {
    MachineSpec spec;
    spec.ranks = node_ranks;
    spec.topology = topology;
    spec.network.link = {8_Gbps, 100_ns, 64_KiB};
    spec.network.switches.latency = 30_ns;
    spec.network.virtual_channels = 2;
    spec.node.gpu = {32_Gbps, 70_ns};
    spec.node.nic = {.latency = 10_ns, .adders = 64, .clock = 1_GHz};
    spec.node.engine.lanes = 16;
    return spec;
}

std::vector<TopologyKind> all_topologies() {
    std::vector<TopologyKind> kinds;
    for_each_kind(topologies, [&]<class P>(const Kind<P>&) { kinds.emplace_back(test::sample<P>(node_ranks)); });
    return kinds;
}

struct CodedRun {
    CodecChoice codec = Fp32Params{};
    Issue issue = Issue::lock_step;
    Time late = {};   ///< of the odd rank
};

Time duration(Machine& machine, const MachineSpec& spec, const CodedRun& work) {
    const auto codec = make_codec(work.codec, spec.node.engine.framing());
    const Plan plan = std::holds_alternative<Fp32Params>(work.codec.params) ? test::fp32_plan(node_ranks)
                                                                            : test::int8_plan(node_ranks);
    std::vector<Time> start(node_ranks);
    start[odd] = work.late;
    const auto values = plan.element_type == ElementType::float32
                            ? test::floats(node_ranks, node_ranks * chunk_values)
                            : test::codes(node_ranks, node_ranks * chunk_values, 8, 1);
    const auto run = machine.run(plan, *codec, values, work.issue, start);
    test::expect_same(run);
    return run.outcome.duration();
}

/// A switch or cables between: all steps of a round take as long as each other, so that what one of them takes more
/// counts in full.
class EqualSteps : public ::testing::TestWithParam<TopologyKind> {
protected:
    /// How much longer it takes if one rank is as `other`.
    Time more_with(const NodeParams& other, const CodedRun& work = {}) const {
        const MachineSpec before = plain(GetParam());
        MachineSpec after = before;
        after.nodes = Nodes(node_ranks, before.node);
        after.nodes[odd] = other;
        Machine equal(before, "equal"), different(after, "different");
        return duration(different, after, work) - duration(equal, before, {work.codec, work.issue});
    }
    NodeParams node = plain(GetParam()).node;
};

TEST_P(EqualSteps, WaitsForARankThatStartsLate) {   // which its neighbour needs in the first round
    EXPECT_EQ(more_with(node, {.late = 5_us}), 5_us);
}

TEST_P(EqualSteps, PassesASlowNicOnceInEachRoundOfLockStep) {
    node.nic.latency = 60_ns;   // 50 more to send or to receive, and nobody does both for one message
    EXPECT_EQ(more_with(node), rounds * 50_ns);
}

TEST_P(EqualSteps, PassesASlowNicFourTimesIfStepsOnlyWaitForTheirData) {
    // The chain of steps that begins at its predecessor: received at hops 1 and 9 of 14, sent on at 2 and 10.
    node.nic.latency = 60_ns;
    EXPECT_EQ(more_with(node, {.issue = Issue::dependency}), 4 * 50_ns);
}

TEST_P(EqualSteps, ReadsFirstAndWritesLastThroughASlowDma) {
    // 4 bytes a value at 1 ns, then at 1.25 ns; what is read to be added comes while the message is on its way.
    node.gpu.dma_bandwidth = Bandwidth{25'600};
    node.gpu.dma_latency = 90_ns;
    EXPECT_EQ(more_with(node), 2 * (chunk_values * 250_ps + 20_ns));
}

TEST_P(EqualSteps, AddsLongerInEachRoundThatAdds) {
    node.nic.adders = 16;   // 64 values in 4 cycles of 1 ns instead of 1
    EXPECT_EQ(more_with(node), (node_ranks - 1) * (chunk_values / 64 * 3_ns));
}

constexpr Time encoding = 64 * 2_ns, decoding = 64 * 3_ns;   // a lane has 64 values of a chunk, in 4 blocks

TEST_P(EqualSteps, EncodesLongerInEachRoundThatAddsAndOnceForItsFinalSum) {
    // In the first round the engine waits for DMA, which takes longer: only the last block counts.
    node.engine.encode_interval = 3;
    EXPECT_EQ(more_with(node, {.codec = FixedPointParams{}}), 16 * 2_ns + (node_ranks - 1) * encoding);
}

TEST_P(EqualSteps, DecodesLongerInEachRoundThatAddsAndForTheLastResult) {
    // Of the last result DMA waits for the first block only.
    node.engine.decode_interval = 4;
    EXPECT_EQ(more_with(node, {.codec = FixedPointParams{}}), (node_ranks - 1) * decoding + 16 * 3_ns);
}

TEST_P(EqualSteps, EncodesAndDecodesAtOnceInARound) {   // messages of two others: the slower of both counts
    node.engine.encode_interval = 3;
    node.engine.decode_interval = 4;
    EXPECT_EQ(more_with(node, {.codec = FixedPointParams{}}), (node_ranks - 1) * decoding + encoding + 16 * 3_ns);
}

INSTANTIATE_TEST_SUITE_P(Kind, EqualSteps,
                         ::testing::Values(TopologyKind(StarParams{}), TopologyKind(CableRingParams{})),
                         [](const auto& kind) { return std::string(kind.param.name()); });

/// Nodes all of which differ. Their memory is always faster than the wire, so that no writes queue up.
MachineSpec of_many_kinds(const TopologyKind& topology, std::uint64_t seed) {
    test::Draws draw(seed);
    MachineSpec spec = plain(topology);
    for (std::uint32_t rank = 0; rank < node_ranks; ++rank) {
        NodeParams node = spec.node;
        node.gpu = {{draw.between(200'000, 600'000)}, draw.up_to(1_us)};
        node.nic = {draw.up_to(200_ns), draw.number(1, 64), picosecond_clock};
        spec.nodes.push_back(node);
    }
    return spec;
}

class DifferentNodes : public ::testing::TestWithParam<TopologyKind> {};

TEST_P(DifferentNodes, TakeTheClosedFormsTimeInLockStepToThePicosecond) {
    std::vector<MachineSpec> specs;
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        specs.push_back(of_many_kinds(GetParam(), seed));
        machines.push_back(std::make_unique<Machine>(specs.back(), "machine" + std::to_string(seed)));
    }
    const Plan plan = test::fp32_plan(node_ranks);
    ASSERT_FALSE(shares_links(plan.schedule, machines[0]->routes(), Issue::lock_step));
    const auto codec = make_codec(Fp32Params{}, specs[0].node.engine.framing());
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const auto run = machines[i]->run(plan, *codec, test::floats(node_ranks, node_ranks * chunk_values));
        EXPECT_EQ(run.outcome.duration(), machines[i]->closed_form_of(plan, *codec, run.reference, Issue::lock_step))
            << "seed " << i;
    }
}

/// All but the graph, on whose links the ring's flows meet: there is no closed form.
std::vector<TopologyKind> topologies_without_shared_links() {
    std::vector<TopologyKind> kinds = all_topologies();
    std::erase_if(kinds, [](const TopologyKind& kind) { return kind.name() == "graph"; });
    return kinds;
}

INSTANTIATE_TEST_SUITE_P(On, DifferentNodes, ::testing::ValuesIn(topologies_without_shared_links()),
                         [](const auto& kind) { return std::string(kind.param.name()); });

}   // namespace
}   // namespace oscar::nodes_test

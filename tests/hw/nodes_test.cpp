// A node that differs: how much later an AllReduce ends, by hand, whatever network is between. And the closed form of
// machines all of whose nodes differ.
#include <gmock/gmock.h>

#include "models/engine/link_sharing.hpp"
#include "tests/hw/support.hpp"
#include "tests/net/support.hpp"

namespace oscar {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t ranks = 8, rounds = 2 * (ranks - 1), odd = 3;   // `odd`: the rank that differs
constexpr std::uint32_t chunk_values = 1024;
constexpr Frequency edge_each_picosecond{1'000'000'000};

/// A byte takes 1 ns, a cable 100 ns, a switch 30 ns, a value 1 ns by DMA: all edges of a clock of 1 GHz.
MachineSpec plain(const TopologyKind& topology) {
    MachineSpec spec;
    spec.ranks = ranks;
    spec.topology = topology;
    spec.network.link = {8_Gbps, 100_ns, 64_KiB};
    spec.network.router.latency = 30_ns;
    spec.network.virtual_channels = 2;
    spec.node.gpu = {32_Gbps, 70_ns};
    spec.node.nic = {.latency = 10_ns, .adders = 64, .clock = 1_GHz};
    spec.node.engine.lanes = 16;
    return spec;
}

std::vector<TopologyKind> all_topologies() {
    std::vector<TopologyKind> kinds;
    for_each_kind(topologies, [&]<class P>(const Kind<P>&) { kinds.emplace_back(test::sample<P>(ranks)); });
    return kinds;
}

struct Work {
    CodecChoice codec = Fp32Params{};
    Issue issue = Issue::lock_step;
    Time late = {};   ///< of the odd rank
};

Time duration(Machine& machine, const MachineSpec& spec, const Work& work) {
    const auto codec = make_codec(work.codec, spec.node.engine.framing());
    const Plan plan =
        std::holds_alternative<Fp32Params>(work.codec.params) ? test::fp32_plan(ranks) : test::int8_plan(ranks);
    std::vector<Time> start(ranks);
    start[odd] = work.late;
    const auto values = plan.number == Number::float32 ? test::floats(ranks, ranks * chunk_values)
                                                       : test::codes(ranks, ranks * chunk_values, 8, 1);
    const auto run = machine.run(plan, *codec, values, work.issue, start);
    test::expect_same(run);
    return run.outcome.duration();
}

class EveryTopology : public testing::TestWithParam<TopologyKind> {
protected:
    /// How much longer it takes if one rank is as `node`.
    Time more_with(const NodeParams& other, const Work& work = {}) const {
        const MachineSpec before = plain(GetParam());
        MachineSpec after = before;
        after.nodes = Nodes(ranks, before.node);
        after.nodes[odd] = other;
        Machine equal(before, "equal"), different(after, "different");
        const Time more = duration(different, after, work) - duration(equal, before, {work.codec, work.issue});
        shared_ = shares_links(make_schedule(RingParams{}, ranks), equal.routes(), work.issue);
        return more;
    }
    /// Where messages meet, a later one may find a link free that would have been busy.
    void expect_more(Time expected, const NodeParams& other, const Work& work = {}) const {
        const Time more = more_with(other, work);
        if (!shared_) {
            EXPECT_EQ(more, expected);
        }
    }
    NodeParams node = plain(GetParam()).node;

private:
    mutable bool shared_ = false;
};

TEST_P(EveryTopology, WaitsForARankThatStartsLate) {   // which its neighbour needs in the first round
    expect_more(5_us, node, {.late = 5_us});
}

TEST_P(EveryTopology, PassesASlowNicOnceInEachRoundOfLockStep) {
    node.nic.latency = 60_ns;   // 50 more to send or to receive, and nobody does both for one message
    expect_more(rounds * 50_ns, node);
}

TEST_P(EveryTopology, PassesASlowNicFourTimesIfStepsOnlyWaitForTheirData) {
    // The chain of steps that begins at its predecessor: received at hops 1 and 9 of 14, sent on at 2 and 10.
    node.nic.latency = 60_ns;
    expect_more(4 * 50_ns, node, {.issue = Issue::dependency});
}

TEST_P(EveryTopology, ReadsFirstAndWritesLastThroughASlowDma) {
    // 4 bytes a value at 1 ns, then at 1.25 ns; what is read to be added comes while the message is on its way.
    node.gpu.dma_bandwidth = Bandwidth{25'600};
    node.gpu.dma_latency = 90_ns;
    expect_more(2 * (chunk_values * 250_ps + 20_ns), node);
}

TEST_P(EveryTopology, AddsLongerInEachRoundThatAdds) {
    node.nic.adders = 16;   // 64 values in 4 cycles of 1 ns instead of 1
    expect_more((ranks - 1) * (chunk_values / 64 * 3_ns), node);
}

TEST_P(EveryTopology, EncodesLongerOncePerRoundThatAddsAndOnceForItsFinalSum) {
    // A lane has 64 values of a chunk, each in 1 cycle of 1 ns, then in 3.
    node.engine.encode_interval = 3;
    expect_more(ranks * (chunk_values / 16 * 2_ns), node, {.codec = WidenedParams{}});
}

TEST_P(EveryTopology, DecodesLongerOncePerRoundThatAddsAndForTheLastResult) {
    node.engine.decode_interval = 4;
    expect_more(ranks * (chunk_values / 16 * 3_ns), node, {.codec = WidenedParams{}});
}

TEST_P(EveryTopology, EncodesAndDecodesAtOnceInARound) {   // messages of two others: the slower of both counts
    node.engine.encode_interval = 3;
    node.engine.decode_interval = 4;
    const Time encode = chunk_values / 16 * 2_ns, decode = chunk_values / 16 * 3_ns;
    expect_more((ranks - 1) * decode + encode + decode, node, {.codec = WidenedParams{}});
}

INSTANTIATE_TEST_SUITE_P(Kind, EveryTopology, testing::ValuesIn(all_topologies()),
                         [](const auto& kind) { return std::string(kind.param.name()); });

TEST(SlowNode, HasTopologiesOnWhichItIsTold) {
    int told = 0;
    for (const TopologyKind& kind : all_topologies()) {
        const Topology topology = make_topology(kind, ranks, {});
        told += shares_links(make_schedule(RingParams{}, ranks), Routes(topology, {}), Issue::dependency) ? 0 : 1;
    }
    EXPECT_GE(told, 4);
}

class DifferentNodes : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DifferentNodes, TakeTheClosedFormsTimeInLockStepToThePicosecond) {
    test::Draws draw(GetParam());
    MachineSpec spec = plain(StarParams{});
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        NodeParams node = spec.node;   // memory always faster than the wire, so that no writes queue up
        node.gpu = {{draw.between(20'000, 600'000)}, draw.up_to(1_us)};
        node.nic = {draw.up_to(200_ns), draw.number(1, 64), edge_each_picosecond};
        spec.nodes.push_back(node);
    }
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, spec.node.engine.framing());
    const Plan plan = test::fp32_plan(ranks);
    const auto run = machine.run(plan, *codec, test::floats(ranks, ranks * chunk_values));
    const Time form = machine.closed_form_of(plan, *codec, run.reference, Issue::lock_step);
    EXPECT_EQ(run.outcome.duration(), form);
}

INSTANTIATE_TEST_SUITE_P(Seed, DifferentNodes, testing::Range<std::uint64_t>(0, 20));

}   // namespace
}   // namespace oscar

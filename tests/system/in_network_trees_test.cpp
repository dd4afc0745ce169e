// Trees of switches, of which some add: what comes down is copied, and a free slot is told of upstream.
#include <gtest/gtest.h>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/system/in_network.hpp"

namespace oscar::in_network_trees_test {
namespace {

using test::chunks;
using test::Machine;
using test::MachineSpec;
using test::ReadableStar;

/// Four ranks at two leaves under a spine: what comes down to a leaf leaves it as it came, at once.
TEST(InNetworkOnLeaves, CopiesTheCodedSumToItsChildrenWhenAllOfItHasCome) {
    MachineSpec spec;
    spec.topology = LeafSpineParams{.hosts = 2, .spines = 1};
    Machine machine(spec);
    const Plan plan(schedule_on(chunks(2), machine.topology()), ElementType::integer, 8);
    ASSERT_EQ(plan.schedule.aggregators, 3u);
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(4, 1000, 8, 3), Issue::dependency);
    std::uint32_t copied = 0;
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        if (step.op != Op::copy || step.to.value >= 4) continue;
        const StepId from = plan.schedule.after(StepId{i}).front();
        EXPECT_EQ(run.outcome.steps[i].issued, run.outcome.steps[from.value].arrived);
        const Bytes wire = Bytes{run.outcome.records[i].bytes} + spec.network.header;
        EXPECT_EQ(run.outcome.steps[i].sent,
                  run.outcome.steps[i].issued + serialization(wire, spec.network.link.bandwidth));
        EXPECT_EQ(run.outcome.records[i], run.outcome.records[from.value]);
        ++copied;
    }
    EXPECT_EQ(copied, 8u);
}

TEST(InNetworkOnLeaves, TakesTheTimeThatItTakesWithoutValues) {
    MachineSpec spec;
    spec.ranks = 7;
    spec.topology = LeafSpineParams{.hosts = 3, .spines = 1};
    spec.network.switches.aggregator.slots = 2;
    Machine machine(spec);
    const Plan plan(schedule_on(chunks(50), machine.topology()), ElementType::integer, 8);
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(7, 3000, 8, 3), Issue::dependency);
    SyntheticMessageSource raw(plan, *codec, run.timed[0].values().layout());
    EXPECT_EQ(machine.system().run({plan, raw, Issue::dependency, {}}).finish, run.outcome.finish);
}

/// Rank 2 stands behind a switch that adds nothing. From the first bit of its chunk until it knows that its only slot
/// is free: a flit of 64 B, 64 ns, and a cable of 100 ns to that switch, its latency of 36; 320 ns with the header on
/// the link, 100 to the switch that adds, its latency, 20 to add, 320 for the sum to leave; 100 back, 36 and 100,
/// without a bit on a wire.
TEST(InNetworkOnAGraph, TellsOfAFreeSlotThroughSwitchesThatAddNothingInTheirLatenciesAlone) {
    ReadableStar graph(3, 1, 36_ns);
    graph.spec.network.header = 64_B;
    GraphParams& tree = graph.spec.topology.params.emplace<GraphParams>();
    tree.switches = 2;
    for (const auto& [from, to] : {std::pair("rank0", "switch0"), std::pair("rank1", "switch0"),
                                   std::pair("rank2", "switch1"), std::pair("switch1", "switch0")}) {
        GraphEdge& edge = tree.edges.emplace_back();
        edge.from = from;
        edge.to = to;
    }
    Machine machine(graph.spec);
    const std::uint32_t count = 5;
    const Outcome outcome = graph.run(machine, count);
    const Plan plan = graph.plan(count);
    std::vector<Time> sent;
    for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.schedule.steps[i].from == Rank{2}) sent.push_back(outcome.steps[i].sent);
    ASSERT_EQ(sent.size(), count);
    for (std::size_t i = 1; i < count; ++i) EXPECT_EQ(sent[i] - sent[i - 1], 1232_ns) << i;
}

}   // namespace
}   // namespace oscar::in_network_trees_test

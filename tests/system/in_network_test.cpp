// Collectives in which switches add: on every topology with switches the sums and bytes of the reference, at every
// fidelity.
#include <gtest/gtest.h>

#include "models/collective/schedule/find_problem.hpp"
#include "tests/system/in_network.hpp"

namespace oscar::in_network_test {
namespace {

using test::chunks;
using test::Machine;
using test::MachineSpec;

/// A spine of switch 6 over leaves 0 to 5, where leaf 5 has no rank and leaf 4 one: neither of them adds.
GraphParams uneven_leaves(std::uint32_t ranks) {
    GraphParams graph;
    graph.switches = 7;
    const auto cable = [&](const std::string& from, const std::string& to) {
        GraphEdge edge;
        edge.from = from;
        edge.to = to;
        graph.edges.push_back(edge);
    };
    for (std::uint32_t r = 0; r < ranks; ++r)
        cable("rank" + std::to_string(r), "switch" + std::to_string(r == 0 ? 4 : r % 4));
    for (int leaf = 0; leaf < 6; ++leaf) cable("switch" + std::to_string(leaf), "switch6");
    return graph;
}

std::vector<TopologyKind> topologies_for(std::uint32_t ranks) {
    return {StarParams{},
            FatTreeParams{},
            FatTreeParams{.levels = 2},
            LeafSpineParams{},
            IslandsParams{.island = 4},
            IslandsParams{.island = 2, .rails = false},
            uneven_leaves(ranks)};
}

TEST(InNetwork, IsAnAllReduceFrom2To33RanksOnEveryTopologyWithSwitches) {
    for (std::uint32_t ranks = 2; ranks <= 33; ++ranks)
        for (const TopologyKind& kind : topologies_for(ranks)) {
            const Schedule schedule = schedule_on(chunks(3), make_topology(kind, ranks, {}));
            EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt) << kind.name() << ranks;
            EXPECT_EQ(schedule.steps.size(), 2u * (schedule.participants() - 1) * 3);
        }
}

struct Case {
    std::uint32_t ranks, topology;
};
class InNetworkOn : public ::testing::TestWithParam<Case> {};

/// Buffers of two packets and few slots, so that both hold senders back.
TEST_P(InNetworkOn, ATopologySumsAsTheReferenceAtTheSameTimesAtEveryFidelity) {
    MachineSpec spec;
    spec.ranks = GetParam().ranks;
    spec.topology = topologies_for(spec.ranks)[GetParam().topology];
    spec.network.packet = 300_B;
    spec.network.link = {100_Gbps, 120_ns, 800_B};
    spec.network.switches.aggregator = {.adders = 7, .latency = 5, .slots = 3, .clock = 900_MHz};
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    for (const CodecChoice& choice :
         {CodecChoice(AscParams{}), CodecChoice(FixedPointParams{}), CodecChoice(Fp32Params{})}) {
        SCOPED_TRACE(std::string(choice.name()));
        const bool floats = std::holds_alternative<Fp32Params>(choice.params);
        const Plan plan(schedule_on(chunks(9), machines.front()->topology()),
                        floats ? ElementType::float32 : ElementType::integer, floats ? 32 : 8);
        const auto values = floats ? test::floats(spec.ranks, 2900) : test::codes(spec.ranks, 2900, 8, 1);
        const auto codec = make_codec(choice, spec.node.engine.framing());
        std::optional<Outcome> first;
        for (const auto& machine : machines) {
            const auto run = machine->run(plan, *codec, values, Issue::dependency);
            test::expect_same(run);
            EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
            EXPECT_EQ(floats || std::ranges::equal(run.timed[0].values().all(), exact_sum(values)), true);
            if (!first) first = run.outcome;
            EXPECT_EQ(run.outcome.finish, first->finish);
            for (std::size_t i = 0; i < run.outcome.steps.size(); ++i) {
                const StepTimes &x = run.outcome.steps[i], &y = first->steps[i];
                ASSERT_EQ(std::tie(x.issued, x.sent, x.arrived, x.ready, x.path),
                          std::tie(y.issued, y.sent, y.arrived, y.ready, y.path))
                    << "step " << i;
            }
        }
    }
}

std::vector<Case> cases() {
    std::vector<Case> result;
    for (std::uint32_t topology = 0; topology < topologies_for(2).size(); ++topology)
        for (const std::uint32_t ranks : {2u, 5u, 9u}) result.push_back({ranks, topology});
    return result;
}
INSTANTIATE_TEST_SUITE_P(Of, InNetworkOn, ::testing::ValuesIn(cases()));

TEST(InNetwork, RefusesAScheduleForOtherSwitches) {
    MachineSpec spec;
    spec.topology = LeafSpineParams{.hosts = 2, .spines = 1};
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 4), ElementType::integer, 8);   // of a star
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    std::string error = "none";
    try {
        machine.run(plan, *codec, test::codes(4, 100, 8, 1), Issue::dependency);
    } catch (const std::invalid_argument& refused) {
        error = refused.what();
    }
    EXPECT_EQ(error, "the schedule has 1 aggregators, and the topology 3; make it with schedule_on()");
}

}   // namespace
}   // namespace oscar::in_network_test

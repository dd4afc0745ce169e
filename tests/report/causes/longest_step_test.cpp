// The longest step of three, by hand, and the link that it waits for.
#include "sim/report/causes/longest_step.hpp"

#include <gmock/gmock.h>

#include "models/network/topology/kinds/topologies.hpp"
#include "tests/report/causes/collective.hpp"

namespace oscar::longest_step_test {
namespace {

using namespace literals;
using test::Collective;

/// Two ranks at a switch: edges rank0->switch0, switch0->rank0, rank1->switch0, switch0->rank1.
struct OnAStar : Collective {
    Topology topology = make_topology(TopologyKind{StarParams{}}, 2, LinkParams{});
    Routes routes{topology, RoutingParams{}};
    Plan plan{schedule, ElementType::integer, 8, Operation::all_reduce};
    OnAStar() {
        outcome.links.clear();
        for (const EdgeId edge : topology.edges.indices())
            outcome.links.push_back({topology.edge_name(edge), {}, 0, 0, 0});
    }
    EdgeId edge(const std::string& name) const {
        for (const EdgeId e : topology.edges.indices())
            if (topology.edge_name(e) == name) return e;
        throw std::out_of_range(name);
    }
    LongestStep longest(std::uint32_t slices = 1) const { return longest_step(outcome, plan, slices, routes).value(); }
};

/// Steps of 10 and 11 us: see critical_steps_test.
TEST(LongestStep, IsNamedByItsEndsSliceAndTimestep) {
    const LongestStep step = OnAStar().longest();
    EXPECT_EQ(step.from + step.to, "rank1rank0");
    EXPECT_EQ(step.slice, 0u);
    EXPECT_EQ(step.timestep, 1u);
    EXPECT_EQ(step.begin_ps, 10'000'000);
    EXPECT_EQ(step.time_ps, 11'000'000);
    EXPECT_EQ(step.cause, "link");
    EXPECT_EQ(step.sentence, "rank1->rank0 (slice 0, timestep 1) takes longest, 11.0 us");
}

TEST(LongestStep, HasTheSliceOfItsChunk) {
    OnAStar c;
    c.plan.schedule.steps[2].chunk = ChunkId{1};   // of two
    EXPECT_EQ(c.longest(2).slice, 1u);
    EXPECT_EQ(c.longest(1).slice, 0u);
}

TEST(LongestStep, WaitsForTheBusiestLinkOfItsRoute) {
    OnAStar c;
    c.outcome.links[c.edge("rank1->switch0")].busy = {{10_us, 12_us}};
    c.outcome.links[c.edge("switch0->rank0")].busy = {{0_us, 15_us}, {16_us, 30_us}};   // 10 of 11 us
    c.outcome.links[c.edge("rank0->switch0")].busy = {{0_us, 30_us}};                   // not on its route
    const LongestStep step = c.longest();
    EXPECT_EQ(step.link, "switch0->rank0");
    EXPECT_DOUBLE_EQ(step.link_busy, 10. / 11);
    EXPECT_EQ(step.link_connections, 1u);
    EXPECT_THAT(step.sentence,
                testing::EndsWith(": its way leads over switch0->rank0, which is busy for 91 % of that time"));
}

TEST(LongestStep, CountsTheConnectionsThatShareTheLink) {
    OnAStar c;
    c.topology = make_topology(TopologyKind{StarParams{}}, 3, LinkParams{});
    c.routes = Routes(c.topology, RoutingParams{});
    c.outcome.links.clear();
    for (const EdgeId edge : c.topology.edges.indices())
        c.outcome.links.push_back({c.topology.edge_name(edge), {{0_us, 30_us}}, 0, 0, 0});
    c.plan.schedule.ranks = 3;
    c.plan.schedule.steps[1].from = Rank{2};   // 2->0 beside 1->0
    c.outcome.ranks.resize(3);
    c.outcome.links[c.edge("rank1->switch0")].busy.clear();
    const LongestStep step = c.longest();
    EXPECT_EQ(step.link, "switch0->rank0");
    EXPECT_EQ(step.link_connections, 2u);
    EXPECT_THAT(step.sentence, testing::EndsWith("for 100 % of that time and which 2 connections share"));
}

TEST(LongestStep, NamesNoLinkThatIsIdleMostOfTheTime) {
    OnAStar c;
    c.outcome.links[c.edge("switch0->rank0")].busy = {{10_us, 15_us}};
    EXPECT_EQ(c.longest().link, "switch0->rank0");
    EXPECT_THAT(c.longest().sentence, testing::Not(testing::HasSubstr("way")));
}

TEST(LongestStep, OfFoldedRanksIsNoneForAllAreAlike) {
    OnAStar c;
    c.plan.turns = {{0, 0}, {0, 0}, {3, 1}};
    EXPECT_FALSE(longest_step(c.outcome, c.plan, 1, c.routes));
}

TEST(LongestStep, OfNoStepsIsNone) {
    const OnAStar c;
    EXPECT_FALSE(longest_step({}, c.plan, 1, c.routes));
}

}   // namespace
}   // namespace oscar::longest_step_test

#include "models/collective/algorithms/all_reduce/in_network.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "models/collective/endpoint/plan.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::in_network_test {
namespace {

/// Ranks 0 to 4; aggregator 5 is the root over aggregators 6 (ranks 0 and 1) and 7 (ranks 2 and 3), and over rank 4.
const std::vector<Rank> tree{{6}, {6}, {7}, {7}, {5}, {5}, {5}, {5}};

InNetworkParams chunks(std::uint32_t slices) {
    InNetworkParams params;
    params.slices = slices;
    return params;
}

TEST(InNetworkSchedule, SendsEachChunkOnceUpAndOnceDownEachLinkOfTheTree) {
    const Schedule schedule = make_schedule(chunks(2), 5, tree);
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
    EXPECT_EQ(schedule.aggregators, 3u);
    ASSERT_EQ(schedule.steps.size(), 2u * 7 * 2);
    for (std::uint32_t child = 0; child < tree.size(); ++child)
        for (const std::uint32_t chunk : {0u, 1u}) {
            if (child == 5) continue;
            const auto sends = [&](Rank from, Rank to, Op op) {
                return std::ranges::count_if(schedule.steps, [&](const Step& s) {
                    return s.from == from && s.to == to && s.op == op && s.chunk.value == chunk;
                });
            };
            EXPECT_EQ(sends(Rank{child}, tree[child], Op::reduce), 1) << child;
            EXPECT_EQ(sends(tree[child], Rank{child}, Op::copy), 1) << child;
        }
}

/// All chunks of a link in one timestep, so that they share its table: ranks, then aggregators, then down.
TEST(InNetworkSchedule, HasATimestepForEachHeightAndEachDepth) {
    const Schedule schedule = make_schedule(chunks(3), 5, tree);
    EXPECT_EQ(schedule.timesteps(), 2u + 2);
    for (const Step& step : schedule.steps) {
        const std::uint32_t expected =
            step.op == Op::reduce ? (step.from.value < 5 ? 0 : 1) : (step.from == Rank{5} ? 2 : 3);
        EXPECT_EQ(step.timestep.value, expected);
    }
}

TEST(InNetworkSchedule, CarriesSumsOfTheRanksBelowAndOfAll) {
    const Plan plan(make_schedule(chunks(1), 5, tree), ElementType::integer, 8);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        EXPECT_EQ(plan.addends(StepId{i}), step.op == Op::copy ? 5u : step.from.value < 5 ? 1u : 2u);
    }
}

TEST(InNetworkSchedule, IsIssuedByDependenciesUnlessToldOtherwise) {
    EXPECT_EQ(InNetworkParams{}.issue, Issue::dependency);
}

/// An aggregator that nobody has sent to has nothing to hand on.
TEST(FindAllReduceProblem, KnowsThatAggregatorsContributeNothing) {
    Schedule schedule = make_schedule(chunks(1), 2);
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
    std::erase_if(schedule.steps, [](const Step& step) { return step.from == Rank{1} && step.op == Op::reduce; });
    for (Step& step : schedule.steps) step.after = {};
    EXPECT_NE(find_problem(Operation::all_reduce, schedule), std::nullopt);
}

}   // namespace
}   // namespace oscar::in_network_test

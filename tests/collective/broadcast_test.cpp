#include "models/collective/algorithms/rooted/broadcast.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "models/collective/algorithms/step_count.hpp"
#include "models/collective/schedule/find_problem.hpp"
#include "tests/collective/support.hpp"

namespace oscar::broadcast_test {
namespace {

TEST(TreeBroadcast, BringsTheWordsOfRank0ToEveryRankOnceInAsFewTimestepsAsDoublingNeeds) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    for (std::uint32_t ranks = 2; ranks <= 17; ++ranks) {
        SCOPED_TRACE(ranks);
        const Plan plan(make_tree_broadcast(ranks), ElementType::float32, 32);
        EXPECT_EQ(plan.schedule.steps.size(), ranks - 1);
        EXPECT_EQ(plan.schedule.timesteps(), static_cast<std::uint32_t>(std::bit_width(ranks - 1)));
        const std::vector<Symbol> words{7, -1, 1 << 30};
        const ChunkLayout whole = make_layout(EqualParams{}, 3, {}, {});
        std::vector<RankState> rank_states = test::make_endpoints(plan, *codec);
        for (std::uint32_t r = 0; r < ranks; ++r)
            rank_states[r].begin(r == 0 ? words : std::vector<Symbol>(3), whole, 0);
        run_reference(plan.schedule, rank_states);
        for (const RankState& rank_state : rank_states)
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), words));
    }
}

TEST(TreeBroadcast, LetsARankSendOnlyAfterItHasReceived) {
    const Schedule schedule = make_tree_broadcast(7);
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        ASSERT_EQ(schedule.after(StepId{i}).size(), step.from.value == 0 ? 0u : 1u);
        for (const StepId before : schedule.after(StepId{i})) {
            EXPECT_EQ(schedule.steps[before.value].to, step.from);
            EXPECT_LT(schedule.steps[before.value].timestep, step.timestep);
        }
    }
}

BroadcastFromRootParams by_islands(std::uint32_t island, std::uint32_t slices) {
    BroadcastFromRootParams params;
    params.shape = BroadcastShape::hierarchical;
    params.island = island;
    params.slices = slices;
    return params;
}

TEST(HierarchicalBroadcast, BringsEverythingToEveryRankOnceInTheTimestepsOfATreeOfIslandsAndTwo) {
    for (const std::uint32_t island : {1u, 2u, 4u, 8u})
        for (const std::uint32_t islands : {1u, 2u, 3u, 5u, 8u})
            for (const std::uint32_t slices : {1u, 3u}) {
                if (island * islands < 2) continue;
                SCOPED_TRACE(std::to_string(islands) + " islands of " + std::to_string(island));
                const Schedule schedule = make_schedule(by_islands(island, slices), island * islands);
                EXPECT_EQ(find_problem(Operation::broadcast, schedule), std::nullopt);
                EXPECT_EQ(schedule.steps.size(), std::size_t{island * islands - 1} * island * slices);
                EXPECT_EQ(schedule.steps.size(), count_steps(by_islands(island, slices), island * islands));
                if (island > 1) {
                    EXPECT_EQ(schedule.timesteps(), 1u + std::bit_width(islands - 1) + 1 + slices - 1);
                }
            }
}

/// By the binomial tree of all ranks one NIC sends the whole bucket to half of the nodes.
TEST(HierarchicalBroadcast, SendsAPartOfTheBucketByEachNicOfANodeOnItsRail) {
    const Schedule schedule = make_schedule(Collective{BroadcastFromRootParams{}}, 16, 4);
    std::map<std::uint32_t, std::uint32_t> chunks;   // that a rank sends to other islands
    for (const Step& step : schedule.steps) {
        if (step.from.value / 4 == step.to.value / 4) continue;
        EXPECT_EQ(step.from.value % 4, step.to.value % 4);
        ++chunks[step.from.value];
    }
    EXPECT_EQ(schedule.chunks, 4u);
    for (std::uint32_t r = 0; r < 4; ++r) EXPECT_EQ(chunks[r], 2u) << "of four islands' tree, rank " << r;
}

TEST(HierarchicalBroadcast, IsTheShapeWhereRanksAreOnSeveralIslands) {
    const auto shape = [](std::uint32_t ranks, std::uint32_t island) {
        return on_islands(BroadcastFromRootParams{}, ranks, island).shape;
    };
    EXPECT_EQ(shape(16, 8), BroadcastShape::hierarchical);
    EXPECT_EQ(shape(8, 8), BroadcastShape::binomial);
    EXPECT_EQ(shape(16, 1), BroadcastShape::binomial);
    EXPECT_EQ(shape(15, 8), BroadcastShape::binomial);
}

}   // namespace
}   // namespace oscar::broadcast_test

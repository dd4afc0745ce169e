#include "models/collective/algorithms/broadcast.hpp"

#include <gtest/gtest.h>

#include <bit>

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

}   // namespace
}   // namespace oscar::broadcast_test

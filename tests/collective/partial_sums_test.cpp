#include "models/collective/endpoint/partial_sums.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "models/quantise/quantiser.hpp"
#include "tests/collective/support.hpp"

namespace oscar::partial_sums_test {
namespace {

using ::testing::ElementsAre;

TEST(PartialSums, OfAlignedGradientsShrinkInProportion) {
    // 3 of 8: factor floor(3/8 * 65536) = 24576 exactly. 100 -> 37.5 -> 38, half away from zero.
    EXPECT_THAT(partial_sums(std::vector<Symbol>{0, 100, -100, 8, 1, -1}, 3, 8, Scaling::linear),
                ElementsAre(0, 38, -38, 3, 0, 0));
}

TEST(PartialSums, OfIndependentGradientsShrinkByTheSquareRoot) {
    EXPECT_THAT(partial_sums(std::vector<Symbol>{100, -7, 1}, 2, 8, Scaling::sqrt), ElementsAre(50, -4, 1));
    for (std::uint32_t all = 1; all <= 64; ++all)
        for (std::uint32_t ranks = 1; ranks <= all; ++ranks) {
            const Symbol big = 1 << 20;
            const double expected = big * std::sqrt(static_cast<double>(ranks) / all);
            EXPECT_NEAR(partial_sums(std::vector<Symbol>{big}, ranks, all, Scaling::sqrt)[0], expected, 17);
        }   // 2^20 / 65536 from rounding the factor down, and 1
}

TEST(PartialSums, OfAllRanksAreTheSumsAndAlwaysFitTheWidthOfTheirStep) {
    for (const Scaling scaling : {Scaling::sqrt, Scaling::linear})
        for (const std::uint32_t all : {2u, 3u, 8u, 17u}) {
            const auto most = static_cast<Symbol>(all * 127);
            const std::vector<Symbol> sums{most, -most, 5, 0};
            EXPECT_EQ(partial_sums(sums, all, all, scaling), sums);
        }
}

/// A ring of 8 ranks after an iteration of `params`.
std::vector<RankState> after_one_iteration(const Plan& plan, const Codec& codec) {
    auto rank_states = test::make_endpoints(plan, codec);
    test::begin(rank_states, test::codes(8, 4000, 8, 1), plan);
    run_reference(plan.schedule, rank_states);
    for (RankState& rank_state : rank_states) rank_state.commit();
    return rank_states;
}

TEST(TableSources, RescaledGivesEveryRankTheSameTableForSumsOfAsManyRanks) {
    const Plan plan(make_schedule(RingParams{Issue::lock_step, 1}, 8), ElementType::integer, 8);
    AscParams params;
    params.table_source = StepSource::rescaled;
    const auto codec = make_codec(params, Framing{4, 512, 8});
    const auto rank_states = after_one_iteration(plan, *codec);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const std::uint32_t carried = plan.contributions[i].carried;
        Counts counts;
        codec->learn(partial_sums(rank_states[0].values().all(), carried, 8, Scaling::sqrt), widened_bits(8, carried),
                     counts);
        for (const RankState& rank_state : rank_states) {
            ASSERT_NE(rank_state.tables().of(StepId{i}), nullptr);
            EXPECT_EQ(*rank_state.tables().of(StepId{i}), codec->make_table(counts, widened_bits(8, carried)));
        }
    }
}

TEST(TableSources, ReducedHasOneTableForAllSteps) {
    const Plan plan(make_schedule(RingParams{Issue::lock_step, 1}, 8), ElementType::integer, 8);
    AscParams params;
    params.table_source = StepSource::global;
    const auto codec = make_codec(params, Framing{4, 512, 8});
    for (const RankState& rank_state : after_one_iteration(plan, *codec))
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
            EXPECT_EQ(rank_state.tables().of(StepId{i}), rank_state.tables().of_final_sums());
}

TEST(TableSources, PowersOfTwoShareATableAmongStepsOfOneLink) {
    const Plan plan(make_schedule(RingParams{Issue::lock_step, 1}, 8), ElementType::integer, 8);
    AscParams params;
    params.table_sharing = TableSharing::power_of_two;
    const auto codec = make_codec(params, Framing{4, 512, 8});
    const auto rank_states = after_one_iteration(plan, *codec);
    std::vector<const Table*> of_link;   // from rank 0, for sums of 1 .. 7 ranks
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.schedule.steps[i].from.value == 0 && !plan.final_sum(StepId{i}))
            of_link.push_back(rank_states[0].tables().of(StepId{i}));
    ASSERT_EQ(of_link.size(), 7u);
    EXPECT_NE(of_link[0], of_link[1]);
    EXPECT_NE(of_link[1], of_link[2]);
    EXPECT_EQ(of_link[2], of_link[3]);   // 3 and 4 ranks
    EXPECT_NE(of_link[3], of_link[4]);
    EXPECT_EQ(of_link[4], of_link[6]);   // 5 and 7
}

}   // namespace
}   // namespace oscar::partial_sums_test

#include "models/partition/chunk_planner.hpp"

#include <gmock/gmock.h>

#include <random>

namespace oscar {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Costs = std::vector<std::uint32_t>;

PredictedParams exactly() {
    PredictedParams params;
    params.granularity = 1;
    return params;
}

std::vector<std::uint32_t> sizes(const ChunkLayout& layout) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t c = 0; c < layout.chunks(); ++c) result.push_back(layout.size(ChunkId{c}));
    return result;
}

// Eight elements in two chunks. Where the first two are dear, they are a chunk; equal chunks are four and four.
const Costs dear_front{30, 30, 10, 10, 10, 10, 10, 10}, dear_back{10, 10, 10, 10, 10, 10, 30, 30};

TEST(ChunkPlanner, CutsEquallyWithoutHistoryAndBySharesOfCostWithIt) {
    ChunkPlanner planner(exactly(), 8, {2, 1});
    EXPECT_THAT(sizes(planner.next({})), ElementsAre(4, 4));
    EXPECT_THAT(planner.expected(), IsEmpty());
    EXPECT_THAT(sizes(planner.next(dear_front)), ElementsAre(2, 6));
    EXPECT_THAT(planner.expected(), ElementsAre(60, 60));
}

TEST(ChunkPlanner, FallsBackForOneIterationAfterAPredictionThatDidWorseThanEqual) {
    ChunkPlanner planner(exactly(), 8, {2, 1});
    planner.next(dear_front);
    // Under the costs that came, {2, 6} has 20 and 100; equal chunks 40 and 80.
    EXPECT_THAT(sizes(planner.next(dear_back)), ElementsAre(4, 4));
    EXPECT_TRUE(planner.fell_back());
    EXPECT_THAT(planner.expected(), ElementsAre(40, 80));
    // What would have been predicted from dear_back, {6, 2}, was right this time.
    EXPECT_THAT(sizes(planner.next(dear_back)), ElementsAre(6, 2));
    EXPECT_FALSE(planner.fell_back());
}

TEST(ChunkPlanner, HasItsGateWhereThePredictionIsAsGoodAsEqual) {
    // {2, 6} of dear_front under these: 2 * a and 6 * 10; equal: 2 * a + 20 and 40.
    for (const std::uint32_t a : {19u, 20u}) {
        ChunkPlanner planner(exactly(), 8, {2, 1});
        planner.next(dear_front);
        planner.next(Costs{a, a, 10, 10, 10, 10, 10, 10});   // 60 against 58, then against 60
        EXPECT_EQ(planner.fell_back(), a == 19) << a;
    }
}

TEST(ChunkPlanner, GoesOnPredictingWhenToldSo) {
    PredictedParams params = exactly();
    params.fallback = false;
    ChunkPlanner planner(params, 8, {2, 1});
    planner.next(dear_front);
    EXPECT_THAT(sizes(planner.next(dear_back)), ElementsAre(6, 2));
}

TEST(ChunkPlanner, ForgetsItsPredictionAtAResetOrAGap) {
    for (const bool gap : {false, true}) {
        ChunkPlanner planner(exactly(), 8, {2, 1});
        planner.next(dear_front);
        if (gap) planner.next({});
        else planner.reset();
        EXPECT_THAT(sizes(planner.next(dear_back)), ElementsAre(6, 2));
        EXPECT_FALSE(planner.fell_back());
    }
}

TEST(ChunkPlanner, OfEveryKindCutsAlikeForAlikeHistoriesAndNeverFallsBackUnlessItPredicts) {
    for_each_kind(chunk_kinds, []<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        ChunkPlanner a(P{}, 5000, {7, 2}), b(P{}, 5000, {7, 2});
        std::mt19937_64 random(3);
        for (int t = 0; t < 20; ++t) {
            Costs costs(a.cost_source() != CostSource::none ? 5000 : 0);
            for (std::size_t i = 0; i < costs.size(); ++i)
                costs[i] = 100 + static_cast<std::uint32_t>(random() % (i / 1000 == random() % 5 ? 5000 : 50));
            EXPECT_EQ(a.next(costs), b.next(costs));
            EXPECT_EQ(a.fell_back(), b.fell_back());
            const bool of_the_past = a.cost_source() == CostSource::sums || a.cost_source() == CostSource::measured;
            EXPECT_TRUE(of_the_past || !a.fell_back());
        }
    });
}

TEST(ChunkPlanner, HasTheHistoryOfAnotherAfterTheSameCosts) {
    ChunkPlanner a(PredictedParams{}, 4000, {4, 1}), b = a;
    std::vector<std::uint32_t> rising(4000), falling(4000);
    for (std::uint32_t i = 0; i < 4000; ++i) {
        rising[i] = i;
        falling[i] = 4000 - i;
    }
    EXPECT_TRUE(a.has_history_of(b));
    a.next(rising);
    EXPECT_FALSE(a.has_history_of(b));
    b.next(falling);
    EXPECT_FALSE(a.has_history_of(b));
    b.next(rising);
    EXPECT_TRUE(a.has_history_of(b));
    EXPECT_EQ(a.next(falling), b.next(falling));
}

}   // namespace
}   // namespace oscar

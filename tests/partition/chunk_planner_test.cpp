#include "models/partition/chunk_planner.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "models/partition/cost_floor.hpp"

namespace oscar::chunk_planner_test {
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

/// Gradients of layers of different cost: runs of 500 elements at up to 2,048 / 256 bits.
Costs layers(std::uint32_t elements, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Costs costs(elements);
    std::uint32_t layer = 1;
    for (std::uint32_t i = 0; i < elements; ++i) {
        if (i % 500 == 0) layer = 1 + static_cast<std::uint32_t>(random() % 2048);
        costs[i] = static_cast<std::uint32_t>(random() % layer);
    }
    return costs;
}

PredictedParams balancing(Balance balance, std::uint32_t granularity = 64) {
    PredictedParams params;
    params.granularity = granularity;
    params.balance = balance;
    return params;
}

ChunkLayout layout_by(const ChunkKind& kind, const Costs& costs, std::uint32_t floor) {
    return ChunkPlanner(kind, static_cast<std::uint32_t>(costs.size()), {8, 3}, floor).next(costs);
}

TEST(TimeBalancedChunks, TakeNoLongerThanChunksOfEqualBitsOrOfEqualSizeButForARun) {
    constexpr std::uint32_t granularity = 64, most = 2048;   // of a value
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const std::uint32_t floor : {0u, 100u, 500u, 1000u, 2000u, 10'000u}) {
            SCOPED_TRACE(::testing::Message() << seed << ", floor " << floor);
            const Costs costs = layers(40'000, seed), times = with_floor(costs, granularity, floor);
            const auto longest = [&](const ChunkKind& kind) {
                return std::ranges::max(chunk_costs(layout_by(kind, costs, floor), times));
            };
            const std::uint64_t run = granularity * std::max(floor, most);
            const std::uint64_t timed = longest(balancing(Balance::time));
            EXPECT_LE(timed, longest(balancing(Balance::bits)) + run);
            EXPECT_LE(timed, longest(EqualParams{}) + run);
        }
}

TEST(TimeBalancedChunks, AreShorterThanBothWhereTheLinkLimitsSomeLayersAndTheDmaOthers) {
    Costs costs(9600, 100);   // the first 6,000 are cheap and pass the DMA in a time of 400
    std::fill(costs.begin() + 6000, costs.end(), 2000);
    const Costs times = with_floor(costs, 1, 400);   // 2,400,000 and 7,200,000: 6 and 18 of 24 chunks
    const auto longest = [&](const ChunkKind& kind) {
        return std::ranges::max(chunk_costs(layout_by(kind, costs, 400), times));
    };
    EXPECT_EQ(longest(balancing(Balance::time, 1)), 9'600'000u / 24);
    EXPECT_EQ(longest(balancing(Balance::bits, 1)), 400u * (7'800'000 / 24 / 100));   // the cheap values of one chunk
    EXPECT_EQ(longest(EqualParams{}), 400u * 2000);
}

TEST(TimeBalancedChunks, AreThoseOfEqualBitsWhereTheLinkLimitsEachRun) {
    Costs costs = layers(30'000, 4);
    for (std::uint32_t& cost : costs) cost += 300;
    EXPECT_EQ(layout_by(balancing(Balance::time), costs, 300), layout_by(balancing(Balance::bits), costs, 300));
    EXPECT_NE(layout_by(balancing(Balance::time), costs, 3000), layout_by(balancing(Balance::bits), costs, 3000));
}

TEST(TimeBalancedChunks, HaveEqualNumbersOfValuesWhereTheDmaLimitsEachRun) {
    const Costs costs = layers(24 * 640, 5);
    EXPECT_EQ(layout_by(balancing(Balance::time), costs, 5000), layout_by(EqualParams{}, costs, 0));
}

TEST(TimeBalancedChunks, AreWhatTheFloorIsForAndChunksOfEqualBitsKnowNoFloor) {
    const Costs costs = layers(20'000, 6);
    for (const ChunkKind& kind :
         {ChunkKind(balancing(Balance::bits)), ChunkKind(GreedyParams{}), ChunkKind(MeasuredParams{})})
        EXPECT_EQ(layout_by(kind, costs, 5000), layout_by(kind, costs, 0));
}

TEST(TimeBalancedChunks, AreExpectedToHaveTheirPredictedBits) {
    ChunkPlanner planner(balancing(Balance::time, 1), 8, {2, 1}, 1000);
    EXPECT_THAT(sizes(planner.next(dear_front)), ElementsAre(4, 4));
    EXPECT_THAT(planner.expected(), ElementsAre(80, 40));
}

TEST(TimeBalancedChunks, FallBackWhereEqualOnesWouldHaveTakenLessTimeAndNotFewerBits) {
    // {2, 6} by dear_front has 40 and 6 bits of what comes then, and equal chunks 42 and 4. With a floor of 11 these
    // are times of 40 and 66, and of 62 and 44.
    for (const std::uint32_t floor : {0u, 11u}) {
        ChunkPlanner planner(balancing(Balance::time, 1), 8, {2, 1}, floor);
        EXPECT_THAT(sizes(planner.next(dear_front)), ElementsAre(2, 6));
        planner.next(Costs{20, 20, 1, 1, 1, 1, 1, 1});
        EXPECT_EQ(planner.fell_back(), floor == 11);
    }
}

}   // namespace
}   // namespace oscar::chunk_planner_test

#include "models/collective/schedule/schedule.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/schedule/contributions.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::schedule_test {
namespace {

using ::testing::HasSubstr;

Schedule ring(std::uint32_t ranks, std::uint32_t slices = 1) {
    return make_schedule(RingParams{Issue::lock_step, slices}, ranks);
}

std::string find_problem(const Schedule& schedule) {
    return find_problem(Operation::all_reduce, schedule).value_or("it is one");
}

TEST(Schedule, OfEveryCollectiveDoesWhatItPromisesFrom2To33Ranks) {
    for_each_kind(collectives, []<class P>(const Kind<P>& kind) {
        for (std::uint32_t ranks = 2; ranks <= 33; ++ranks)
            EXPECT_EQ(find_problem(P{}.operation, make_schedule(P{}, ranks)), std::nullopt) << kind.name << ranks;
    });
}

TEST(Schedule, OfEveryCollectiveDoesWhatItPromisesForAnyNumberOfSlices) {
    for_each_kind(collectives, []<class P>(const Kind<P>& kind) {
        for (const std::uint32_t slices : {2u, 3u, 8u})
            for (const std::uint32_t ranks : {2u, 6u, 8u, 11u}) {
                P params;
                params.slices = slices;
                EXPECT_EQ(find_problem(P{}.operation, make_schedule(params, ranks)), std::nullopt)
                    << kind.name << ranks;
            }
    });
}

TEST(Schedule, OfARingIsAnAllReduceForAnyNumberOfSlices) {
    for (std::uint32_t slices : {1u, 2u, 3u, 8u}) EXPECT_EQ(find_problem(ring(5, slices)), "it is one") << slices;
}

TEST(Schedule, OfARingThatGathersBackIsAnAllReduceToo) {
    for (std::uint32_t slices : {1u, 2u, 3u})
        for (std::uint32_t ranks = 2; ranks <= 9; ++ranks)
            EXPECT_EQ(
                find_problem(make_schedule(RingParams{{Issue::lock_step, slices}, AllGatherDirection::reverse}, ranks)),
                "it is one");
}

TEST(Schedule, OfARingThatGathersBackReturnsEachChunkToWhereItCameFrom) {
    const Schedule schedule = make_schedule(RingParams{{Issue::lock_step, 1}, AllGatherDirection::reverse}, 4);
    for (std::size_t i = 0; i < schedule.steps.size() / 2; ++i) {
        const Step& step = schedule.steps[i];
        const auto returned = std::ranges::count_if(schedule.steps, [&](const Step& other) {
            return other.op == Op::copy && other.chunk == step.chunk && other.from == step.to && other.to == step.from;
        });
        EXPECT_EQ(returned, 1) << "step " << i;
    }
}

TEST(Schedule, OfARingHasTheStepsOfPatarasukAndYuan) {
    const Schedule schedule = ring(4);
    EXPECT_EQ(schedule.timesteps(), 2 * (4 - 1));
    EXPECT_EQ(schedule.steps.size(), 2 * (4 - 1) * 4);
    for (const Step& step : schedule.steps) {
        const std::uint32_t s = step.timestep.value, r = step.from.value;
        EXPECT_EQ(step.to.value, (r + 1) % 4);
        EXPECT_EQ(step.chunk.value, s < 3 ? (r + 4 - s) % 4 : (r + 1 + 4 - (s - 3)) % 4);
        EXPECT_EQ(step.op, s < 3 ? Op::reduce : Op::copy);
    }
}

TEST(Schedule, OfARingCarriesSumsOfOneMoreRankEachTimestepThenTheWhole) {
    const Schedule schedule = ring(4);
    const auto sums = contributions(schedule, StepsByChunk(schedule));
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const std::uint32_t s = schedule.steps[i].timestep.value;
        EXPECT_EQ(sums[i].carried, s < 3 ? s + 1 : 4);
        EXPECT_EQ(sums[i].held, s < 3 ? s + 2 : 4);
    }
}

TEST(Schedule, ThatEndsEarlyLeavesAChunkUnsummed) {
    Schedule schedule = ring(4);
    schedule.steps.pop_back();
    EXPECT_THAT(find_problem(schedule), HasSubstr("of 4 ranks"));
}

TEST(Schedule, ThatAddsTwiceIsFound) {
    Schedule schedule = ring(3);
    for (Step& step : schedule.steps) step.op = Op::reduce;
    EXPECT_THAT(find_problem(schedule), HasSubstr("a second time"));
}

TEST(Schedule, WhoseStepDoesNotWaitForItsDataRaces) {
    Schedule schedule = ring(4);
    schedule.steps[5].after = JoinId{};
    EXPECT_THAT(find_problem(schedule), HasSubstr("is not ordered after"));
}

TEST(Schedule, ThatOverwritesWhatAnotherStepStillReadsRaces) {
    const Schedule schedule{3,
                            1,
                            {{Rank{0}, Rank{1}, ChunkId{0}, Op::reduce, Timestep{0}},
                             {Rank{2}, Rank{0}, ChunkId{0}, Op::reduce, Timestep{1}}}};
    EXPECT_THAT(find_problem(schedule),
                HasSubstr("step 1 (timestep 1, rank 2 to 0, chunk 0) is not ordered after step 0"));
}

TEST(Schedule, WithAStepToItselfOrBeyondTheRanksOrIntoTheFutureIsMalformed) {
    Schedule to_itself = ring(3), beyond = ring(3), no_chunk = ring(3), future = ring(3), same_time = ring(3);
    to_itself.steps[0].to = to_itself.steps[0].from;
    beyond.steps[0].to = Rank{3};
    no_chunk.steps[0].chunk = ChunkId{3};
    future.steps[3].after = future.joins.add(std::array{StepId{4}});
    same_time.steps[4].after = same_time.joins.add(std::array{StepId{3}});
    EXPECT_THAT(find_problem(to_itself), HasSubstr("sends to itself"));
    EXPECT_THAT(find_problem(beyond), HasSubstr("no such rank"));
    EXPECT_THAT(find_problem(no_chunk), HasSubstr("no such chunk"));
    EXPECT_THAT(find_problem(future), HasSubstr("depends on a later step"));
    EXPECT_THAT(find_problem(same_time), HasSubstr("of no earlier timestep"));
}

TEST(Schedule, OfAnAllGatherBringsEveryChunkToEveryRank) {
    for (std::uint32_t ranks = 2; ranks <= 9; ++ranks) {
        const Schedule schedule = make_ring_all_gather(ranks);
        std::vector<std::vector<bool>> has(ranks, std::vector<bool>(ranks));
        for (std::uint32_t r = 0; r < ranks; ++r) has[r][r] = true;
        for (const Step& step : schedule.steps) {
            EXPECT_TRUE(has[step.from.value][step.chunk.value]);
            has[step.to.value][step.chunk.value] = true;
        }
        for (const auto& row : has) EXPECT_EQ(std::count(row.begin(), row.end(), true), ranks);
    }
}

}   // namespace
}   // namespace oscar::schedule_test

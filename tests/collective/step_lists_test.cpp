#include "models/collective/schedule/step_lists.hpp"

#include <gmock/gmock.h>

#include <array>

#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "models/core/random.hpp"

namespace oscar::step_lists_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint32_t> numbers(std::span<const StepId> steps) {
    std::vector<std::uint32_t> result;
    for (const StepId step : steps) result.push_back(step.value);
    return result;
}

/// Steps 0 and 2 in timestep 1, step 1 in timestep 0; step 2 waits for the others.
Schedule three_steps() {
    const Step late{Rank{0}, Rank{1}, ChunkId{0}, Op::copy, Timestep{1}, {}};
    const Step soon{Rank{2}, Rank{1}, ChunkId{1}, Op::copy, Timestep{0}, {}};
    const Step last{Rank{0}, Rank{2}, ChunkId{1}, Op::copy, Timestep{1}, JoinId{1}};
    Schedule schedule{3, 2, {late, soon, last}};
    schedule.joins.add(std::array{StepId{0}, StepId{1}});
    return schedule;
}

TEST(StepLists, GroupStepsByTimestepAndSenderInTheirOrder) {
    const StepLists rounds = steps_by_timestep(three_steps()), senders = steps_by_sender(three_steps());
    ASSERT_EQ(rounds.size(), 2u);
    EXPECT_THAT(numbers(rounds[0]), ElementsAre(1));
    EXPECT_THAT(numbers(rounds[1]), ElementsAre(0, 2));
    ASSERT_EQ(senders.size(), 3u);
    EXPECT_THAT(numbers(senders[0]), ElementsAre(0, 2));
    EXPECT_THAT(numbers(senders[1]), ElementsAre());
    EXPECT_THAT(numbers(senders[2]), ElementsAre(1));
}

TEST(StepLists, GroupStepsByReceiverInTheOrderOfTimesteps) {
    const Schedule schedule = three_steps();
    const StepLists receivers = steps_by_receiver(schedule);
    EXPECT_THAT(numbers(receivers[1]), ElementsAre(1, 0));
    EXPECT_THAT(numbers(of_timestep(schedule, receivers[1], Timestep{0})), ElementsAre(1));
    EXPECT_THAT(numbers(of_timestep(schedule, receivers[1], Timestep{1})), ElementsAre(0));
    EXPECT_THAT(numbers(of_timestep(schedule, receivers[2], Timestep{0})), ElementsAre());
}

TEST(StepLists, TellWhoWaitsForAJoinAndWhichJoinsAStepIsIn) {
    const StepLists waiting = followers(three_steps());
    EXPECT_THAT(numbers(waiting[0]), ElementsAre(0, 1));   // for nothing
    EXPECT_THAT(numbers(waiting[1]), ElementsAre(2));
    const JoinLists joins = joins_of_steps(three_steps());
    EXPECT_THAT(joins[0], ElementsAre(JoinId{1}));
    EXPECT_THAT(joins[1], ElementsAre(JoinId{1}));
    EXPECT_THAT(joins[2], ElementsAre());
}

TEST(StepLists, OfARingHaveEachStepOnceAndAsManyForEachRank) {
    const Schedule ring = make_schedule(RingParams{Issue::lock_step, 3}, 5);
    const StepLists receivers = steps_by_receiver(ring);
    std::vector<int> seen(ring.steps.size());
    for (std::uint32_t r = 0; r < 5; ++r) {
        EXPECT_EQ(receivers[r].size(), 2u * 4 * 3);   // 2 (ranks-1) timesteps of 3 slices
        for (const StepId step : receivers[r]) {
            EXPECT_EQ(ring.steps[step.value].to, Rank{r});
            ++seen[step.value];
        }
        EXPECT_EQ(of_timestep(ring, receivers[r], Timestep{7}).size(), 3u);
    }
    EXPECT_THAT(seen, ::testing::Each(1));
}

/// Where the first look goes beside the mark, as where timesteps have other numbers of steps, or none.
TEST(StepLists, HaveInATimestepWhatASearchOfAllFinds) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Schedule schedule{2, 1, {}};
        std::vector<StepId> steps;
        std::uint32_t timestep = 0;
        for (std::uint32_t i = 0; i < random_at(seed, 0) % 30; ++i) {
            timestep += static_cast<std::uint32_t>(random_at(seed, i + 1) % 3);
            schedule.steps.push_back({Rank{0}, Rank{1}, ChunkId{0}, Op::copy, Timestep{timestep}, {}});
            steps.push_back(StepId{i});
        }
        for (std::uint32_t t = 0; t <= timestep + 2; ++t) {
            std::vector<std::uint32_t> expected;
            for (const StepId id : steps)
                if (schedule.steps[id.value].timestep == Timestep{t}) expected.push_back(id.value);
            EXPECT_EQ(numbers(of_timestep(schedule, steps, Timestep{t})), expected) << "seed " << seed << ", " << t;
        }
    }
}

TEST(StepLists, OfNoStepsAreEmpty) {
    EXPECT_EQ(steps_by_timestep({2, 1, {}}).size(), 0u);
    EXPECT_EQ(steps_by_sender({2, 1, {}})[1].size(), 0u);
}

}   // namespace
}   // namespace oscar::step_lists_test

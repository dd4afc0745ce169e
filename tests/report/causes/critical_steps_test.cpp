// The steps that decided the end of three, by hand.
#include "sim/report/causes/critical_steps.hpp"

#include <gmock/gmock.h>

#include "tests/report/causes/collective.hpp"

namespace oscar::critical_steps_test {
namespace {

using namespace literals;
using test::Collective;
using test::path;

TEST(CriticalSteps, FollowEachOtherUpToTheEnd) {
    const Collective c;
    const auto steps = critical_steps(c.outcome, c.schedule);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].step, StepId{0});
    EXPECT_EQ(steps[0].begin, 0_us);
    EXPECT_EQ(steps[0].end, 10_us);
    EXPECT_EQ(steps[0].path, path(8'000'000, 2'000'000));
    EXPECT_EQ(steps[1].step, StepId{2});
    EXPECT_EQ(steps[1].begin, 10_us);
    EXPECT_EQ(steps[1].end, 21_us);
    EXPECT_EQ(steps[1].path, path(9'000'000, 2'000'000));
}

TEST(CriticalSteps, AStepThatWaitedForItsRankBeginsWithThatWait) {
    Collective c;
    c.outcome.ranks[0].last = StepId{1};
    c.outcome.ranks[0].finish = c.outcome.finish = 30_us;
    c.outcome.ranks[0].path = c.outcome.path = path(27'000'000, 1'000'000, 2'000'000);
    const auto steps = critical_steps(c.outcome, c.schedule);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].begin, 2_us);
    EXPECT_EQ(steps[0].path, path(27'000'000, 1'000'000));
}

/// In lock-step a step follows one that it does not wait for, of the timestep before.
TEST(CriticalSteps, InLockStepTheStepBeforeIsTheOneThatOpenedTheTimestep) {
    Collective c;
    c.schedule.steps[2].after = {};
    EXPECT_EQ(critical_steps(c.outcome, c.schedule).front().step, StepId{0});
}

TEST(CriticalSteps, OfNoStepsAreNone) { EXPECT_TRUE(critical_steps({}, {}).empty()); }

TEST(CriticalSteps, HaveTheCauseThatTookMostUnlessItBeganBefore) {
    EXPECT_EQ(cause_of(path(3, 2, 1)), "link");
    EXPECT_EQ(cause_of(path(3, 2, 4)), "wait");
    EXPECT_EQ(cause_of(path(-1, 2, 4)), "queue");
}

}   // namespace
}   // namespace oscar::critical_steps_test

#include "models/nic/wire/active_steps.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace oscar::active_steps_test {
namespace {

/// What a step holds, and how often it was made as new.
struct Held {
    int number = 0;
    std::vector<int> list;
    void clear() {
        number = 0;
        list.clear();
    }
};

TEST(ActiveSteps, HoldsWhatIsWrittenForEachStepOnItsOwn) {
    ActiveSteps<Held> steps(10);
    steps[StepId{3}].number = 33;
    steps[StepId{7}].number = 77;
    EXPECT_EQ(steps.at(StepId{3}).number, 33);
    EXPECT_EQ(steps[StepId{7}].number, 77);
    EXPECT_EQ(steps.size(), 2u);
}

TEST(ActiveSteps, MakesAStepAsNewAfterAnotherWasErased) {
    ActiveSteps<Held> steps(10);
    steps[StepId{3}] = {33, {1, 2, 3}};
    steps.erase(StepId{3});
    EXPECT_EQ(steps.size(), 0u);
    EXPECT_EQ(steps[StepId{4}].number, 0);
    EXPECT_THAT(steps[StepId{4}].list, ::testing::IsEmpty());
}

TEST(ActiveSteps, NeedsAsMuchMemoryAsStepsAreUnderWayAtOnce) {
    ActiveSteps<Held> steps(1000);
    for (std::uint32_t i = 0; i < 1000; ++i) {   // three at a time
        steps[StepId{i}].number = 1;
        if (i >= 2) steps.erase(StepId{i - 2});
    }
    EXPECT_EQ(steps.peak(), 3u);
    EXPECT_EQ(steps.size(), 2u);
}

TEST(ActiveSteps, LeavesAReferenceValidWhileOthersComeAndGo) {
    ActiveSteps<Held> steps(1000);
    Held& first = steps[StepId{0}];
    first.number = 5;
    for (std::uint32_t i = 1; i < 1000; ++i) steps[StepId{i}].number = 1;
    for (std::uint32_t i = 1; i < 1000; i += 2) steps.erase(StepId{i});
    EXPECT_EQ(&steps.at(StepId{0}), &first);
    EXPECT_EQ(first.number, 5);
}

TEST(ActiveSteps, RefusesToGiveAStepThatIsNotUnderWay) {
    ActiveSteps<Held> steps(4);
    EXPECT_THROW(steps.at(StepId{1}), std::out_of_range);
    steps[StepId{1}];
    steps.erase(StepId{1});
    EXPECT_THROW(steps.at(StepId{1}), std::out_of_range);
}

}   // namespace
}   // namespace oscar::active_steps_test

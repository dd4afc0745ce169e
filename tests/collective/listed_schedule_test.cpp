// Schedules from a list of steps.
#include "models/collective/algorithms/listed_schedule.hpp"

#include <gmock/gmock.h>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/algorithms/step_count.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::listed_schedule_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// The steps of a collective of one slice and channel, as a list.
ListedScheduleParams listed(const Collective& collective, std::uint32_t ranks) {
    ListedScheduleParams params;
    params.operation = operation_of(collective);
    for (const Step& step : make_schedule(collective, ranks).steps)
        params.steps.push_back({step.from.value, step.to.value, step.chunk.value, step.op});
    return params;
}

/// Every collective among ranks but all-to-all by flows, as its own list.
TEST(ListedSchedule, OfEveryCollectiveTakesItsTimestepsAndSteps) {
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::is_same_v<P, FlowsParams> && !std::is_same_v<P, InNetworkParams>)
            for (const std::uint32_t ranks : {4u, 8u}) {
                const Schedule own = make_schedule(Collective(P{}), ranks);
                const Schedule made = make_schedule(listed(P{}, ranks), ranks);
                EXPECT_EQ(made.steps.size(), own.steps.size()) << kind.name;
                EXPECT_EQ(made.timesteps(), own.timesteps()) << kind.name;
                EXPECT_EQ(made.chunks, own.chunks) << kind.name;
            }
    });
}

TEST(ListedSchedule, IsPerformedOncePerSlice) {
    ListedScheduleParams params = listed(RingParams{}, 4);
    params.slices = 3;
    const Schedule schedule = make_schedule(params, 4);
    EXPECT_EQ(schedule.chunks, 12u);
    EXPECT_EQ(schedule.steps.size(), 3 * params.steps.size());
    EXPECT_EQ(count_steps(Collective(params), 4, 0), schedule.steps.size());
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
}

/// In any order in which they could be sent, the steps have the timesteps of their data.
TEST(ListedSchedule, HasTimestepsThatDoNotDependOnTheOrderOfTheList) {
    ListedScheduleParams params;
    params.operation = Operation::broadcast;
    params.steps = {{0, 1, 0}, {1, 2, 0}, {0, 3, 0}};
    const Schedule schedule = make_schedule(params, 4);
    EXPECT_EQ(schedule.timesteps(), 2u);
    EXPECT_EQ(schedule.steps[1].to, Rank{3});   // beside the first
    EXPECT_EQ(schedule.after(StepId{2}).size(), 1u);
}

TEST(ListedSchedule, SaysWhichStepIsWrongAndWhatIsMissing) {
    const auto error_of = [](const ListedScheduleParams& params, auto matcher) {
        EXPECT_THAT([&] { make_schedule(params, 3); }, ThrowsMessage<std::invalid_argument>(matcher));
    };
    ListedScheduleParams params = listed(RingParams{}, 3);
    params.steps[2].to = 3;
    error_of(params, HasSubstr("step 2: ranks 2 and 3 must be two of 0 to 2"));
    params = listed(RingParams{}, 3);
    params.steps.pop_back();
    error_of(params, HasSubstr("its steps do not perform all_reduce: "));
    params = listed(RingParams{}, 3);
    params.operation = Operation::broadcast;
    error_of(params, HasSubstr("its steps do not perform broadcast: "));
    params.steps = {{0, 1, 0}, {2, 1, 0}};   // which of the two copies stays, no dependency says
    params.operation = Operation::broadcast;
    error_of(params, HasSubstr("its steps do not perform broadcast: "));
}

}   // namespace
}   // namespace oscar::listed_schedule_test

// Schedules from a list of steps.
#include "models/collective/algorithms/listed/listed_schedule.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <random>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/algorithms/step_count.hpp"
#include "models/collective/schedule/find_problem.hpp"
#include "tests/collective/support.hpp"

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

/// Every rank sends its chunk to all others, which add what comes in the order of the list.
ListedScheduleParams one_shot(std::uint32_t ranks) {
    ListedScheduleParams params;
    params.sums = ListedSums{1, {}, std::vector<ListedSum>(ranks)};
    for (std::uint32_t from = 0; from < ranks; ++from)
        for (std::uint32_t to = 0; to < ranks; ++to)
            if (from != to) {
                params.sums->results[to].steps.push_back(static_cast<std::uint32_t>(params.steps.size()));
                params.steps.push_back({from, to, 0, Op::reduce});
                params.sums->carried.push_back({});
            }
    return params;
}

/// One-shot of three; rank 0 also hands rank 1's values on to rank 2, and rank 2 the sum of all to rank 1, which ends
/// with that.
ListedScheduleParams with_relay() {
    ListedScheduleParams params;
    params.steps = {{0, 1, 0, Op::reduce}, {0, 2, 0, Op::reduce}, {1, 0, 0, Op::reduce},
                    {2, 0, 0, Op::reduce}, {0, 2, 0, Op::reduce}, {2, 1, 0, Op::copy}};
    params.sums = ListedSums{1,
                             {{true, {}}, {true, {}}, {true, {}}, {true, {}}, {false, {2}}, {true, {1, 4}}},
                             {{true, {2, 3}}, {false, {5}}, {true, {1, 4}}}};
    return params;
}

/// Performs the steps in a random order that their dependencies allow; the messages must be those of the reference.
void perform(const Plan& plan, const Reference& reference, std::vector<RankState>& states, std::mt19937_64& random) {
    const std::size_t count = plan.schedule.steps.size();
    std::vector<bool> sent(count), come(count);
    for (std::size_t left = 2 * count; left > 0;) {
        const StepId id{static_cast<std::uint32_t>(random() % count)};
        const Step& step = plan.schedule.steps[id.value];
        const auto free = std::ranges::all_of(plan.schedule.after(id), [&](StepId b) { return come[b.value]; });
        if (!sent[id.value] && free) {
            const auto message = states[step.from.value].send(id);
            EXPECT_EQ(message->bytes, reference.messages[id.value]->bytes) << id.value;
            sent[id.value] = true, --left;
        } else if (sent[id.value] && !come[id.value]) {
            states[step.to.value].receive(id, reference.messages[id.value]);
            come[id.value] = true, --left;
        }
    }
}

/// Law: messages and sums are the same in every order, though places are read after they have changed.
TEST(ListedSums, LeaveTheSameInEveryOrderThatTheirStepsAllow) {
    std::mt19937_64 random(11);
    for (const ElementType type : {ElementType::integer, ElementType::float32})
        for (std::uint32_t ranks = 2; ranks <= 6; ++ranks)
            for (int order = 0; order < 6; ++order) {
                const ListedScheduleParams params = ranks == 3 && order % 2 == 0 ? with_relay() : one_shot(ranks);
                const Plan plan(make_schedule(params, ranks), type, type == ElementType::integer ? 8 : 32);
                ASSERT_TRUE(plan.schedule.scratch.has_value());
                const auto codec = type == ElementType::integer ? make_codec(AscParams{}, Framing{})
                                                                : make_codec(Fp32Params{}, Framing{});
                auto values = test::codes(ranks, 50, 8, random());
                if (type == ElementType::float32)
                    for (auto& rank : values)
                        for (Symbol& value : rank) value = std::bit_cast<Symbol>(static_cast<float>(value) * 0.1F);
                auto states = test::make_endpoints(plan, *codec), others = states;
                test::begin(states, values, plan);
                test::begin(others, values, plan);
                const Reference reference = run_reference(plan.schedule, states);
                perform(plan, reference, others, random);
                for (std::uint32_t r = 0; r < ranks; ++r) {
                    EXPECT_TRUE(states[r].values().equal(others[r].values())) << ranks << " ranks, rank " << r;
                    if (type == ElementType::integer) {
                        EXPECT_TRUE(std::ranges::equal(states[r].values().all(), exact_sum(values)));
                    }
                }
            }
}

/// What was received alone is handed on as it came, and what was sent before is not made again.
TEST(ListedSums, AreEncodedOnce) {
    const Plan plan(make_schedule(with_relay(), 3), ElementType::integer, 8);
    std::vector<std::uint32_t> origins;
    for (const StepId origin : plan.origin) origins.push_back(origin.value);
    // By timesteps: 0 to 1, 0 to 2, 1 to 0, 2 to 0; 0 to 2; 2 to 1
    EXPECT_EQ(origins, (std::vector<std::uint32_t>{0, 0, 2, 3, 2, 5}));
    EXPECT_EQ(plan.addends(StepId{4}), 1u);
    EXPECT_EQ(plan.addends(StepId{5}), 3u);
    EXPECT_TRUE(plan.final_sum(StepId{5}));
}

TEST(ListedSums, ThatAreThoseOfOnePlaceNeedNoScratch) {
    ListedScheduleParams params = listed(RingParams{}, 4);
    const Schedule plain = make_schedule(params, 4);
    params.sums = ListedSums{4, {}, {}};
    std::vector<ListedSum> held(16);
    for (std::uint32_t i = 0; i < params.steps.size(); ++i) {
        const ListedStep& step = params.steps[i];
        params.sums->carried.push_back(held[step.from * 4 + step.chunk]);
        ListedSum& there = held[step.to * 4 + step.chunk];
        if (step.op == Op::copy) there = {false, {}};
        there.steps.push_back(i);
    }
    params.sums->results = held;
    EXPECT_FALSE(make_schedule(params, 4).scratch.has_value());
    params.sums->results[0].steps.pop_back();
    EXPECT_THAT(
        [&] { make_schedule(params, 4); },
        ThrowsMessage<std::invalid_argument>(HasSubstr("its steps do not perform all_reduce: rank 0 ends with")));
}

TEST(ListedSums, ThatAddTwiceOrWhatIsNotThereAreRefused) {
    ListedScheduleParams params = one_shot(3);
    params.sums->results[0].steps.push_back(params.sums->results[0].steps[0]);
    EXPECT_THAT([&] { make_schedule(params, 3); },
                ThrowsMessage<std::invalid_argument>(HasSubstr("rank 0 adds a contribution a second time")));
    params = one_shot(3);
    params.sums->results[0].steps.push_back(0);   // which goes to rank 1
    EXPECT_THAT([&] { make_schedule(params, 3); },
                ThrowsMessage<std::invalid_argument>(HasSubstr("rank 0 uses what it does not have: step 0")));
}

/// Slices have steps of their own.
TEST(ListedSums, ArePerformedOncePerSlice) {
    ListedScheduleParams params = with_relay();
    params.slices = 3;
    const Schedule schedule = make_schedule(params, 3);
    EXPECT_EQ(schedule.chunks, 3u);
    EXPECT_EQ(schedule.steps.size(), 18u);
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
}

}   // namespace
}   // namespace oscar::listed_schedule_test

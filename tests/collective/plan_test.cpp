// Plans of every AllReduce with deltas: which message each step may hand on.
#include "models/collective/endpoint/plan.hpp"

#include <gtest/gtest.h>

#include "tests/collective/support.hpp"

namespace oscar::plan_test {
namespace {

constexpr Framing small{4, 32, 8};

/// Calls f(plan) with the plans of all AllReduces, with deltas, for some numbers of ranks.
template <class F>
void for_each_plan(F&& f) {
    const auto with = [&](std::string_view name, const auto& params, std::uint32_t ranks) {
        SCOPED_TRACE(::testing::Message() << name << ", " << ranks << " ranks");
        f(Plan(make_schedule(params, ranks), ElementType::integer, 8, Operation::all_reduce, true));
    };
    for (const std::uint32_t ranks : {2u, 3u, 4u, 6u, 8u, 9u, 12u})
        for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
            if (P{}.operation == Operation::all_reduce) {
                with(kind.name, P{}, ranks);
                if constexpr (requires { P::all_gather_direction; })
                    with(kind.name, P{{}, AllGatherDirection::reverse}, ranks);
                if constexpr (requires { P::rows; })
                    for (std::uint32_t rows = 1; rows <= ranks; ++rows)
                        if (ranks % rows == 0) with(kind.name, P{{}, rows}, ranks);
            }
        });
}

/// The step whose message the sender of `step` holds as it came, by what happened last to the chunk at this rank: a
/// copy of the whole, which is handed on; a sending of the whole, which is repeated; or an addition or nothing, after
/// which the step encodes a message of its own, as it does for a delta.
StepId last_message(const Plan& plan, StepId step) {
    const auto& steps = plan.schedule.steps;
    const Rank rank = steps[step.value].from;
    if (plan.delta_base[step.value]) return step;
    for (std::uint32_t i = step.value; i-- > 0;) {
        if (steps[i].chunk != steps[step.value].chunk) continue;
        if (steps[i].to == rank) return plan.adds(StepId{i}) ? step : last_message(plan, StepId{i});
        if (steps[i].from == rank && !plan.delta_base[i]) return last_message(plan, StepId{i});
    }
    return step;
}

TEST(Plans, HandOnAMessageOnlyWhileNothingHasBeenAddedToIt) {
    std::uint32_t behind_deltas = 0;   // steps whose sender's sum was made of a delta
    for_each_plan([&](const Plan& plan) {
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
            const StepId origin = plan.origin[i];
            EXPECT_EQ(origin, last_message(plan, StepId{i})) << "step " << i;
            for (std::uint32_t j = 0; j < i && origin == StepId{i} && !plan.delta_base[i]; ++j)
                behind_deltas += plan.delta_base[j] && plan.schedule.steps[j].to == plan.schedule.steps[i].from &&
                                 plan.schedule.steps[j].chunk == plan.schedule.steps[i].chunk;
        }
    });
    EXPECT_GT(behind_deltas, 0u);
}

TEST(Plans, WithDeltasLeaveEveryRankOfEveryAllReduceWithTheExactSum) {
    for_each_plan([](const Plan& plan) {
        for (const CodecChoice& choice : {CodecChoice(FixedPointParams{}), CodecChoice(AscParams{})}) {
            SCOPED_TRACE(choice.name());
            const auto codec = make_codec(choice, small);
            auto rank_states = test::make_endpoints(plan, *codec);
            for (std::uint8_t t = 0; t < 2; ++t) {
                const auto values = test::codes(plan.schedule.ranks, 301, 8, t);
                test::begin(rank_states, values, plan, t);
                run_reference(plan.schedule, rank_states);
                const auto sum = exact_sum(values);
                for (std::uint32_t r = 0; r < plan.schedule.ranks; ++r)
                    EXPECT_TRUE(std::ranges::equal(rank_states[r].values().all(), sum)) << "rank " << r;
                for (RankState& rank_state : rank_states) rank_state.commit();
            }
        }
    });
}

}   // namespace
}   // namespace oscar::plan_test

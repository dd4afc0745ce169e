// Of a final sum only what its receiver does not know: the part that passed between the two on the way up is left out.
#include "models/collective/schedule/delta_gather.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/collective/resync_support.hpp"

namespace oscar::delta_gather_test {
namespace {

using test::codes;
using test::make_endpoints;

constexpr Framing small{4, 32, 8};

Plan plan_of(AllGatherDirection direction, std::uint32_t ranks, std::uint32_t slices = 1,
             ElementType number = ElementType::integer) {
    return {make_schedule(RingParams{{Issue::lock_step, slices}, direction}, ranks), number, word_bits(number, 8),
            Operation::all_reduce, true};
}

template <class F>
void for_each_ring(F&& f) {
    for (const auto direction : {AllGatherDirection::forward, AllGatherDirection::reverse})
        for (const std::uint32_t ranks : {2u, 3u, 8u})
            for (const std::uint32_t slices : {1u, 3u}) {
                SCOPED_TRACE(::testing::Message()
                             << (direction == AllGatherDirection::reverse ? "reverse " : "forward ") << ranks
                             << " ranks, " << slices << " slices");
                f(plan_of(direction, ranks, slices));
            }
}

TEST(Deltas, AreOfWhatTheSameTwoRanksExchangedOfTheChunk) {
    for_each_ring([](const Plan& plan) {
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
            if (!plan.delta_base[i]) continue;
            const Step &step = plan.schedule.steps[i], &part = plan.schedule.steps[plan.delta_base[i]->value];
            EXPECT_EQ(std::minmax(step.from.value, step.to.value), std::minmax(part.from.value, part.to.value));
            EXPECT_EQ(step.chunk, part.chunk);
            EXPECT_LT(part.timestep, step.timestep);
            EXPECT_TRUE(plan.is_delta_base[plan.delta_base[i]->value]);
            EXPECT_TRUE(plan.adds(StepId{i}));
        }
    });
}

/// Ranks whose sum each timestep carries; all steps of a timestep are alike.
std::vector<std::uint32_t> addends(const Plan& plan) {
    std::vector<std::uint32_t> result(plan.schedule.timesteps());
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        result[plan.schedule.steps[i].timestep.value] = plan.addends(StepId{i});
    return result;
}

TEST(Deltas, GrowOnTheWayBackAsPartialSumsDoOnTheWayThere) {
    EXPECT_EQ(addends(plan_of(AllGatherDirection::reverse, 5)), (std::vector<std::uint32_t>{1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(Deltas, ShrinkForward) {   // the first goes where no part of its chunk has gone
    EXPECT_EQ(addends(plan_of(AllGatherDirection::forward, 5)), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 4, 3, 2}));
}

TEST(Deltas, AreAsWideAsSumsOfSoManyRanks) {
    const Plan plan = plan_of(AllGatherDirection::reverse, 8);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        EXPECT_EQ(plan.width(StepId{i}), 8 + (std::vector{0u, 1u, 2u, 2u, 3u, 3u, 3u})[plan.addends(StepId{i}) - 1]);
}

TEST(Deltas, LeaveEveryRankWithTheExactSumWhateverTheCodec) {
    for_each_ring([](const Plan& plan) {
        for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
            if constexpr (std::same_as<P, Fp32Params>) return;
            SCOPED_TRACE(kind.name);
            const auto codec = make_codec(P{}, small);
            auto rank_states = make_endpoints(plan, *codec);
            for (std::uint8_t t = 0; t < 3; ++t) {
                const auto values = codes(plan.schedule.ranks, 601, 8, t);
                test::begin(rank_states, values, plan, t);
                run_reference(plan.schedule, rank_states);
                const auto sum = exact_sum(values);
                for (RankState& rank_state : rank_states) {
                    EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), sum));
                    rank_state.commit();
                }
            }
        });
    });
}

TEST(Deltas, AreTheSumsOfTheRanksBehindTheSender) {
    const Plan plan = plan_of(AllGatherDirection::reverse, 4);
    const auto codec = make_codec(FixedPointParams{}, small);
    const auto values = codes(4, 400, 8, 1);
    auto rank_states = make_endpoints(plan, *codec);
    test::begin(rank_states, values, plan);
    run_reference(plan.schedule, rank_states);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {   // what was sent can be asked for afterwards
        const Step& step = plan.schedule.steps[i];
        if (step.op == Op::reduce) continue;
        std::vector<std::vector<Symbol>> behind;
        for (std::uint32_t r = 0; r < plan.addends(StepId{i}); ++r) behind.push_back(values[(step.from.value + r) % 4]);
        const auto chunk =
            rank_states[0].values().layout().gather(step.chunk, std::span<const Symbol>(exact_sum(behind)));
        EXPECT_EQ(rank_states[step.from.value].values().outgoing_symbols(StepId{i}), chunk) << "step " << i;
    }
}

TEST(Deltas, OfFloatsDoNotExist) {
    const Plan plan = plan_of(AllGatherDirection::reverse, 4, 1, ElementType::float32);
    EXPECT_TRUE(std::ranges::none_of(plan.delta_base, [](const auto& part) { return part.has_value(); }));
}

TEST(Deltas, OfAMessageHandedOnAreEncodedByEachSender) {
    const Plan plan = plan_of(AllGatherDirection::forward, 4);
    const auto codec =
        make_codec(FixedPointParams{}, small);   // no link has tables, for which it would be encoded anyway
    auto rank_states = make_endpoints(plan, *codec);
    test::begin(rank_states, codes(4, 400, 8, 1), plan);
    const Reference run = run_reference(plan.schedule, rank_states);
    EXPECT_TRUE(std::ranges::none_of(run.forwarded, std::identity{}));
}

TEST(Deltas, HaveTablesOfTheirLinkWhichBothEndsLearn) {
    for_each_ring([](const Plan& plan) {
        const auto codec = make_codec(AscParams{}, small);
        auto rank_states = make_endpoints(plan, *codec);
        for (std::uint8_t t = 0; t < 2; ++t) {
            test::begin(rank_states, codes(plan.schedule.ranks, 601, 8, t), plan, t);
            run_reference(plan.schedule, rank_states);
            for (RankState& rank_state : rank_states) rank_state.commit();
        }
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
            if (!plan.delta_base[i]) continue;
            const Step& step = plan.schedule.steps[i];
            const Table *sender = rank_states[step.from.value].tables().of(StepId{i}),
                        *receiver = rank_states[step.to.value].tables().of(StepId{i});
            ASSERT_NE(sender, nullptr);
            EXPECT_EQ(*sender, *receiver);
            EXPECT_NE(sender, rank_states[step.from.value].tables().of_final_sums());
        }
    });
}

TEST(Deltas, ShareTablesByPowersOfTwoOfTheRanksWhoseSumTheyAre) {
    const Plan plan = plan_of(AllGatherDirection::reverse, 5);
    const auto codec = make_codec(AscParams{.table_sharing = TableSharing::power_of_two}, small);
    auto rank_states = make_endpoints(plan, *codec);
    test::begin(rank_states, codes(5, 601, 8, 1), plan);
    run_reference(plan.schedule, rank_states);
    for (RankState& rank_state : rank_states) rank_state.commit();
    std::vector<const Table*> of;   // by addends, from 1, on the way back from rank 0
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.delta_base[i] && plan.schedule.steps[i].from.value == 0)
            of.push_back(rank_states[0].tables().of(StepId{i}));
    ASSERT_EQ(of.size(), 4u);
    EXPECT_NE(of[0], of[1]);
    EXPECT_NE(of[1], of[2]);
    EXPECT_EQ(of[2], of[3]);
}

TEST(Deltas, AreSentAgainWithATableToARankThatLostItsTables) {
    const Plan plan = plan_of(AllGatherDirection::reverse, 4);
    const auto codec = make_codec(AscParams{}, small);
    auto rank_states = make_endpoints(plan, *codec);
    const auto iterate = [&](std::uint8_t t) {
        const auto values = codes(4, 2000, 8, t);
        test::begin(rank_states, values, plan, t);
        const Resent resent = run_reference(plan.schedule, rank_states).resent;
        for (RankState& rank_state : rank_states) {
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), exact_sum(values)));
            rank_state.commit();
        }
        return resent.messages;
    };
    EXPECT_EQ(iterate(0), 0u);
    EXPECT_EQ(iterate(1), 0u);
    rank_states[1].tables().reset();
    // Three partial sums and three deltas come to it, which are refused; what it sends brings its table.
    EXPECT_EQ(iterate(2), 6u);
    EXPECT_EQ(iterate(3), 0u);
}

TEST(Deltas, TellThatARankLostWhatItKnewOfFinalSumsSoThatAllBeginAnew) {
    const Plan plan = plan_of(AllGatherDirection::reverse, 4);
    const auto codec = make_codec(AscParams{}, small);
    auto rank_states = make_endpoints(plan, *codec);
    const auto iterate = [&](std::uint8_t t) {
        test::begin(rank_states, codes(4, 2000, 8, t), plan, t);
        run_reference(plan.schedule, rank_states);
        agree_on_tables(rank_states);
        for (RankState& rank_state : rank_states) rank_state.commit();
    };
    const auto all_have_equal_tables = [&] {
        return std::ranges::all_of(rank_states, [&](const RankState& rank_state) {
            return std::ranges::equal(rank_state.tables().of_final_sums_by_class(),
                                      rank_states[0].tables().of_final_sums_by_class(),
                                      [](const Table* a, const Table* b) { return a && b ? *a == *b : a == b; });
        });
    };
    iterate(0);
    iterate(1);
    ASSERT_NE(rank_states[0].tables().of_final_sums_by_class()[0], nullptr);
    rank_states[1].tables().reset();
    EXPECT_FALSE(all_have_equal_tables());
    iterate(2);
    EXPECT_TRUE(all_have_equal_tables());
}

}   // namespace
}   // namespace oscar::delta_gather_test

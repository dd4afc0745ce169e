// HeldValues: each way in which the ranks can end with wrong values is seen.
#include "sim/run/iteration/held_values.hpp"

#include <gtest/gtest.h>

#include "tests/collective/support.hpp"
#include "tests/run/support.hpp"

namespace oscar::held_values_test {
namespace {

constexpr std::uint32_t rank_count = 4, value_count = 96;
constexpr Framing small_framing{4, 32, 8};

/// Ranks that have run a collective.
struct Finished {
    Plan plan;
    std::unique_ptr<Codec> codec;
    IterationCodes codes = test::iteration_of(0, false, test::codes(rank_count, value_count, 8, 1));
    std::vector<RankState> timed = test::make_endpoints(plan, *codec);

    Finished(Plan made, std::unique_ptr<Codec> coder) : plan(std::move(made)), codec(std::move(coder)) {
        run(timed, words(), nullptr);
    }

    /// The values that the ranks begin with.
    std::vector<std::vector<Symbol>> words() const {
        if (plan.element_type == ElementType::integer) return codes.codes;
        std::vector<std::vector<Symbol>> result(rank_count);
        for (std::uint32_t r = 0; r < rank_count; ++r)
            for (const float value : codes.gradients[r]) result[r].push_back(word_of(plan.element_type, value));
        return result;
    }
    void run(std::vector<RankState>& held, const std::vector<std::vector<Symbol>>& values, const ChunkLayout* layout) {
        test::begin(held, values, plan, 0, layout);
        run_reference(plan.schedule, held);
    }
    HeldValues values() const { return {plan, rank_count, timed, codes}; }
    bool are_correct() const { return values().are_correct(serial_for); }
};

Finished finished(const auto& collective, ElementType number = ElementType::integer) {
    const bool integers = number == ElementType::integer;
    return {Plan(make_schedule(collective, rank_count), number, integers ? 8 : 32, collective.operation),
            integers ? make_codec(AscParams{}, small_framing) : make_codec(Fp32Params{}, small_framing)};
}

TEST(HeldValues, AreRightBehindEveryCollectiveOfTheList) {
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(std::string(kind.name));
        const Finished ring = finished(P{});
        EXPECT_TRUE(ring.are_correct());
        EXPECT_EQ(ring.values().fidelity().has_value(), sums_up(P{}.operation));
    });
}

TEST(HeldValues, AreWrongWhereTheSumIsAnother) {
    Finished ring = finished(RingParams{});
    ++ring.codes.sum[17];
    EXPECT_FALSE(ring.are_correct());
}

TEST(HeldValues, AreWrongWhereOneRankHasAnotherLayout) {
    Finished ring = finished(RingParams{});
    const ChunkLayout moved({{{0, 20}}, {{20, 48}}, {{48, 72}}, {{72, 96}}});
    ASSERT_NE(moved, ring.timed[1].values().layout());
    std::vector<RankState> others = ring.timed;
    ring.run(others, ring.words(), &moved);
    ring.timed[1] = others[1];
    EXPECT_FALSE(ring.are_correct());
}

TEST(HeldValues, OfAGatherAreWrongWhereACopyIsNotWhatItsRankHad) {
    Finished gather = finished(AllGatherParams{});
    gather.codes.codes[2][50] ^= 1;   // chunk 2 of 4 holds values 48 to 71
    EXPECT_FALSE(gather.are_correct());
    gather.codes.codes[2][50] ^= 1;
    gather.codes.codes[2][20] ^= 1;   // of rank 2 in chunk 0, which nobody is promised
    EXPECT_TRUE(gather.are_correct());
}

TEST(HeldValues, OfFloatsHaveTheFidelityOfTheSumThatTheRanksHold) {
    Finished floats = finished(RingParams{}, ElementType::float32);
    EXPECT_TRUE(floats.are_correct());
    EXPECT_EQ(floats.values().fidelity()->relative_l2_error, 0);   // quarters add up without error
    floats.codes.gradients[1][3] += 1;
    EXPECT_GT(floats.values().fidelity()->relative_l2_error, 0);
}

}   // namespace
}   // namespace oscar::held_values_test

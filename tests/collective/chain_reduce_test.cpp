// The two schedules that only compressors use: a reduce to one rank, and a shift to the next.
#include "models/collective/schedule/chain_reduce.hpp"

#include <gtest/gtest.h>

#include "tests/collective/support.hpp"

namespace oscar::chain_reduce_test {
namespace {

/// Rank r's word i is 4^r (i + 1), so that each subset of ranks has a sum of its own.
std::vector<Symbol> words_of(std::uint32_t rank, std::uint32_t count) {
    std::vector<Symbol> words(count);
    Symbol factor = 1;
    for (std::uint32_t r = 0; r < rank; ++r) factor *= 4;
    for (std::uint32_t i = 0; i < count; ++i) words[i] = factor * static_cast<Symbol>(i + 1);
    return words;
}

std::vector<RankState> after(const Plan& plan, const Codec& codec, std::uint32_t count) {
    std::vector<RankState> ranks = test::make_endpoints(plan, codec);
    const ChunkLayout layout = make_layout(EqualParams{}, count, {plan.schedule.chunks, 1}, {});
    for (std::uint32_t r = 0; r < ranks.size(); ++r) ranks[r].begin(words_of(r, count), layout, 0);
    run_reference(plan.schedule, ranks);
    return ranks;
}

TEST(ChainReduce, LeavesTheSumOfAllRanksAtItsRoot) {
    constexpr std::uint32_t count = 13;
    const auto codec = make_codec(FixedPointParams{}, Framing{});
    for (std::uint32_t ranks = 2; ranks <= 5; ++ranks)
        for (std::uint32_t root = 0; root < ranks; ++root)
            for (const std::uint32_t chunks : {1u, 4u}) {
                SCOPED_TRACE(std::to_string(ranks) + " ranks to " + std::to_string(root));
                const Plan plan(make_chain_reduce(ranks, root, chunks), ElementType::integer, 16);
                const auto states = after(plan, *codec, count);
                std::vector<Symbol> sum(count);
                for (std::uint32_t r = 0; r < ranks; ++r)
                    for (std::uint32_t i = 0; i < count; ++i) sum[i] += words_of(r, count)[i];
                EXPECT_TRUE(std::ranges::equal(states[root].values().all(), sum));
            }
}

TEST(ChainReduce, SendsEachChunkOverEachLinkOnceAndOneTimestepAfterTheOneBefore) {
    const Schedule schedule = make_chain_reduce(5, 2, 3);
    EXPECT_EQ(schedule.steps.size(), 3U * 4);
    EXPECT_EQ(schedule.timesteps(), 3U + 4 - 1);
    for (const Step& step : schedule.steps) {
        const std::uint32_t place = (step.from.value + 5 - 3) % 5;   // the chain begins at rank 3 and ends at rank 2
        EXPECT_EQ(step.to.value, (step.from.value + 1) % 5);
        EXPECT_LT(place, 4U);
        EXPECT_EQ(step.timestep.value, place + step.chunk.value);
    }
}

TEST(Shift, BringsTheWordsOfEachRankToTheNextAndNoFurther) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan(make_shift(3), ElementType::float32, 32, Operation::transfers);
    const auto states = after(plan, *codec, 3);   // a word a chunk
    for (std::uint32_t r = 0; r < 3; ++r) {
        const std::uint32_t before = (r + 2) % 3;
        std::vector<Symbol> held = words_of(r, 3);
        held[before] = words_of(before, 3)[before];
        EXPECT_TRUE(std::ranges::equal(states[r].values().all(), held));
    }
}

}   // namespace
}   // namespace oscar::chain_reduce_test

#include "models/compressor/quantised/one_bit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/quantised/sign_vote.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::one_bit_test {
namespace {

using namespace lossy_test;

template <class P>
CompressionResult step_of(const P& params, const std::vector<Gradient>& gradients,
                          const std::vector<TensorShape>& tensors) {
    return make_compressor(params, static_cast<std::uint32_t>(gradients.size()), 1)->step(views(gradients), tensors);
}

TEST(OneBit, BecomesTheMeansOfNegativesAndOthersOfEachTensor) {
    // {-1, -3 | 2, 0}: -2 and 1. {5, 7}: 6, and no negatives.
    const std::vector<Gradient> gradients{{-1, 2, -3, 0, 5, 7}};
    const CompressionResult step = step_of(OneBitParams{}, gradients, {{0, 4}, {4, 6}});
    EXPECT_EQ(step.sent[0], (Gradient{-2, 1, -2, 1, 6, 6}));
    // 6 signs in a word, 2 means of 2 tensors.
    EXPECT_EQ(step.exchanges[0].padded, 4u + 2 * 2 * 4);
}

TEST(OneBit, KeepsTheSumOfEveryTensor) {
    const std::vector<Gradient> gradients{normal(1001, 3)};
    const CompressionResult step = step_of(OneBitParams{}, gradients, one_tensor(1001));
    double before = 0, after = 0;
    for (std::size_t i = 0; i < 1001; ++i) {
        before += static_cast<double>(gradients[0][i]);
        after += static_cast<double>(step.sent[0][i]);
    }
    EXPECT_NEAR(before, after, 1e-3);
}

TEST(ScaledSign, BecomesTheMeanMagnitudeWithTheSign) {
    // (1 + 2 + 3 + 0) / 4 = 1.5.
    const std::vector<Gradient> gradients{{-1, 2, -3, 0}, {4, 4, 4, -4}};
    const CompressionResult step = step_of(ScaledSignParams{}, gradients, one_tensor(4));
    EXPECT_EQ(step.sent[0], (Gradient{-1.5f, 1.5f, -1.5f, 1.5f}));
    EXPECT_EQ(step.sent[1], (Gradient{4, 4, 4, -4}));
    EXPECT_EQ(step.mean, (Gradient{1.25f, 2.75f, 1.25f, -1.25f}));
    EXPECT_EQ(step.exchanges[0].padded, 4u + 4);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_gather);
}

TEST(ScaledSign, ContractsByTheShareOfItsMeanMagnitude) {
    for (std::uint64_t key = 0; key < 5; ++key) {
        const std::vector<Gradient> gradients{normal(777, key)};
        const CompressionResult step = step_of(ScaledSignParams{}, gradients, one_tensor(777));
        const double l1 = magnitude_sum(gradients[0]), l2 = squared(gradients[0]);
        EXPECT_NEAR(squared_distance(step.sent[0], gradients[0]), (1 - l1 * l1 / (777 * l2)) * l2, 1e-4 * l2);
    }
}

TEST(SignVote, GivesTheSignOfTheMajority) {
    const std::vector<Gradient> gradients{{1, -9, 1}, {1, 2, -1}, {-7, 3, -1}};
    const CompressionResult step = step_of(SignVoteParams{}, gradients, one_tensor(3));
    EXPECT_EQ(step.mean, (Gradient{1, 1, -1}));
    EXPECT_EQ(step.sent[0], (Gradient{1, -1, 1}));
}

TEST(SignVote, GivesZeroForATieAndZerosDoNotVote) {
    const std::vector<Gradient> gradients{{1, 0, 0, 0}, {-5, -0.5f, 0, -0.0f}};
    EXPECT_EQ(step_of(SignVoteParams{}, gradients, one_tensor(4)).mean, (Gradient{0, -1, 0, 0}));
}

TEST(SignVote, OfPositiveZerosCountsThemAndTiesAsOnes) {
    const std::vector<Gradient> gradients{{1, 0, -1}, {-5, -0.5f, -1}};
    EXPECT_EQ(step_of(SignVoteParams{ZeroVote::positive}, gradients, one_tensor(3)).mean, (Gradient{1, 1, -1}));
}

TEST(SignVote, SumsCountsThenGathersVerdicts) {
    // 7 ranks: 1,400 votes in 2 bits, whose sums take 3 more; shares of 200 verdicts in 1 or 2 bits, in whole words.
    const auto gradients = normal_of_ranks(7, 1400, 1);
    for (const auto& [zeros, votes, verdicts] :
         {std::tuple{ZeroVote::positive, 875u, 28u}, {ZeroVote::abstain, 875u, 52u}}) {
        const CompressionResult step = step_of(SignVoteParams{zeros}, gradients, one_tensor(1400));
        ASSERT_EQ(step.exchanges.size(), 2u);
        EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::reduce_scatter);
        EXPECT_EQ(step.exchanges[0].padded, votes);
        EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_gather);
        EXPECT_EQ(step.exchanges[1].padded, verdicts);
        EXPECT_EQ(step.exchanges[1].after, std::vector<std::uint32_t>{0});
    }
    EXPECT_FALSE(make_compressor(SignVoteParams{}, 1, 1)->takes_error_feedback());
}

}   // namespace
}   // namespace oscar::one_bit_test

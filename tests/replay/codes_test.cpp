// Codes of consecutive iterations. Most use 4 bits, so that a peak of 7 makes a step of 1 and code = round(gradient).
#include "sim/replay/codes.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/replay/captures.hpp"

namespace oscar::codes_test {
namespace {

using test::Capture;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;

MaxParams max_of_4_bits() {
    MaxParams params;
    params.bits = 4;
    return params;
}

/// A written capture and its codes.
class Source {
public:
    Source(const Capture& capture, std::uint32_t ranks, const Quantiser& quantiser,
           const ParallelFor& parallel = serial_for)
        : trace_(Trace::open(test::write_trace(folder_, "t", capture))),
          replay_(trace_, ranks, choose_layers(trace_.manifest(), "")),
          source_(replay_.tensors(), ranks, quantiser, 1, parallel) {}
    IterationCodes next(std::uint32_t position) { return source_.next(replay_, position); }

private:
    testing::TemporaryFolder folder_;
    Trace trace_;
    Replay replay_;
    CodeSource source_;
};

/// Two ranks of zeros but for what `rank0` and `rank1` begin with, 1000 values in all.
test::Gradients thousand(const std::vector<float>& rank0, const std::vector<float>& rank1) {
    test::Gradients gradients(2, std::vector<float>(1000));
    std::ranges::copy(rank0, gradients[0].begin());
    std::ranges::copy(rank1, gradients[1].begin());
    return gradients;
}

TEST(CodeSource, RoundsHalvesAwayFromZeroAndAddsExactly) {
    Source source({{0}, {{{7, -3.5, 1.4f, 0}, {3.5, -6, 2.5, 0.4f}}}}, 2, max_of_4_bits());
    const IterationCodes it = source.next(0);
    EXPECT_THAT(it.codes[0], ElementsAre(7, -4, 1, 0));
    EXPECT_THAT(it.codes[1], ElementsAre(4, -6, 3, 0));
    EXPECT_THAT(it.sum, ElementsAre(11, -10, 4, 0));
    EXPECT_THAT(it.local_peaks, ElementsAre(ElementsAre(7.f), ElementsAre(6.f)));
    EXPECT_THAT(it.peaks, ElementsAre(7.f));
    EXPECT_THAT(it.gradients[1], ElementsAre(3.5f, -6.f, 2.5f, 0.4f));
    EXPECT_EQ(it.saturated, 0u);
}

TEST(CodeSource, ExchangesFirstAndThenDerivesFromTheReducedGradient) {
    MaxParams params = max_of_4_bits();
    params.margin = 1.5;
    params.max_saturated = 1;
    Source source({{5, 6, 7}, {{{7, -4}, {4, -7}}, {{5, 1}, {3, -2}}, {{100, 1}, {1, 1}}}}, 2, params);

    const IterationCodes first = source.next(0);
    EXPECT_TRUE(first.exchanged);
    EXPECT_FALSE(first.continues);
    EXPECT_THAT(first.peaks, ElementsAre(7.f));   // rho = 7 / 11, for the sum is (11, -11)

    const IterationCodes second = source.next(1);
    EXPECT_FALSE(second.exchanged);
    EXPECT_TRUE(second.continues);
    EXPECT_THAT(second.peaks, ElementsAre(FloatEq(1.5f * 11 * 7 / 11)));
    // A step of 10.5 / 7 = 1.5: 5 -> 3, 3 -> 2, 1 -> 1, -2 -> -1; the sum is (5, 0), and 5 steps are 7.5.
    EXPECT_THAT(second.sum, ElementsAre(5, 0));

    const IterationCodes third = source.next(2);
    EXPECT_FALSE(third.exchanged);
    EXPECT_THAT(third.peaks, ElementsAre(FloatEq(1.5f * 7.5f * 7 / 11)));   // rho as last exchanged
    EXPECT_THAT(third.local_peaks, ElementsAre(ElementsAre(100.f), ElementsAre(1.f)));
    EXPECT_EQ(third.saturated, 1u);
    EXPECT_EQ(third.codes[0][0], 7);
}

TEST(CodeSource, ExchangesAgainAfterAGapInTheCapture) {
    const test::Gradients seven = {{7, 1}, {1, 1}}, three = {{3, 1}, {1, 1}};
    Source source({{5, 6, 90, 91}, {seven, seven, three, three}}, 2, max_of_4_bits());
    std::vector<bool> exchanged, continues;
    std::vector<float> peaks;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const IterationCodes it = source.next(i);
        EXPECT_EQ(it.position, i);
        exchanged.push_back(it.exchanged);
        continues.push_back(it.continues);
        peaks.push_back(it.peaks[0]);
    }
    EXPECT_THAT(exchanged, ElementsAre(true, false, true, false));
    EXPECT_THAT(continues, ElementsAre(false, true, false, true));
    EXPECT_THAT(peaks, ElementsAre(FloatEq(7), FloatEq(7), FloatEq(3), FloatEq(3)));
}

TEST(CodeSource, ExchangesAfterARankSaturatedMoreThanItsAllowance) {
    // 0.001 of 1000 values: one per rank. The peak is 7 throughout, and 14 saturates.
    Source source({{0, 1, 2, 3, 4},
                   {thousand({7}, {}), thousand({7, 14}, {0, 0, 14}), thousand({7}, {0, 14, 14}), thousand({5}, {}),
                    thousand({5}, {})}},
                  2, max_of_4_bits());
    EXPECT_EQ(source.next(0).saturated, 0u);
    const IterationCodes one_each = source.next(1);
    EXPECT_EQ(one_each.saturated, 2u);   // over both ranks
    EXPECT_EQ(one_each.codes[0][1], 7);
    const IterationCodes two_in_a_rank = source.next(2);
    EXPECT_FALSE(two_in_a_rank.exchanged);
    EXPECT_EQ(two_in_a_rank.saturated, 2u);
    const IterationCodes next = source.next(3);
    EXPECT_TRUE(next.exchanged);
    EXPECT_THAT(next.peaks, ElementsAre(5.f));
    EXPECT_FALSE(source.next(4).exchanged);
}

TEST(CodeSource, LetsThePercentileClipWhatItClipsByDesign) {
    PercentileParams params;
    params.percentile = 80;   // 2 of 10 values, and 0.1 % of them, less than one
    const std::vector<float> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, three_large = {1, 2, 3, 4, 5, 6, 7, 8.5, 9, 10};
    Source source({{0, 1, 2, 3}, {{ten, ten}, {ten, ten}, {ten, three_large}, {ten, ten}}}, 2, params);
    std::vector<bool> exchanged;
    std::vector<std::uint64_t> saturated;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const IterationCodes it = source.next(i);
        exchanged.push_back(it.exchanged);
        saturated.push_back(it.saturated);
    }
    EXPECT_THAT(exchanged, ElementsAre(true, false, false, true));
    EXPECT_THAT(saturated, ElementsAre(4u, 4u, 5u, 4u));   // 9 and 10 at each rank; 8.5 over a peak of 8
}

/// Each tensor follows its own sum, and what clips by design in either does not count against the scales.
TEST(CodeSource, DerivesAPercentilePerTensorFromTheSumsOfEachTensor) {
    PerTensorPercentileParams params;
    params.percentile = 80;   // 4 of 5 values
    const std::vector<float> now = {1, 2, 3, 4, 9, 10, 20, 30, 40, 90}, twice = {2, 4, 6, 8, 18, 10, 20, 30, 40, 90};
    Capture capture{{0, 1, 2}, {{now, now}, {twice, twice}, {twice, twice}}};
    capture.layers = {5, 5};
    Source source(capture, 2, params);
    const IterationCodes first = source.next(0), second = source.next(1), third = source.next(2);
    EXPECT_THAT(first.peaks, ElementsAre(4.f, 40.f));
    EXPECT_EQ(first.saturated, 4u);   // 9 and 90 at each rank
    EXPECT_FALSE(second.exchanged);
    EXPECT_THAT(second.peaks, ElementsAre(::testing::FloatNear(4, 0.04f), ::testing::FloatNear(40, 0.4f)));   // of sums
    EXPECT_EQ(second.saturated, 8u);   // 6, 8, 18 and 90 at each rank, of which two by design: an exchange
    EXPECT_TRUE(third.exchanged);
    EXPECT_THAT(third.peaks, ElementsAre(8.f, 40.f));
}

TEST(CodeSource, ExchangesEachTimeIfTheAgreementIsExact) {
    MaxParams params = max_of_4_bits();
    params.agreement = ScaleAgreement::exact;
    Source source({{0, 1, 2}, {{{7}, {1}}, {{1}, {5}}, {{0.5}, {0.25}}}}, 2, params);
    for (const float peak : {7.f, 5.f, 0.5f}) {
        const IterationCodes it = source.next(peak == 7 ? 0 : peak == 5 ? 1 : 2);
        EXPECT_TRUE(it.exchanged);
        EXPECT_THAT(it.peaks, ElementsAre(peak));
    }
}

TEST(CodeSource, ExchangesAfterASumThatVanished) {
    Source source({{0, 1}, {{{7, 1}, {-7, -1}}, {{3, 1}, {1, 1}}}}, 2, max_of_4_bits());
    EXPECT_THAT(source.next(0).sum, ElementsAre(0, 0));
    const IterationCodes it = source.next(1);
    EXPECT_TRUE(it.continues);
    EXPECT_TRUE(it.exchanged);
    EXPECT_THAT(it.peaks, ElementsAre(3.f));
}

TEST(CodeSource, ScalesEachLayerByItselfPerTensor) {
    PerTensorParams params;
    params.bits = 4;
    Source source({{0, 1}, {{{7, 2}, {1, 1}}, {{7, 2}, {1, 1}}}, {1, 1}}, 2, params);
    EXPECT_THAT(source.next(0).peaks, ElementsAre(7.f, 2.f));
    EXPECT_THAT(source.next(1).peaks.size(), 2u);

    // Steps 1 and 1/8; 3.5 steps up, -3.5 steps down.
    Source layers({{0}, {{{7, 3.5, 0.875, 0.25, -0.4375}, {1, 0, 0, 0, 0}}}, {2, 3}}, 2, params);
    const IterationCodes it = layers.next(0);
    EXPECT_THAT(it.peaks, ElementsAre(7.f, 0.875f));
    EXPECT_THAT(it.local_peaks[1], ElementsAre(1.f, 0.f));
    EXPECT_THAT(it.codes[0], ElementsAre(7, 4, 7, 2, -4));
}

TEST(CodeSource, TakesTheFirstOfMoreRanksThanItNeeds) {
    Source source({{0}, {{{7, 1}, {2, 2}, {100, 100}}}}, 2, max_of_4_bits());
    const IterationCodes it = source.next(0);
    EXPECT_EQ(it.codes.size(), 2u);
    EXPECT_THAT(it.peaks, ElementsAre(7.f));
    EXPECT_THAT(it.sum, ElementsAre(9, 3));
}

TEST(CodeSource, TellsErrorAndCosineOfTheSumAgainstDoublePrecision) {
    const test::Gradients g = test::random_gradients(3, 500, 1);
    PercentileParams params;
    params.percentile = 99;
    Source source({{0}, {g}}, 3, params);
    const IterationCodes it = source.next(0);
    EXPECT_GT(it.saturated, 0u);
    EXPECT_LE(it.saturated, 15u);   // 5 of 500 at the rank whose peak it is, no more at the others
    double error = 0, exact = 0, reduced = 0, product = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        const double sum = double{g[0][i]} + double{g[1][i]} + double{g[2][i]};
        const int code = it.codes[0][i] + it.codes[1][i] + it.codes[2][i];
        EXPECT_EQ(it.sum[i], code);
        const double value = code * double{it.peaks[0]} / 127;
        error += (value - sum) * (value - sum);
        exact += sum * sum;
        reduced += value * value;
        product += value * sum;
    }
    EXPECT_NEAR(it.fidelity.relative_l2_error, std::sqrt(error / exact), 1e-7);   // the sum is held in fp32
    EXPECT_NEAR(it.fidelity.cosine, product / std::sqrt(exact * reduced), 1e-7);
    EXPECT_GT(it.fidelity.relative_l2_error, 1e-4);
}

TEST(CodeSource, AddsTheResidualOfEachRankToItsNextGradientUntilAGap) {
    MaxParams params = max_of_4_bits();
    params.agreement = ScaleAgreement::exact;
    params.residual = true;
    // The peak of 7 makes a step of 1. Rank 0 keeps 0.4, then 0.8 -> 1 - 0.2, and so on; rank 1 has 0.5 -> 1 - 0.5.
    const test::Gradients g = {{7, 0.4f}, {7, 0.5f}};
    Source source({{0, 1, 2, 9}, {g, g, g, g}}, 2, params);
    EXPECT_THAT(source.next(0).sum, ElementsAre(14, 0 + 1));
    EXPECT_THAT(source.next(1).sum, ElementsAre(14, 1 + 0));   // 0.8 and 0
    EXPECT_THAT(source.next(2).sum, ElementsAre(14, 0 + 1));   // 0.2 and 0.5
    EXPECT_THAT(source.next(3).sum, ElementsAre(14, 0 + 1));   // begins anew
}

TEST(CodeSource, DrawsOtherRoundingsForEachRankAndIteration) {
    MaxParams params = max_of_4_bits();
    params.rounding = Rounding::stochastic;
    std::vector<float> row(200, 0.5f);
    row[0] = 7;
    Source source({{0, 1}, {{row, row}, {row, row}}}, 2, params);
    const auto first = source.next(0).codes, second = source.next(1).codes;
    EXPECT_NE(first[0], first[1]);
    EXPECT_NE(first[0], second[0]);
}

TEST(CodeSource, MakesTheSameInEveryOrderOfTheRanks) {
    PercentileParams params;
    params.rounding = Rounding::stochastic;
    params.residual = true;
    const Capture capture = test::random_capture(3, 4, 500);
    Source forwards(capture, 4, params);
    Source backwards(capture, 4, params, [](std::size_t count, const std::function<void(std::size_t)>& body) {
        for (std::size_t i = count; i > 0; --i) body(i - 1);
    });
    for (const std::uint32_t position : {0u, 1u, 2u}) {
        const IterationCodes a = forwards.next(position), b = backwards.next(position);
        EXPECT_EQ(a.gradients, b.gradients);
        EXPECT_EQ(a.codes, b.codes);
        EXPECT_EQ(a.local_peaks, b.local_peaks);
        EXPECT_EQ(a.peaks, b.peaks);
        EXPECT_EQ(a.saturated, b.saturated);
        EXPECT_EQ(a.fidelity.relative_l2_error, b.fidelity.relative_l2_error);
    }
}

TEST(CodeSource, MakesZerosOfGradientsThatAreAllZero) {
    const test::Gradients zeros = {{0, 0, 0}, {0, 0, 0}};
    Source source({{0, 1}, {zeros, zeros}}, 2, MaxParams{});
    for (const std::uint32_t position : {0u, 1u}) {
        const IterationCodes it = source.next(position);
        EXPECT_TRUE(it.exchanged);   // a peak of zero gives no scale to go on with
        EXPECT_THAT(it.peaks, ElementsAre(0.f));
        EXPECT_THAT(it.codes, Each(Each(0)));
        EXPECT_THAT(it.sum, ElementsAre(0, 0, 0));
        EXPECT_EQ(it.saturated, 0u);
        EXPECT_EQ(it.fidelity.relative_l2_error, 0);
        EXPECT_EQ(it.fidelity.cosine, 1);
    }
}

}   // namespace
}   // namespace oscar::codes_test

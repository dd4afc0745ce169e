#include "models/quantise/quantiser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "models/core/random.hpp"
#include "models/quantise/error_feedback.hpp"
#include "models/quantise/fidelity.hpp"
#include "models/quantise/shared_scale.hpp"

namespace oscar::quantiser_test {
namespace {

std::vector<float> heavy_tailed(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> exponent(0, 2), sign(0, 1);
    std::vector<float> values(n);
    for (float& v : values) v = std::copysign(1e-4f * std::exp(exponent(random)), sign(random));
    return values;
}

FixedPoint of_bits(std::uint32_t bits) {
    FixedPoint params;
    params.bits = bits;
    return params;
}

const std::vector<Segment> two_tensors{{0, 300}, {300, 1000}};

TEST(Quantiser, OfEveryKindIsWithinHalfAStepWhereItDoesNotSaturate) {
    for_each_kind(quantisers, []<class P>(const Kind<P>& kind) {
        for (const std::uint32_t bits : {2u, 4u, 8u, 16u}) {
            SCOPED_TRACE(::testing::Message() << kind.name << " int" << bits);
            P params;
            params.bits = bits;
            const auto values = heavy_tailed(1000, bits);
            const auto groups = scale_groups(params, two_tensors);
            const auto peak = peaks(params, values, groups);
            const Quantised q = quantise(values, groups, peak, params);
            const auto back = dequantise(q.codes, groups, peak, bits);
            const auto limit = (1 << (bits - 1)) - 1;
            std::uint64_t saturated = 0;
            for (std::size_t g = 0; g < groups.size(); ++g)
                for (std::uint32_t i = groups[g].begin; i < groups[g].end; ++i) {
                    const double step = static_cast<double>(peak[g]) / limit;
                    EXPECT_LE(std::abs(q.codes[i]), limit);
                    if (std::fabs(static_cast<double>(values[i])) <= static_cast<double>(peak[g]))
                        EXPECT_LE(std::fabs(static_cast<double>(back[i] - values[i])), step / 2 * (1 + 1e-6));
                    else if (std::round(std::fabs(static_cast<double>(values[i])) / step) > limit) ++saturated;
                }
            EXPECT_EQ(q.saturated, saturated);
        }
    });
}

TEST(Quantiser, RoundsHalvesAwayFromZeroAndSaturates) {
    const std::vector<float> values{0.5f, -0.5f, 1.5f, 2.4f, 7.0f, 9.0f, -100.0f, 0.0f};
    const std::vector<Segment> whole{{0, 8}};
    const Quantised q = quantise(values, whole, std::vector<float>{7.0f}, of_bits(4));   // step 1, codes -7..7
    EXPECT_EQ(q.codes, (std::vector<std::int32_t>{1, -1, 2, 2, 7, 7, -7, 0}));
    EXPECT_EQ(q.saturated, 2u);
}

TEST(Quantiser, GivesZerosForAGroupWithoutGradient) {
    const std::vector<float> values(10);
    const std::vector<Segment> whole{{0, 10}};
    const Quantised q = quantise(values, whole, peaks(MaxParams{}, values, whole), of_bits(8));
    EXPECT_EQ(q.codes, std::vector<std::int32_t>(10));
    EXPECT_EQ(q.saturated, 0u);
}

TEST(Quantiser, RoundsStochasticallyWithoutBiasAndNeverAStepAway) {
    FixedPoint params = of_bits(4);
    params.rounding = Rounding::stochastic;
    const std::vector<float> values(40'000, 2.3f);
    const std::vector<Segment> whole{{0, 40'000}};
    const Quantised q = quantise(values, whole, std::vector<float>{7.0f}, params, 5);   // step 1
    const double ups = static_cast<double>(std::ranges::count(q.codes, 3));
    EXPECT_EQ(std::ranges::count(q.codes, 2), 40'000 - std::ranges::count(q.codes, 3));
    EXPECT_NEAR(ups / 40'000, 0.3, 4 * std::sqrt(0.3 * 0.7 / 40'000));   // four standard deviations
    EXPECT_EQ(quantise(values, whole, std::vector<float>{7.0f}, params, 5).codes, q.codes);
    EXPECT_NE(quantise(values, whole, std::vector<float>{7.0f}, params, 6).codes, q.codes);
}

TEST(Quantiser, LeavesWholeCodesAloneWhenStochastic) {
    FixedPoint params = of_bits(4);
    params.rounding = Rounding::stochastic;
    const std::vector<float> values{-7, -1, 0, 1, 6, 7, 9};
    const Quantised q = quantise(values, std::vector<Segment>{{0, 7}}, std::vector<float>{7.0f}, params, 1);
    EXPECT_EQ(q.codes, (std::vector<std::int32_t>{-7, -1, 0, 1, 6, 7, 7}));
    EXPECT_EQ(q.saturated, 1u);
}

/// By the definition, value by value.
TEST(Quantiser, IsTheClampedRoundedQuotientForValuesOfEverySize) {
    constexpr double limit = 127;
    constexpr float peak = 0.37f;
    const double step = static_cast<double>(peak) / limit;
    std::vector<float> values = heavy_tailed(5000, 3);
    for (const double quotient : {0.0, 0.5, 1.5, 126.5, 127.0, 127.49, 127.5, 128.0, 128.5, 129.0, 1e9, 1e12, 1e30})
        for (const double sign : {-1.0, 1.0}) {
            const auto value = static_cast<float>(sign * quotient * step);
            values.insert(values.end(),
                          {value, std::nextafter(value, 0.0f), std::nextafter(value, sign > 0 ? 1e38f : -1e38f)});
        }
    const std::vector<Segment> groups{{0, 7}, {7, static_cast<std::uint32_t>(values.size())}};
    const std::vector<float> peaks{peak, peak};
    for (const Rounding rounding : {Rounding::nearest, Rounding::stochastic}) {
        FixedPoint params = of_bits(8);
        params.rounding = rounding;
        const Quantised found = quantise(values, groups, peaks, params, 9);
        std::uint64_t saturated = 0;
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            const double quotient = static_cast<double>(values[i]) / step;
            const double code =
                rounding == Rounding::nearest ? std::round(quotient) : std::floor(quotient + uniform_at(9, i));
            saturated += std::fabs(code) > limit ? 1 : 0;
            ASSERT_EQ(found.codes[i], static_cast<std::int32_t>(std::clamp(code, -limit, limit))) << values[i];
        }
        EXPECT_EQ(found.saturated, saturated);
    }
}

TEST(ErrorFeedbackOf, WhatWasNotSentComesWithTheNextGradientAndNothingIsLost) {
    ErrorFeedback feedback;
    const std::vector<float> gradient{1.0f, -0.25f, 3.0f};
    std::vector<float> sent_in_all(3);
    for (int t = 0; t < 8; ++t) {
        const auto values = feedback.corrected(gradient);
        std::vector<float> sent(3);
        std::ranges::transform(values, sent.begin(), [](float v) { return std::trunc(v); });
        feedback.keep(values, sent);
        for (std::size_t i = 0; i < 3; ++i) sent_in_all[i] += sent[i];
    }
    // -0.25 goes out as -1 every fourth time; all numbers are exact in fp32.
    EXPECT_EQ(sent_in_all, (std::vector<float>{8, -2, 24}));
    EXPECT_EQ(std::vector<float>(feedback.residual().begin(), feedback.residual().end()),
              (std::vector<float>{0, 0, 0}));
    feedback.keep(gradient, std::vector<float>{0, 0, 0});
    feedback.reset();
    EXPECT_EQ(feedback.corrected(gradient), gradient);
}

TEST(Quantiser, PercentileIsTheNearestRank) {
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 1.0f);   // 1 .. 1000, shuffled signs
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = -values[i];
    const std::vector<Segment> whole{{0, 1000}};
    PercentileParams p;
    p.percentile = 99.9;
    EXPECT_EQ(peaks(p, values, whole).front(), 999.0f);   // 99.9 % of 1000 values do not exceed the 999th
    p.percentile = 100;
    EXPECT_EQ(peaks(p, values, whole).front(), 1000.0f);
    p.percentile = 50.01;
    EXPECT_EQ(peaks(p, values, whole).front(), 501.0f);   // 50.01 % are more than 500 values
}

TEST(Quantiser, PercentileIsTheNearestRankOfValuesOfEveryOrder) {
    constexpr std::size_t size = 50'000;
    std::mt19937_64 random(1);
    std::vector<float> scattered(size), equal(size, -3), few(size);
    for (float& value : scattered) value = static_cast<float>(std::exp(static_cast<double>(random() % 4000) / 400 - 5));
    for (std::size_t i = 0; i < size; i += 3) scattered[i] = -scattered[i];
    for (std::size_t i = 1; i < size; i += 1000) few[i] = static_cast<float>(i);   // a sample may see none of these
    std::vector<float> periodic(size, 0.5f);   // a sample of every seventh value takes most for large ones
    for (std::size_t i = 0; i < size; i += 7) periodic[i] = static_cast<float>(i + 1);
    std::vector<float> ascending = scattered;
    std::ranges::sort(ascending);
    for (const std::vector<float>& values : {scattered, equal, few, periodic, ascending})
        for (const double percentile : {50.0, 95.0, 99.0, 99.9, 99.99, 100.0}) {
            PercentileParams params;
            params.percentile = percentile;
            std::vector<float> sorted = values;
            for (float& value : sorted) value = std::fabs(value);
            std::ranges::sort(sorted);
            EXPECT_EQ(peaks(params, values, std::vector<Segment>{{0, size}})[0],
                      sorted[nearest_rank(percentile, size) - 1])
                << percentile;
        }
}

TEST(Quantiser, PerTensorHasAScalePerTensorAndTheOthersOne) {
    EXPECT_EQ(scale_groups(PerTensorParams{}, two_tensors), two_tensors);
    EXPECT_EQ(scale_groups(PerTensorPercentileParams{}, two_tensors), two_tensors);
    EXPECT_EQ(scale_groups(MaxParams{}, two_tensors), (std::vector<Segment>{{0, 1000}}));
    EXPECT_EQ(scale_groups(PercentileParams{}, two_tensors), (std::vector<Segment>{{0, 1000}}));
}

TEST(Quantiser, PercentilePerTensorIsTheNearestRankOfEachTensor) {
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 1.0f);   // the tensors have 1 .. 300 and 301 .. 1000
    PerTensorPercentileParams params;
    params.percentile = 99;
    EXPECT_EQ(peaks(params, values, two_tensors), (std::vector<float>{297, 993}));   // the 297th of 300, 693rd of 700
    params.percentile = 100;
    EXPECT_EQ(peaks(params, values, two_tensors), (std::vector<float>{300, 1000}));
}

TEST(Quantiser, PercentilePerTensorClipsNothingOfTensorsWithFewerValuesThanItCutsOneOf) {
    const std::vector<float> values = heavy_tailed(999, 1);   // 0.1 % of 999 are less than one
    const std::vector<Segment> three{{0, 1}, {1, 400}, {400, 999}};
    EXPECT_EQ(peaks(PerTensorPercentileParams{}, values, three), peaks(PerTensorParams{}, values, three));
}

/// As of an embedding, of which a batch meets few rows; a scale of 0 would lose them without a value that saturates.
TEST(Quantiser, PercentilePerTensorTakesTheLargestMagnitudeWhereThePercentileIsZero) {
    std::vector<float> values(2000);
    values[700] = -3;                                             // 1 of 1000 values: 99.9 % are 0
    for (std::size_t i = 1000; i < 2000; ++i) values[i] = 0.5f;   // more of them: the percentile is their magnitude
    values[1999] = 9;
    const std::vector<Segment> tensors{{0, 1000}, {1000, 2000}};
    const PerTensorPercentileParams params;
    EXPECT_EQ(peaks(params, values, tensors), (std::vector<float>{3, 0.5f}));
    const Quantised codes = quantise(values, tensors, peaks(params, values, tensors), params);
    EXPECT_EQ(codes.codes[700], -127);
    EXPECT_EQ(codes.saturated, 1u);   // the 9
    EXPECT_EQ(peaks(params, std::vector<float>(5), std::vector<Segment>{{0, 5}}), std::vector<float>{0});
}

TEST(WidenedBits, GrowByTheCeilingOfLog2OfTheRanks) {
    const std::vector<std::uint32_t> expected{8, 9, 10, 10, 11, 11, 11, 11, 12};   // 8 + ceil(log2 k), k = 1 ..
    for (std::uint32_t k = 1; k <= expected.size(); ++k) EXPECT_EQ(widened_bits(8, k), expected[k - 1]) << k;
}

TEST(WidenedBits, HoldTheSumOfTheLargestCodes) {
    for (std::uint32_t bits = 2; bits <= 16; ++bits)
        for (std::uint32_t k = 1; k <= 300; ++k)
            EXPECT_LT(std::int64_t{k} * ((1 << (bits - 1)) - 1), std::int64_t{1} << (widened_bits(bits, k) - 1));
}

class Sharing : public ::testing::Test {
protected:
    SharedScale scale_{PercentileParams{}};
    const std::vector<Segment> whole_{{0, 4}};
    /// An iteration whose sum peaks at `peak`.
    void observe(float used, bool exchanged, float peak, bool saturated = false) {
        scale_.observe(std::vector<float>{used}, exchanged, std::vector<float>{0, peak, -peak / 2, 0}, whole_,
                       saturated);
    }
};

TEST_F(Sharing, StartsWithAnExchange) { EXPECT_FALSE(scale_.derived()); }

TEST_F(Sharing, FollowsTheReducedGradientAfterwards) {
    observe(1.0f, true, 4.0f);   // ratio 1/4
    EXPECT_FLOAT_EQ(scale_.derived()->front(), 1.0f);
    observe(1.0f, false, 6.0f);
    EXPECT_FLOAT_EQ(scale_.derived()->front(), 1.5f);
}

TEST_F(Sharing, ExchangesAgainAfterSaturationAVanishedSumOrAReset) {
    observe(1.0f, true, 4.0f, true);
    EXPECT_FALSE(scale_.derived());
    observe(1.0f, true, 0.0f);
    EXPECT_FALSE(scale_.derived());
    observe(1.0f, true, 4.0f);
    EXPECT_TRUE(scale_.derived());
    scale_.reset();
    EXPECT_FALSE(scale_.derived());
}

TEST_F(Sharing, AlwaysExchangesWhenToldExact) {
    PercentileParams exact;
    exact.agreement = ScaleAgreement::exact;
    SharedScale scale{exact};
    scale.observe(std::vector<float>{1}, true, std::vector<float>{1, 2, 3, 4}, whole_, false);
    EXPECT_FALSE(scale.derived());
}

TEST(MaySaturate, WhatIsClippedByDesignAndTheAllowance) {
    EXPECT_EQ(may_saturate(PercentileParams{}, 10'000), 20u);   // 0.1 % above the percentile, 0.1 % allowed
    EXPECT_EQ(may_saturate(PerTensorPercentileParams{}, 10'000), 20u);
    EXPECT_EQ(may_saturate(MaxParams{}, 10'000), 10u);
    EXPECT_EQ(may_saturate(PerTensorParams{}, 10'000), 10u);
}

TEST_F(Sharing, TakesTheLargestOfTheRanksPeaksPerGroup) {
    EXPECT_EQ(SharedScale::largest(std::vector<std::vector<float>>{{1, 5}, {3, 2}, {2, 4}}),
              (std::vector<float>{3, 5}));
}

TEST(FidelityOf, TheExactSumIsPerfect) {
    const std::vector<float> a{1, 2, 3}, b{4, -2, 1}, sum{5, 0, 4};
    const std::vector<std::span<const float>> gradients{a, b};
    const Fidelity f = fidelity(sum, gradients);
    EXPECT_EQ(f.relative_l2_error, 0);
    EXPECT_DOUBLE_EQ(f.cosine, 1);
}

TEST(FidelityOf, AnErrorIsRelativeToTheNormOfTheSum) {
    const std::vector<float> a{3, 4}, reduced{3, 0};
    const std::vector<std::span<const float>> gradients{a};
    const Fidelity f = fidelity(reduced, gradients);
    EXPECT_DOUBLE_EQ(f.relative_l2_error, 4.0 / 5);   // |(0, 4)| / |(3, 4)|
    EXPECT_DOUBLE_EQ(f.cosine, 3.0 / 5);              // 9 / (3 * 5)
}

TEST(FidelityOf, NothingIsPerfectAndSomethingForNothingIsNot) {
    const std::vector<float> zeros{0, 0}, something{1, 0};
    const std::vector<std::span<const float>> gradients{zeros};
    EXPECT_EQ(fidelity(zeros, gradients).relative_l2_error, 0);
    EXPECT_EQ(fidelity(zeros, gradients).cosine, 1);
    EXPECT_TRUE(std::isinf(fidelity(something, gradients).relative_l2_error));
}

TEST(FidelityOf, AWholeIsThatOfItsPartsDeviationsTogether) {
    const std::vector<float> whole{3, 4, 12}, reduced{3, 0, 11};
    const auto of = [&](std::size_t from, std::size_t count) {
        const std::vector gradients{std::span(whole).subspan(from, count)};
        return fidelity(std::span(reduced).subspan(from, count), gradients);
    };
    Deviation both = of(0, 2).deviation;
    both += of(2, 1).deviation;
    const Fidelity f = fidelity(both);
    EXPECT_DOUBLE_EQ(f.relative_l2_error, of(0, 3).relative_l2_error);
    EXPECT_DOUBLE_EQ(f.relative_l2_error, std::sqrt(17.0) / 13);   // |(0, 4, 1)| / |(3, 4, 12)|
    EXPECT_DOUBLE_EQ(f.cosine, (9 + 132) / (13 * std::sqrt(130.0)));
}

}   // namespace
}   // namespace oscar::quantiser_test

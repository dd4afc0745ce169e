#include "models/compressor/quantised/terngrad.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::terngrad_test {
namespace {

using namespace lossy_test;

CompressionResult step_of(const TernGradParams& params, const std::vector<Gradient>& gradients) {
    return make_compressor(params, static_cast<std::uint32_t>(gradients.size()), 1)
        ->step(views(gradients), one_tensor(gradients[0].size()));
}

TernGradParams sharing(double clip = 2.5) {
    TernGradParams params;
    params.scaler = Scaler::shared;
    params.clip = clip;
    return params;
}

TEST(TernGrad, SendsOneMagnitudeWithBothSignsOrZero) {
    const std::vector<Gradient> gradients{normal(2000, 4)};
    const CompressionResult step = step_of({}, gradients);
    // Of 2000 normal values some pass 2.5 deviations, so the clip is the scaler.
    const auto scaler = static_cast<float>(2.5 * standard_deviation(gradients[0]));
    ASSERT_GT(max_magnitude(gradients[0]), scaler);
    for (std::size_t i = 0; i < 2000; ++i) {
        const float sent = step.sent[0][i];
        EXPECT_TRUE(sent == 0 || sent == std::copysign(scaler, gradients[0][i]));
        EXPECT_TRUE(sent != 0 || std::fabs(gradients[0][i]) < scaler);
    }
}

TEST(TernGrad, IsTheClippedValueOnAverage) {
    const Gradient values{0.5f, -1, 4, 0, 0.25f, -0.125f};
    for (const double clip : {0.0, 1.0}) {
        TernGradParams params;
        params.clip = clip;
        const auto terngrad = make_compressor(params, 1, 5);
        const std::vector<Gradient> gradients{values};
        constexpr int steps = 10'000;
        std::vector<double> sum(values.size());
        for (int s = 0; s < steps; ++s) {
            const CompressionResult step = terngrad->step(views(gradients), one_tensor(values.size()));
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(step.mean[i]);
        }
        const double limit = clip > 0 ? standard_deviation(values) : 4;
        for (std::size_t i = 0; i < sum.size(); ++i) {
            const double exact = std::clamp(static_cast<double>(values[i]), -limit, limit);
            EXPECT_NEAR(sum[i] / steps, exact, 5 * limit / 2 / std::sqrt(steps));   // five deviations
        }
    }
}

TEST(TernGrad, DoesNotEraseATensorOfEqualValues) {
    const CompressionResult step = step_of({}, {Gradient(5, -3.0f)});
    EXPECT_EQ(step.mean, Gradient(5, -3.0f));
}

TEST(TernGrad, SumsIntegersOfTheLargestScalerWhereItIsShared) {
    const std::vector<Gradient> gradients{normal(600, 1), normal(600, 2, 3.0), normal(600, 3)};
    const CompressionResult step = step_of(sharing(0), gradients);
    const float scaler = max_magnitude(gradients[1]);
    for (std::size_t i = 0; i < 600; ++i) {
        const float votes = step.mean[i] / scaler * 3;
        EXPECT_NEAR(votes, std::round(votes), 1e-4);
        EXPECT_NEAR(step.mean[i], (step.sent[0][i] + step.sent[1][i] + step.sent[2][i]) / 3, 1e-5);
    }
}

TEST(TernGrad, ClipsEachRankBeforeScalersAreShared) {
    // Rank 0 clips at 1 deviation, sqrt(0.75), of {0, 0, 0, 2}; rank 1 at 4, its deviation of {-4, -4, 4, 4}.
    const std::vector<Gradient> gradients{{0, 0, 0, 2}, {-4, -4, 4, 4}};
    const auto terngrad = make_compressor(sharing(1), 2, 1);
    double sum = 0;
    for (int s = 0; s < 10'000; ++s)
        sum += static_cast<double>(terngrad->step(views(gradients), one_tensor(4)).sent[0][3]);
    EXPECT_NEAR(sum / 10'000, std::sqrt(0.75), 5 * 2 / std::sqrt(10'000));
}

TEST(TernGrad, WeighsItsMessagesByTheirPacking) {
    // 1000 values: 252 bytes at 2 bits in whole words, 200 at five in a byte, a twentieth of 4000; 4 bytes of the
    // scaler.
    const auto gradients = normal_of_ranks(2, 1000, 1);
    for (const auto& [packing, bytes] : {std::pair{TernaryPacking::two_bits, 256u},
                                         {TernaryPacking::five_in_a_byte, 204u},
                                         {TernaryPacking::byte, 1004u}}) {
        TernGradParams params;
        params.packing = packing;
        const CompressionResult step = step_of(params, gradients);
        ASSERT_EQ(step.exchanges.size(), 1u);
        EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_gather);
        EXPECT_EQ(step.exchanges[0].padded, bytes);
    }
}

TEST(TernGrad, SumsTakeTheBitsOfTwoTimesTheRanksAndOne) {
    // 8 ranks: 17 values take 5 bits.
    const CompressionResult step = step_of(sharing(), normal_of_ranks(8, 800, 1));
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].padded, 4u);
    EXPECT_EQ(step.exchanges[1].padded, 500u);
    EXPECT_EQ(step.exchanges[1].after, std::vector<std::uint32_t>{0});
}

TEST(TernGrad, RefusesANegativeClip) {
    TernGradParams params;
    params.clip = -1;
    EXPECT_THROW(make_compressor(params, 1, 1), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::terngrad_test

#include "models/compressor/base/stochastic_rounding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/compressor/gradients.hpp"

namespace oscar::stochastic_rounding_test {
namespace {

using namespace lossy_test;

std::vector<std::int8_t> rounded(std::span<const float> values, const RoundingPlan& plan, std::uint64_t key) {
    std::vector<std::int8_t> codes(values.size());
    round_stochastically(values, plan, key, codes);
    return codes;
}

TEST(StochasticRounding, IsRightOnAverage) {
    // 40,000 draws of variance at most 1/4: five deviations are 5 * 0.5 / 200 = 0.0125 levels.
    for (const float exact : {0.0f, 0.1f, 0.5f, 2.25f, 6.9f, -3.75f}) {
        const Gradient values(40'000, exact);
        const std::array scale{level_scale(7, 7)};
        double sum = 0;
        for (const std::int8_t code : rounded(values, {scale, values.size(), 7}, 1)) sum += code;
        EXPECT_NEAR(sum / 40'000, static_cast<double>(exact), 0.0125);
    }
}

TEST(StochasticRounding, GivesOnlyTheTwoNextLevelsAndWholeOnesExactly) {
    const Gradient values{3, -5, 2.5f, -2.5f, 0, 7};
    const std::array scale{level_scale(7, 7)};
    for (std::uint64_t key = 0; key < 50; ++key) {
        const auto codes = rounded(values, {scale, values.size(), 7}, key);
        EXPECT_EQ(codes[0], 3);
        EXPECT_EQ(codes[1], -5);
        EXPECT_TRUE(codes[2] == 2 || codes[2] == 3);
        EXPECT_TRUE(codes[3] == -2 || codes[3] == -3);
        EXPECT_EQ(codes[4], 0);
        EXPECT_EQ(codes[5], 7);
    }
}

TEST(StochasticRounding, CountsLargerValuesAsTheLimitOrTheHighestLevel) {
    const Gradient values{100, -100};
    const std::array scale{level_scale(1, 4)};
    EXPECT_EQ(rounded(values, {scale, 2, 1}, 1), (std::vector<std::int8_t>{1, -1}));
    EXPECT_EQ(rounded(values, {scale, 2, 1, 0.0f}, 1), (std::vector<std::int8_t>{0, 0}));
}

TEST(StochasticRounding, UsesEachBucketsOwnScaleAcrossBlocksOfDraws) {
    // Buckets of 700 in blocks of 1024 draws: bucket b holds 5 - b, its norm, so every code is the highest level.
    const std::size_t bucket = 700, buckets = 5;
    Gradient values(bucket * buckets);
    std::vector<LevelScale> scales;
    for (std::size_t b = 0; b < buckets; ++b) {
        for (std::size_t i = 0; i < bucket; ++i) values[b * bucket + i] = static_cast<float>(buckets - b);
        scales.push_back(level_scale(64, static_cast<float>(buckets - b)));
    }
    for (const std::int8_t code : rounded(values, {scales, bucket, 64}, 9)) ASSERT_NEAR(code, 64, 1);
}

TEST(StochasticRounding, HandlesTheSmallestAndTheLargestFloats) {
    for (const float size : {1e-45f, 1e-40f, 1e-38f, 1e38f, 3.4e38f}) {
        const Gradient values{size, -size, 0};
        const std::array scale{level_scale(100, size)};
        const auto codes = rounded(values, {scale, 3, 100}, 4);
        EXPECT_NEAR(codes[0], 100, 1) << size;
        EXPECT_NEAR(codes[1], -100, 1) << size;
        EXPECT_EQ(codes[2], 0);
    }
}

TEST(StochasticRounding, OfNormZeroGivesZeros) {
    const std::array scale{level_scale(127, 0)};
    EXPECT_EQ(rounded(Gradient{0, -0.0f}, {scale, 2, 127}, 3), (std::vector<std::int8_t>{0, 0}));
}

TEST(StochasticRounding, GivesTheSameCodesInBothWidths) {
    const Gradient values = normal(3000, 5);
    const std::vector scales(30, level_scale(100, 6));
    const RoundingPlan plan{scales, 100, 100};
    std::vector<std::int16_t> wide(values.size());
    round_stochastically(values, plan, 8, wide);
    EXPECT_EQ(std::vector<std::int16_t>(wide), [&] {
        const auto narrow = rounded(values, plan, 8);
        return std::vector<std::int16_t>(narrow.begin(), narrow.end());
    }());
}

TEST(StochasticRounding, GivesTheSameOnEveryHost) {
    // The loops are compiled for this host; this one is not.
    const Gradient values = normal(5000, 15);
    std::vector<LevelScale> scales;
    for (std::size_t b = 0; b < 50; ++b) scales.push_back(level_scale(31, 2 + static_cast<float>(b) / 10));
    const auto codes = rounded(values, {scales, 100, 31, 2.5f}, 77);
    UniformBlock uniform;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % draw_block == 0) draw_uniform(77, i / draw_block, uniform);
        const float exact = std::min(std::fabs(values[i]), 2.5f) * scales[i / 100].shift * scales[i / 100].factor;
        const float level = std::min(31.0f, std::floor(exact) + (uniform[i % draw_block] < exact - std::floor(exact)));
        ASSERT_EQ(codes[i], static_cast<int>(std::copysign(level, values[i]))) << i;
    }
}

TEST(StochasticRounding, DrawsFromTheStreamByPosition) {
    // Element 3 of block 2 takes the low half of word 2 * 512 + 3, element 515 its high half.
    UniformBlock uniform;
    draw_uniform(42, 2, uniform);
    const std::uint64_t word = random_at(42, 1027);
    EXPECT_EQ(uniform[3], static_cast<float>((word >> 8) & 0xffffff) * 0x1p-24f);
    EXPECT_EQ(uniform[515], static_cast<float>(word >> 40) * 0x1p-24f);
}

}   // namespace
}   // namespace oscar::stochastic_rounding_test

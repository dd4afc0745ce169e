#include "models/compressor/quantised/thc.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/quantised/thc_rounding.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::thc_test {
namespace {

using namespace lossy_test;

CompressionResult step_of(const ThcParams& params, const std::vector<Gradient>& gradients) {
    return make_compressor(params, static_cast<std::uint32_t>(gradients.size()), 4)
        ->step(views(gradients), one_tensor(gradients[0].size()));
}

TEST(ThcRounding, IsRightOnAverageWithinTheTable) {
    const ThcTable table = make_thc_table(4, 30, 1.0 / 32);
    const ThcRounding round(table);
    constexpr std::size_t draws = 40'000;
    std::vector<std::uint8_t> levels(draws);
    for (const float value : {-1.0f, -0.77f, -0.1f, 0.0f, 0.123f, 0.9f, 1.0f}) {
        round(Gradient(draws, value / 2), 2, 1, 9, levels);
        double sum = 0;
        for (const std::uint8_t level : levels) sum += table.values[level];
        // The widest gap is 4 of 30 integers: five deviations of a mean of 40,000 are 5 * 2 / 200.
        EXPECT_NEAR(sum / draws, (static_cast<double>(value) + 1) * 15, 0.05) << value;
    }
}

TEST(ThcRounding, GivesTheLevelsNextToAValueAndClampsTheRest) {
    const ThcTable table = make_thc_table(4, 30, 1.0 / 128);
    const ThcRounding round(table);
    Gradient values = normal(5000, 2, 0.5);
    values.insert(values.end(), {1e30f, -1e30f});
    std::vector<std::uint8_t> levels(values.size());
    round(values, 1, 1, 3, levels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double place = std::clamp(static_cast<double>(values[i]) * 15 + 15, 0.0, 30.0);
        const std::size_t level = levels[i];
        ASSERT_LT(level, 16u);
        const double below = level > 0 ? table.values[level - 1] : 0, above = level < 15 ? table.values[level + 1] : 30;
        EXPECT_GE(place, below - 1e-5);
        EXPECT_LE(place, above + 1e-5);
    }
}

TEST(ThcRounding, KeepsWholeLevels) {
    const ThcTable table = make_thc_table(3, 21, 1.0 / 32);
    const ThcRounding round(table);
    for (std::uint32_t level = 0; level < 8; ++level) {
        std::vector<std::uint8_t> levels(1);
        // Placed exactly: (value - 10.5) / 10.5 and back differ by rounding only, which the draw hardly ever sees.
        round(Gradient{(static_cast<float>(table.values[level]) - 10.5f) / 10.5f}, 1, 1, level, levels);
        EXPECT_EQ(levels[0], level);
    }
}

TEST(Thc, IsNearTheGradientAndNearerWithMoreBits) {
    // By the table: rounding error plus what is clamped, as a share of the variance 1.
    const auto gradients = normal_of_ranks(1, 8192, 3);
    double last = std::numeric_limits<double>::infinity();
    for (const std::uint32_t bits : {1u, 2u, 4u, 6u}) {
        ThcParams params;
        params.bits = bits;
        params.granularity = 120;
        const double error = squared_distance(step_of(params, gradients).mean, gradients[0]);
        EXPECT_LT(error, last);
        last = error;
    }
    const ThcTable table = make_thc_table(4, 30, 1.0 / 32);
    const double t = table.threshold;
    const double tails = std::erfc(t / std::sqrt(2)) * (1 + t * t) - 2 * t * std::exp(-t * t / 2) / std::sqrt(2 * M_PI);
    const double share = squared_distance(step_of(ThcParams{}, gradients).mean, gradients[0]) / squared(gradients[0]);
    EXPECT_NEAR(share, rounding_error(table) + tails, 0.1 * share);
}

TEST(Thc, IsRightOnAverageWhereNothingIsClamped) {
    ThcParams params;
    params.overflow = 1e-6;   // 4.9 deviations; the rotated values of 64 elements reach 8 at most, rarely
    params.block = 64;
    const auto thc = make_compressor(params, 1, 5);
    const std::vector<Gradient> gradients{normal(64, 8)};
    std::vector<double> sum(64);
    constexpr int steps = 4000;
    for (int s = 0; s < steps; ++s) {
        const CompressionResult step = thc->step(views(gradients), one_tensor(64));
        for (std::size_t i = 0; i < 64; ++i) sum[i] += static_cast<double>(step.mean[i]);
    }
    for (std::size_t i = 0; i < 64; ++i) EXPECT_NEAR(sum[i] / steps, static_cast<double>(gradients[0][i]), 0.05);
}

TEST(Thc, SumsToTheMeanOfWhatTheRanksSay) {
    const auto gradients = normal_of_ranks(5, 3000, 3);
    const CompressionResult step = step_of(ThcParams{}, gradients);
    const Gradient mean = mean_of(views(step.sent));
    EXPECT_LT(squared_distance(step.mean, mean), 1e-10 * squared(mean));
    EXPECT_NE(step.sent[0], step.sent[1]);
}

TEST(Thc, DrawsNewSignsEachStep) {
    // Of three equal spikes, at 1, 2 and 4, nothing is left but the signs of their sums, if all is clamped. The
    // majority of three signs x, y, z is (x + y + z - xyz) / 2, and xyz is the row of 1 ^ 2 ^ 4 = 7: what element 7
    // gets has the sign of four random ones.
    ThcParams params;
    params.overflow = 0.99;
    const auto thc = make_compressor(params, 1, 5);
    std::vector<Gradient> gradients{Gradient(1024)};
    for (const std::size_t i : {1u, 2u, 4u}) gradients[0][i] = 1;
    int negative = 0;
    for (int s = 0; s < 40; ++s) negative += thc->step(views(gradients), one_tensor(1024)).mean[7] < 0;
    EXPECT_NEAR(negative, 20, 16);   // five deviations of sqrt(40) / 2
}

TEST(Thc, KeepsTensorsWhoseRanksDifferInSizeAndLeavesZeroTensorsZero) {
    // Tensors of 5 (a block of 8), 2000 (two of 1024) and 10 zeros.
    const std::vector<TensorShape> tensors{{0, 5, 0}, {5, 2005, 0}, {2005, 2015, 0}};
    std::vector<Gradient> gradients{normal(2015, 1), normal(2015, 2, 0.01)};
    for (Gradient& gradient : gradients) std::fill(gradient.end() - 10, gradient.end(), 0.0f);
    const CompressionResult step = make_compressor(ThcParams{}, 2, 1)->step(views(gradients), tensors);
    EXPECT_EQ(Gradient(step.mean.end() - 10, step.mean.end()), Gradient(10));
    EXPECT_LT(squared_distance(step.mean, mean_of(views(gradients))), 0.1 * squared(step.mean));
    // Padded to 8 + 2048 + 16 elements: 1036 bytes of 4 bits; sums to 60 take 6 bits, of 1036 elements a rank, in whole
    // words.
    ASSERT_EQ(step.exchanges.size(), 3u);
    EXPECT_EQ(step.exchanges[0].padded, 12u);
    EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_to_all);
    EXPECT_EQ(step.exchanges[1].padded, 1036u);
    EXPECT_EQ(step.exchanges[2].carrier, CollectiveKind::all_gather);
    EXPECT_EQ(step.exchanges[2].padded, 780u);
    EXPECT_EQ(step.exchanges[2].after, std::vector<std::uint32_t>{1});
}

TEST(Thc, SumsInBytesOnARingWhileTheyFit) {
    ThcParams params;
    params.carrier = ThcCarrier::ring;
    // 8 ranks of at most 30: 240 takes 8 bits; 9 ranks: 270 takes 9.
    for (const auto& [ranks, bytes] : {std::pair{8u, 1024u}, {9u, 1152u}}) {
        const CompressionResult step = step_of(params, normal_of_ranks(ranks, 1024, 1));
        ASSERT_EQ(step.exchanges.size(), 2u);
        EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_reduce);
        EXPECT_EQ(step.exchanges[1].padded, bytes);
    }
}

TEST(Thc, RefusesBlocksAndGranularitiesItCannotUse) {
    ThcParams params;
    params.block = 1000;
    EXPECT_THROW(make_compressor(params, 1, 1), std::invalid_argument);
    params = {};
    params.granularity = 1024;
    EXPECT_THROW(make_compressor(params, 1, 1), std::invalid_argument);
    params.granularity = 14;   // too few for 16 levels
    EXPECT_THROW(make_compressor(params, 1, 1), std::invalid_argument);
    EXPECT_THROW(step_of(ThcParams{}, {Gradient(64, 3e38f)}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::thc_test

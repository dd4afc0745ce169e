#include "models/compressor/quantised/qsgd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::qsgd_test {
namespace {

using namespace lossy_test;

QsgdParams with(std::uint32_t levels, std::uint32_t bucket, NormScope scope = NormScope::own) {
    QsgdParams params;
    params.levels = levels;
    params.bucket = bucket;
    params.scope = scope;
    return params;
}

CompressionResult step_of(const QsgdParams& params, const std::vector<Gradient>& gradients, std::uint64_t seed = 1) {
    return make_compressor(params, static_cast<std::uint32_t>(gradients.size()), seed)
        ->step(views(gradients), one_tensor(gradients[0].size()));
}

TEST(Qsgd, IsRightOnAverageWithinItsBoundOnTheSquaredError) {
    // Buckets of n = 64 and s = 4: min(64/16, 8/4) = 2 |v|^2.
    const Gradient values = normal(64, 3);
    const QsgdParams params = with(4, 64);
    const auto qsgd = make_compressor(params, 1, 7);
    const std::vector<Gradient> gradients{values};
    constexpr int steps = 4000;
    std::vector<double> sum(values.size());
    double error = 0;
    for (int i = 0; i < steps; ++i) {
        const CompressionResult step = qsgd->step(views(gradients), one_tensor(64));
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += static_cast<double>(step.mean[j]);
        error += squared_distance(step.mean, values) / steps;
    }
    EXPECT_LE(error, 2 * squared(values));
    // A draw deviates by at most half a level's width, norm / 4 / 2; five deviations of the mean of 4000.
    const double five_deviations = 5 * l2_norm(values) / 8 / std::sqrt(steps);
    for (std::size_t j = 0; j < sum.size(); ++j)
        EXPECT_NEAR(sum[j] / steps, static_cast<double>(values[j]), five_deviations);
}

TEST(Qsgd, ErrsByLessThanALevelOfItsBucketsNormForBothNorms) {
    const std::vector<Gradient> gradients{normal(1000, 5)};
    for (const BucketNorm kind : {BucketNorm::l2, BucketNorm::max}) {
        QsgdParams params = with(20, 300);
        params.norm = kind;
        const CompressionResult step = step_of(params, gradients);
        for (std::size_t i = 0; i < 1000; ++i) {
            const std::size_t begin = i / 300 * 300;
            const auto bucket = std::span(gradients[0]).subspan(begin, std::min<std::size_t>(300, 1000 - begin));
            const double norm = kind == BucketNorm::l2 ? l2_norm(bucket) : static_cast<double>(max_magnitude(bucket));
            EXPECT_LT(std::fabs(step.sent[0][i] - gradients[0][i]), norm / 20 * 1.0001);
        }
    }
}

TEST(Qsgd, OfManyLevelsIsNearlyTheIdentity) {
    // At most |v| / levels from each value.
    const std::vector<Gradient> gradients{normal(128, 6)};
    const CompressionResult step = step_of(with(32'767, 128), gradients);
    for (std::size_t i = 0; i < 128; ++i)
        EXPECT_NEAR(step.mean[i], gradients[0][i], l2_norm(gradients[0]) / 32'767 * 1.001);
}

TEST(Qsgd, LeavesABucketOfZerosZero) {
    std::vector<Gradient> gradients{Gradient(256)};
    for (std::size_t i = 128; i < 256; ++i) gradients[0][i] = 1;
    const CompressionResult step = step_of(with(127, 128), gradients);
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(step.mean[i], 0);
    // Ones have a level of 127 / sqrt(128) = 11.2 each.
    for (std::size_t i = 128; i < 256; ++i) EXPECT_NEAR(step.mean[i], 1, 0.1);
}

TEST(Qsgd, WithANormOfAllRanksSumsIntegersThatDecodeToTheMean) {
    const auto gradients = normal_of_ranks(3, 500, 8);
    const CompressionResult step = step_of(with(127, 100, NormScope::shared), gradients);
    const Gradient mean = mean_of(views(step.sent));
    for (std::size_t i = 0; i < 500; ++i) {
        EXPECT_NEAR(step.mean[i], mean[i], 1e-6);
        // Each value is a whole number of levels of the largest rank's norm.
        double norm = 0;
        const std::size_t begin = i / 100 * 100;
        for (const Gradient& g : gradients) norm = std::max(norm, l2_norm(std::span(g).subspan(begin, 100)));
        const double level = static_cast<double>(step.sent[1][i]) * 127 / norm;
        EXPECT_NEAR(level, std::round(level), 1e-4);
    }
}

TEST(Qsgd, GathersEightAndAQuarterBitsAValueWhereNormsAreOwn) {
    // 1280 codes of 8 bits (2 * 127 + 1 = 255 values) and 10 norms of 4 bytes: 8.25 bits each.
    const auto gradients = normal_of_ranks(4, 1280, 2);
    const CompressionResult step = step_of(QsgdParams{}, gradients);
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_gather);
    EXPECT_EQ(step.exchanges[0].padded, 1280u * 33 / 32);
    EXPECT_EQ(step.exchanges[0].payload, std::vector<std::uint64_t>(4, 1320));
}

TEST(Qsgd, SumsWiderCodesAfterTheNormsWhereTheyAreShared) {
    // 4 * 127 = 508: 1017 values take 10 bits.
    const auto gradients = normal_of_ranks(4, 1280, 2);
    const CompressionResult step = step_of(with(127, 128, NormScope::shared), gradients);
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].padded, 40u);
    EXPECT_EQ(step.exchanges[1].padded, 1600u);
    EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_reduce);
    EXPECT_EQ(step.exchanges[1].after, std::vector<std::uint32_t>{0});
}

TEST(Qsgd, RefusesNoLevelsNoBucketAndNormsBeyondFloats) {
    EXPECT_THROW(make_compressor(with(0, 128), 1, 1), std::invalid_argument);
    EXPECT_THROW(make_compressor(with(127, 0), 1, 1), std::invalid_argument);
    EXPECT_THROW(step_of(with(127, 128), {Gradient(128, 3e38f)}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::qsgd_test

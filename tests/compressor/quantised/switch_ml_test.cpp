#include "models/compressor/quantised/switch_ml.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/compressor/base/input.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::switch_ml_test {
namespace {

using namespace lossy_test;

CompressionResult step_of(const std::vector<Gradient>& gradients, std::uint32_t packet = 256) {
    SwitchMlParams params;
    params.packet = packet;
    return make_compressor(params, static_cast<std::uint32_t>(gradients.size()), 1)
        ->step(views(gradients), one_tensor(gradients[0].size()));
}

TEST(SwitchMl, DoesNotOverflowWhereAllRanksSendTheLargestValue) {
    // Also where rounding up would pass a rank's share of the 32 bits, from 257 ranks on.
    for (const std::size_t ranks : {1u, 3u, 8u, 300u, 1000u})
        for (const float value : {0x1.fffffep0f, -0x1.fffffep0f, 0x1.fffffep127f}) {
            const CompressionResult step = step_of(std::vector(ranks, Gradient{value}));
            EXPECT_NEAR(step.mean[0] / value, 1, 1e-5) << ranks << ' ' << value;
        }
}

TEST(SwitchMl, ErrsByHalfAnIntegerARank) {
    const auto gradients = normal_of_ranks(4, 1000, 3);
    const CompressionResult step = step_of(gradients, 100);
    for (std::size_t begin = 0; begin < 1000; begin += 100) {
        float largest = 0;
        for (const Gradient& g : gradients)
            for (std::size_t i = begin; i < begin + 100; ++i) largest = std::max(largest, std::fabs(g[i]));
        const double unit = 4 * std::exp2(std::floor(std::log2(static_cast<double>(largest))) + 1) / 2147483647;
        for (std::size_t i = begin; i < begin + 100; ++i) {
            double mean = 0;
            for (const Gradient& g : gradients) mean += static_cast<double>(g[i]) / 4;
            // Half an integer, and the rounding of the result to fp32.
            EXPECT_NEAR(static_cast<double>(step.mean[i]), mean, unit / 2 + std::fabs(mean) * 0x1p-24);
        }
    }
}

TEST(SwitchMl, SharesTheExponentOfThePacketAmongAllRanks) {
    // Beside 2^20 a rank's 2^-12 vanishes: an integer is worth 2 * 2^21 / 2^31 = 2^-9. The next packet keeps it.
    const std::vector<Gradient> gradients{{0x1p-12f, 0x1p-12f}, {0x1p20f, 0}};
    const CompressionResult step = step_of(gradients, 1);
    EXPECT_EQ(step.sent[0][0], 0);
    EXPECT_NEAR(step.sent[0][1], 0x1p-12f, 1e-10);
}

TEST(SwitchMl, SendsExponentsAheadOfIntegers) {
    const CompressionResult step = step_of(normal_of_ranks(2, 1000, 1));
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].padded, 16u);   // the largest magnitude of 4 packets
    EXPECT_EQ(step.exchanges[1].padded, 4000u);
    EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_reduce);
    EXPECT_EQ(step.exchanges[1].after, std::vector<std::uint32_t>{0});
}

TEST(SwitchMl, RefusesPacketsOfNothing) { EXPECT_THROW(step_of(normal_of_ranks(1, 10, 1), 0), std::invalid_argument); }

}   // namespace
}   // namespace oscar::switch_ml_test

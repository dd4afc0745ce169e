#include "sim/commands/trace/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/commands/trace/support.hpp"

namespace oscar::statistics_test {
namespace {

TEST(IterationStatistics, AreThoseWorkedOutByHand) {
    const testing::TinyTrace folder;
    const IterationStatistics figures = iteration_statistics(Trace::open(folder.path()), 1);
    const LayerStatistics& a = figures.layers[0];   // 0 3 -4 0 | 0 0 0 0
    EXPECT_EQ(a.values, 8U);
    EXPECT_DOUBLE_EQ(a.norm, 2.5);   // (sqrt(9 + 16) + 0) / 2
    EXPECT_DOUBLE_EQ(a.zeros, 6.0 / 8);
    // mean -1/8; squares: 6 * (1/8)^2, (25/8)^2, (31/8)^2
    const double s = 1.0 / 64, t = 625.0 / 64, u = 961.0 / 64, second = (6 * s + t + u) / 8,
                 fourth = (6 * s * s + t * t + u * u) / 8;
    EXPECT_NEAR(a.kurtosis, fourth / (second * second), 1e-12);
    // codes 0 95 -127 0 0 0 0 0: shares 6/8, 1/8, 1/8
    EXPECT_NEAR(a.entropy_bits, -0.75 * std::log2(0.75) + 0.25 * 3, 1e-12);
    EXPECT_DOUBLE_EQ(a.zero_codes, 6.0 / 8);
    // before: 0 0 127 1 | 0 64 0 -1, peak 127: zero at 0 1 4 6; now at 0 3 4 5 6 7: both 0 4 6, either 0 1 3 4 5 6 7
    ASSERT_TRUE(a.repetition);
    EXPECT_DOUBLE_EQ(a.repetition->jaccard, 3.0 / 7);
    EXPECT_DOUBLE_EQ(a.repetition->independent, (0.75 * 0.5) / (0.75 + 0.5 - 0.75 * 0.5));
    const LayerStatistics& b = figures.layers[1];   // 8 | 8
    EXPECT_DOUBLE_EQ(b.norm, 8);
    EXPECT_EQ(b.kurtosis, 0);   // constant
    EXPECT_EQ(b.entropy_bits, 0);
    EXPECT_FALSE(b.repetition);   // no zeros
    EXPECT_DOUBLE_EQ(figures.norm, (std::sqrt(25.0 + 64) + 8) / 2);
    EXPECT_EQ(figures.magnitudes.zeros, 6U);
    EXPECT_EQ(figures.magnitudes.counts, (std::map<int, std::uint64_t>{{1, 1}, {2, 1}, {3, 2}}));   // 3; 4; 8 8
}

TEST(IterationStatistics, CompareWithTheStepBeforeOnly) {
    const testing::TinyTrace folder;
    const Trace trace = Trace::open(folder.path());
    EXPECT_FALSE(iteration_statistics(trace, 0).layers[0].repetition);
}

TEST(IterationStatistics, PutSubnormalMagnitudesInTheirPlace) {
    const testing::TinyTrace folder;
    folder.write("iteration-00000.npy",
                 testing::npy_file(2, 5, {0x1p-149F, 0x1.8p-127F, 0x1p-126F, 0x1.fffffep127F, -1, 0, 0, 0, 0, -0.0F}));
    const auto figures = iteration_statistics(Trace::open(folder.path()), 0);
    EXPECT_EQ(figures.magnitudes.counts,
              (std::map<int, std::uint64_t>{{-149, 1}, {-127, 1}, {-126, 1}, {0, 1}, {127, 1}}));
    EXPECT_EQ(figures.magnitudes.zeros, 5U);   // minus zero, too
}

}   // namespace
}   // namespace oscar::statistics_test

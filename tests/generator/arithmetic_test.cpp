#include "sim/generator/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/generator/correlation.hpp"
#include "sim/generator/model.hpp"
#include "sim/generator/random.hpp"

namespace oscar::arithmetic_test {
namespace {

TEST(Arithmetic, AgreesWithTheCLibraryToOneMillionth) {
    for (double x = 1e-37; x < 1e37; x *= 1.37)
        EXPECT_NEAR(log2_of(static_cast<float>(x)), std::log2(static_cast<float>(x)), 1e-5) << x;   // 24 bits of 127
    for (float x = -125.9F; x < 126.9F; x += 0.37F) EXPECT_NEAR(exp2_of(x) / std::exp2(x), 1, 1e-6) << x;
    EXPECT_EQ(exp2_of(-1000), 0x1p-126F);
    EXPECT_EQ(exp2_of(1000), 0x1p127F);
    for (double p = 1e-9; p < 1; p += 0.00137)
        EXPECT_NEAR(std::erfc(-normal_quantile(p) / std::sqrt(2.0)) / 2 / p, 1, 1e-5) << p;
}

TEST(NormalTable, IsTheQuantileOfItsBits) {
    const NormalTable& normal = normal_table();
    for (const std::uint32_t bits : {0U, 1000U, 123456U, 0x1234'5678U, 0x7fff'fffeU, 0xffff'fffeU}) {
        const double tail = (std::floor(bits / 2.0) + 0.5) / 4294967296.0;   // beyond |z|
        EXPECT_NEAR(normal(bits), -normal_quantile(tail), 2e-3) << bits;
        EXPECT_EQ(normal(bits), -normal(bits | 1)) << bits;
    }
}

TEST(Correlation, IsFoundFromWhatItMakes) {
    EXPECT_DOUBLE_EQ(magnitude_product(0), 1);
    EXPECT_NEAR(magnitude_product(1), std::acos(-1.0) / 2, 1e-12);   // E a^2 / (E|a|)^2
    EXPECT_EQ(signal_correlation(-1), 0);
    EXPECT_NEAR(signal_correlation(0.5 * std::acos(-1.0) / 2 / magnitude_product(0.5)), 0.5, 1e-9);
    // P(a < 0, b < 0) = 1/4 + asin(rho) / (2 pi): 1/3 at rho = 1/2
    EXPECT_NEAR(threshold_correlation(0.5, 1.0 / 3), 0.5, 0.005);
    EXPECT_NEAR(threshold_correlation(0.3, 0.09), 0, 0.01);
    EXPECT_GT(threshold_correlation(0.3, 0.3), 0.99);
}

TEST(Grid, TakesOutputsInputsAndKernels) {
    const auto sizes = [](const std::vector<std::uint64_t>& shape) {
        const Grid g = grid_of(shape);
        return std::vector<std::uint64_t>{g.rows, g.columns, g.cells};
    };
    EXPECT_EQ(sizes({}), (std::vector<std::uint64_t>{1, 1, 1}));
    EXPECT_EQ(sizes({7}), (std::vector<std::uint64_t>{1, 1, 7}));
    EXPECT_EQ(sizes({7, 3}), (std::vector<std::uint64_t>{7, 3, 1}));
    EXPECT_EQ(sizes({7, 3, 5, 5}), (std::vector<std::uint64_t>{7, 3, 25}));
    EXPECT_EQ(sizes({6, 1, 5, 5}), (std::vector<std::uint64_t>{6, 25, 1}));
}

}   // namespace
}   // namespace oscar::arithmetic_test

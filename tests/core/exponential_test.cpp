#include "models/core/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace oscar::exponential_test {
namespace {

constexpr double one = 0x1p32;

TEST(ScaledLog2, IsExactForPowersOfTwoAndCloseForAllElse) {
    EXPECT_EQ(scaled_log2(1), 0u);
    for (int e = 0; e < 64; ++e) EXPECT_EQ(scaled_log2(std::uint64_t{1} << e), std::uint64_t(e) << 32) << e;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const std::uint64_t value = random_at(3, i) >> (i % 60) | 1;
        const double error = std::log2(static_cast<double>(value)) - static_cast<double>(scaled_log2(value)) / one;
        ASSERT_NEAR(error, 0, 0x1p-29) << value;
    }
}

TEST(ExponentialAt, IsMinusTheLogarithmOfAUniformNumber) {
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const double u = static_cast<double>(random_at(5, i) | 1) * 0x1p-64;
        ASSERT_NEAR(static_cast<double>(exponential_at(5, i)) / one, -std::log(u), 2e-7) << i;
    }
}

TEST(ExponentialAt, HasMeanAndDeviationOfOneAndForgetsWhatHasPassed) {
    constexpr int n = 200'000;
    double sum = 0, squares = 0;
    int beyond_one = 0, beyond_two = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const double x = static_cast<double>(exponential_at(11, i)) / one;
        sum += x;
        squares += x * x;
        beyond_one += x > 1;
        beyond_two += x > 2;
    }
    const double root = std::sqrt(n);
    EXPECT_NEAR(sum / n, 1, 3 / root);                       // deviation of one number: 1
    EXPECT_NEAR(squares / n, 2, 3 * std::sqrt(20) / root);   // of its square: E x^4 - (E x^2)^2 = 24 - 4
    // P(x > 2 | x > 1) = P(x > 1) = 1/e
    const double p = std::exp(-1), later = static_cast<double>(beyond_two) / beyond_one;
    EXPECT_NEAR(later, p, 3 * std::sqrt(p * (1 - p) / beyond_one));
}

}   // namespace
}   // namespace oscar::exponential_test

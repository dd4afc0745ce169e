#include "models/compressor/base/norms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/compressor/gradients.hpp"

namespace oscar::norms_test {
namespace {

using namespace lossy_test;

TEST(Norms, AreThoseOfSumsInOrderButForRounding) {
    for (const std::size_t size : {1u, 15u, 16u, 17u, 1000u}) {
        const Gradient values = normal(size, size);
        double largest = 0, sum = 0, mean = 0, squares = 0;
        for (const float v : values) {
            largest = std::max(largest, static_cast<double>(std::fabs(v)));
            sum += static_cast<double>(std::fabs(v));
            mean += static_cast<double>(v) / static_cast<double>(size);
        }
        for (const float v : values) squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
        EXPECT_EQ(static_cast<double>(max_magnitude(values)), largest);
        EXPECT_NEAR(magnitude_sum(values), sum, 1e-12 * sum);
        EXPECT_NEAR(l2_norm(values), std::sqrt(squared(values)), 1e-12 * l2_norm(values));
        EXPECT_NEAR(standard_deviation(values), std::sqrt(squares / static_cast<double>(size)), 1e-9);
    }
    EXPECT_EQ(max_magnitude({}), 0);
}

TEST(Norms, DeviationIsZeroOfEqualValuesAndKeepsItsDigitsFarFromZero) {
    for (const float value : {0.1f, -0.3f, 1.7f, 1e-30f, 123.456f}) {
        EXPECT_EQ(standard_deviation(Gradient(10'001, value)), 0);
    }
    // 0, 1 and -1 in turns, of deviation sqrt(2/3), around a number whose square has 47 bits; then a first one far off.
    constexpr float around = 11'184'811;
    Gradient values(30'001, around);
    for (std::size_t i = 1; i < values.size(); ++i) values[i] += static_cast<float>(i % 3) - 1;
    EXPECT_NEAR(standard_deviation(std::span(values).subspan(1)), std::sqrt(2.0 / 3), 1e-9);
    values[0] = 0;
    const double distance = around, count = 30'001;   // of one value from the others' mean
    EXPECT_NEAR(standard_deviation(values),
                std::sqrt((2.0 / 3 * (count - 1) + distance * distance * (count - 1) / count) / count),
                1e-9 * distance);
}

}   // namespace
}   // namespace oscar::norms_test

// Floats of 8 bits: their values, and which of them a number becomes.
#include "models/codec/interface/float8.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace oscar::float8_test {
namespace {

constexpr std::array formats{Float8Format::e5m2, Float8Format::e4m3};

float rounded(Float8Format format, float value) { return value_of_float8(format, float8_of(format, value)); }

/// Sign, exponent, mantissa: 0.01111.00 is 1, 0.11110.11 the largest, 0.11111.00 infinity; 0.0111.000 is 1,
/// 0.1111.110 the largest, 0.1111.111 no number.
TEST(Float8, HasTheValuesOfTheOpenComputeProject) {
    EXPECT_EQ(value_of_float8(Float8Format::e5m2, 0b0'01111'00), 1.0F);
    EXPECT_EQ(value_of_float8(Float8Format::e5m2, 0b1'10000'01), -2.5F);
    EXPECT_EQ(value_of_float8(Float8Format::e5m2, 0b0'11110'11), 57344.0F);
    EXPECT_EQ(value_of_float8(Float8Format::e5m2, 0b0'00000'01), 0x1p-16F);
    EXPECT_TRUE(std::isinf(value_of_float8(Float8Format::e5m2, 0b0'11111'00)));
    EXPECT_TRUE(std::isnan(value_of_float8(Float8Format::e5m2, 0b0'11111'10)));
    EXPECT_EQ(value_of_float8(Float8Format::e4m3, 0b0'0111'000), 1.0F);
    EXPECT_EQ(value_of_float8(Float8Format::e4m3, 0b1'1000'010), -2.5F);
    EXPECT_EQ(value_of_float8(Float8Format::e4m3, 0b0'1111'110), 448.0F);
    EXPECT_EQ(value_of_float8(Float8Format::e4m3, 0b0'0000'001), 0x1p-9F);
    EXPECT_TRUE(std::isnan(value_of_float8(Float8Format::e4m3, 0b0'1111'111)));
    EXPECT_EQ(largest_float8(Float8Format::e5m2), 57344.0F);
    EXPECT_EQ(least_float8(Float8Format::e4m3), 0x1p-9F);
}

TEST(Float8, RoundsToNearestAndTiesToEven) {
    EXPECT_EQ(rounded(Float8Format::e5m2, 1.125F), 1.0F);   // between 1 and 1.25: 1 is even
    EXPECT_EQ(rounded(Float8Format::e5m2, 1.375F), 1.5F);   // between 1.25 and 1.5
    EXPECT_EQ(rounded(Float8Format::e5m2, 1.126F), 1.25F);
    EXPECT_EQ(rounded(Float8Format::e5m2, 1.9F), 2.0F);       // into the next exponent
    EXPECT_EQ(rounded(Float8Format::e5m2, 0x1p-17F), 0.0F);   // half of the least
    EXPECT_EQ(rounded(Float8Format::e5m2, 0x1.8p-17F), 0x1p-16F);
    EXPECT_EQ(rounded(Float8Format::e4m3, -1.0625F), -1.0F);   // between 1 and 1.125
    EXPECT_EQ(rounded(Float8Format::e4m3, 17.1F), 18.0F);
}

TEST(Float8, ClipsAndKeepsWhatIsNoNumber) {
    for (const Float8Format format : formats) {
        EXPECT_EQ(rounded(format, 1e30F), largest_float8(format));
        EXPECT_EQ(rounded(format, -std::numeric_limits<float>::infinity()), -largest_float8(format));
        EXPECT_TRUE(std::isnan(rounded(format, std::numeric_limits<float>::quiet_NaN())));
        EXPECT_EQ(float8_of(format, -0.0F), 0x80);
    }
}

TEST(Float8, ReadsBackEachOfItsValues) {
    for (const Float8Format format : formats)
        for (std::uint32_t bits = 0; bits < 256; ++bits) {
            const float value = value_of_float8(format, static_cast<std::uint8_t>(bits));
            if (!std::isfinite(value)) continue;
            EXPECT_EQ(float8_of(format, value), bits) << static_cast<int>(format);
        }
}

/// The nearest by trying all 256.
TEST(Float8, IsNeverFartherThanAnotherValue) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<float> exponent(-20, 17);
    for (const Float8Format format : formats)
        for (int i = 0; i < 2000; ++i) {
            const float value = (random() % 2 == 0 ? 1.0F : -1.0F) * std::exp2(exponent(random));
            if (std::abs(value) > largest_float8(format)) continue;
            double best = std::numeric_limits<double>::infinity();
            for (std::uint32_t bits = 0; bits < 256; ++bits) {
                const double other = value_of_float8(format, static_cast<std::uint8_t>(bits));
                if (std::isfinite(other)) best = std::min(best, std::abs(other - value));
            }
            EXPECT_EQ(std::abs(double{rounded(format, value)} - value), best) << value;
        }
}

}   // namespace
}   // namespace oscar::float8_test

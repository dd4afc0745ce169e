#include "sim/trace/value_type.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace oscar::value_type_test {
namespace {

/// IEEE 754 binary16 by its definition: sign, 5 bits of exponent with bias 15, 10 bits of fraction.
double half_by_definition(std::uint32_t half) {
    const double sign = (half & 0x8000U) != 0 ? -1 : 1, fraction = half & 0x3ffU;
    const int exponent = static_cast<int>(half >> 10 & 31U);
    if (exponent == 31) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, WidensAll65536PatternsExactly) {
    for (std::uint32_t half = 0; half < 65536; ++half) {
        const float value = float_of_half(static_cast<std::uint16_t>(half));
        const double due = half_by_definition(half);
        if (std::isnan(due)) {
            EXPECT_TRUE(std::isnan(value)) << half;
        } else {
            EXPECT_EQ(static_cast<double>(value), due) << half;
            EXPECT_EQ(std::signbit(value), (half & 0x8000U) != 0) << half;
        }
    }
}

TEST(Half, ComesBackFromFp32ForAllPatterns) {
    for (std::uint32_t half = 0; half < 65536; ++half) {
        const float value = float_of_half(static_cast<std::uint16_t>(half));
        if (!std::isnan(value)) EXPECT_EQ(half_of_float(value), half);
        else EXPECT_TRUE(std::isnan(float_of_half(half_of_float(value))));
    }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
    for (std::uint32_t half = 0; half < 0x7bff; ++half) {   // all finite neighbours: the middle goes to the even one
        const float low = float_of_half(static_cast<std::uint16_t>(half)),
                    high = float_of_half(static_cast<std::uint16_t>(half + 1));
        const float middle = (low + high) / 2;   // exact: one bit more than a half has
        EXPECT_EQ(half_of_float(middle), half + (half & 1U)) << half;
        EXPECT_EQ(half_of_float(std::nextafter(middle, 0.0F)), half) << half;
        EXPECT_EQ(half_of_float(std::nextafter(middle, 1e30F)), half + 1) << half;
        EXPECT_EQ(half_of_float(-middle), 0x8000U + half + (half & 1U)) << half;
    }
}

TEST(Half, IsInfiniteFrom65520On) {   // the middle between 65504, the largest half, and 2^16
    EXPECT_EQ(half_of_float(std::nextafter(65520.0F, 0.0F)), 0x7bff);
    EXPECT_EQ(half_of_float(65520.0F), 0x7c00);
    EXPECT_EQ(half_of_float(std::numeric_limits<float>::infinity()), 0x7c00);
    EXPECT_EQ(half_of_float(-std::numeric_limits<float>::max()), 0xfc00);
}

TEST(Bfloat16, IsTheUpperHalfOfAnFp32ForAll65536Patterns) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(float_of_bfloat16(static_cast<std::uint16_t>(bits))), bits << 16);
}

TEST(Widen, TakesUnalignedValuesAndAppliesTheScale) {
    const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x0001};   // 1, -2, 2^-24
    std::vector<std::byte> bytes(7);
    std::memcpy(bytes.data() + 1, halves.data(), 6);
    std::vector<float> values(3);
    widen(std::span(bytes).subspan(1), ValueType::f2, 0x1p-125F, values);
    EXPECT_EQ(values, (std::vector<float>{0x1p-125F, -0x1p-124F, 0x1p-149F}));   // the smallest fp32 of all: exact
}

TEST(FirstNotFinite, FindsTheOneBadPatternAtAnyPlace) {
    const auto check = [](auto word, std::uint32_t bad, ValueType type) {
        for (const std::size_t count : {1UL, 7UL, 4096UL, 4097UL, 10000UL})
            for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
                std::vector<decltype(word)> words(count, 1);
                EXPECT_EQ(first_not_finite(std::as_bytes(std::span(words)), type), count);
                words[at] = static_cast<decltype(word)>(bad);
                EXPECT_EQ(first_not_finite(std::as_bytes(std::span(words)), type), at);
            }
    };
    for (const std::uint32_t bad : {0x7f80'0000U, 0xff80'0000U, 0x7f80'0001U, 0xffff'ffffU})
        check(std::uint32_t{}, bad, ValueType::f4);
    for (const std::uint32_t bad : {0x7c00U, 0xfc00U, 0x7c01U, 0xffffU}) check(std::uint16_t{}, bad, ValueType::f2);
    for (const std::uint32_t bad : {0x7f80U, 0xff80U, 0x7f81U, 0xffffU}) check(std::uint16_t{}, bad, ValueType::bf16);
}

TEST(FirstNotFinite, AgreesWithTheValueForAll16BitPatterns) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const auto word = static_cast<std::uint16_t>(bits);
        const auto bytes = std::as_bytes(std::span(&word, 1));
        EXPECT_EQ(first_not_finite(bytes, ValueType::f2) == 1, std::isfinite(float_of_half(word))) << bits;
        EXPECT_EQ(first_not_finite(bytes, ValueType::bf16) == 1, std::isfinite(float_of_bfloat16(word))) << bits;
    }
}

}   // namespace
}   // namespace oscar::value_type_test

#include "models/codec/interface/element_type.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace oscar::element_type_test {
namespace {

TEST(Bfloat16, RoundsToNearestAndTiesToEven) {
    // 8 significant bits: 1 + 1/128 is the next after 1.
    const auto rounded = [](float v) { return value_of(ElementType::bfloat16, word_of(ElementType::bfloat16, v)); };
    EXPECT_EQ(rounded(1.0F), 1.0F);
    EXPECT_EQ(rounded(1 + 1.0F / 256), 1.0F);                            // a tie: 1 is even
    EXPECT_EQ(rounded(1 + 3.0F / 256), 1 + 2.0F / 128);                  // a tie: up
    EXPECT_EQ(rounded(1 + 1.0F / 256 + 1.0F / 65536), 1 + 1.0F / 128);   // above it
    EXPECT_EQ(rounded(-3.14159F), -3.140625F);
    EXPECT_TRUE(std::isinf(rounded(std::numeric_limits<float>::max())));
    EXPECT_TRUE(std::isnan(rounded(std::bit_cast<float>(0x7F800001u))));   // whose upper half alone is infinity
}

TEST(Bfloat16, HasWordsThatAreSymbolsOf16Bits) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        const Symbol word = word_of(ElementType::bfloat16, value);
        EXPECT_LT(std::abs(word), 1 << 15);
        if (!std::isnan(value) && std::abs(value) < 1e38F && std::abs(value) > 1e-37F) {
            EXPECT_NEAR(value_of(ElementType::bfloat16, word), value, std::abs(value) / 256);
        }
    }
    EXPECT_EQ(word_of(ElementType::bfloat16, -0.0F), 0);
}

TEST(Float8, HasWordsThatAreSymbolsOf8Bits) {
    for (const ElementType type : {ElementType::float8_e5m2, ElementType::float8_e4m3}) {
        EXPECT_EQ(word_bits(type, 0), 8u);
        EXPECT_EQ(word_of(type, -0.0F), 0);
        for (const float value : {1.0F, -1.0F, 1e30F, -1e30F, -0.375F}) {
            const Symbol word = word_of(type, value);
            EXPECT_LT(std::abs(word), 1 << 7);
            EXPECT_EQ(word_of(type, value_of(type, word)), word);
        }
    }
    EXPECT_EQ(word_of(ElementType::float8_e5m2, -2.0F), static_cast<std::int8_t>(0b1'10000'00));
}

TEST(Sums, WithNothingAreTheOtherWord) {
    for (const ElementType number : {ElementType::integer, ElementType::float32, ElementType::bfloat16,
                                     ElementType::float8_e5m2, ElementType::float8_e4m3})
        for (const float value : {0.0F, -0.0F, 1.5F, -3e-39F, std::numeric_limits<float>::infinity()}) {
            const Symbol word = number == ElementType::integer ? static_cast<Symbol>(std::bit_cast<std::int32_t>(value))
                                                               : word_of(number, value);
            EXPECT_EQ(sum(number, additive_identity(number), word), word) << value;
            EXPECT_EQ(sum(number, word, additive_identity(number)), word) << value;
        }
}

TEST(Sums, OfIntegersWrapAsThoseOfAnAdderOf32Bits) {   // damage on the wire may alter any bit of a word
    constexpr Symbol least = std::numeric_limits<Symbol>::min(), most = std::numeric_limits<Symbol>::max();
    std::vector<Symbol> to{least, most, most};
    add(ElementType::integer, to, std::vector<Symbol>{-9, 1, most});
    EXPECT_EQ(to, (std::vector<Symbol>{most - 8, least, -2}));
    EXPECT_EQ(sum(ElementType::integer, least, -9), most - 8);
}

TEST(Sums, RoundEachTimeToAWordOfTheirKind) {
    EXPECT_EQ(sum(ElementType::integer, 5, -9), -4);
    const auto word32 = [](float v) { return word_of(ElementType::float32, v); };
    const auto word16 = [](float v) { return word_of(ElementType::bfloat16, v); };
    EXPECT_EQ(value_of(ElementType::float32, sum(ElementType::float32, word32(0.1F), word32(0.2F))), 0.1F + 0.2F);
    EXPECT_EQ(value_of(ElementType::bfloat16, sum(ElementType::bfloat16, word16(256), word16(1))),
              256.0F);   // 257 needs 9 bits
    const auto sum_of_float8 = [](ElementType type, float a, float b) {
        return value_of(type, sum(type, word_of(type, a), word_of(type, b)));
    };
    EXPECT_EQ(sum_of_float8(ElementType::float8_e5m2, 8, 1), 8.0F);   // 9 needs 4 bits: a tie, and 8 is even
    EXPECT_EQ(sum_of_float8(ElementType::float8_e4m3, 8, 1), 9.0F);
    EXPECT_EQ(sum_of_float8(ElementType::float8_e4m3, 400, 400), 448.0F);   // clipped
    EXPECT_EQ(value_of(ElementType::bfloat16, sum(ElementType::bfloat16, word16(256), word16(2))), 258.0F);
}

TEST(RoundingErrors, BoundWhatAWordIsOff) {
    std::mt19937_64 random(2);
    for (const ElementType type :
         {ElementType::float32, ElementType::bfloat16, ElementType::float8_e5m2, ElementType::float8_e4m3}) {
        const RoundingError most = rounding_error_of(type);
        double worst = 0;
        for (int i = 0; i < 20'000; ++i) {
            const float value =
                static_cast<float>(random() % 4000) / 16 * std::exp2(-static_cast<float>(random() % 30));
            const double off = std::abs(double{value_of(type, word_of(type, value))} - value);
            EXPECT_LE(off, std::max(most.relative * value, most.absolute)) << value;
            worst = std::max(worst, off / std::max(most.relative * value, 1e-30));
        }
        if (type != ElementType::float32) {
            EXPECT_GT(worst, 0.8);   // of the bound
        }
    }
}

TEST(Add, IsTheSumOfEachPair) {
    std::mt19937_64 random(3);
    for (const ElementType number : {ElementType::integer, ElementType::float32, ElementType::bfloat16,
                                     ElementType::float8_e5m2, ElementType::float8_e4m3}) {
        std::vector<Symbol> to(1001), words(1001), expected(1001);
        for (std::size_t i = 0; i < to.size(); ++i)
            for (auto* side : {&to, &words}) {
                const float value = static_cast<float>(random() % 20'001) / 64 - 150;
                (*side)[i] = number == ElementType::integer ? static_cast<Symbol>(value) : word_of(number, value);
            }
        for (std::size_t i = 0; i < to.size(); ++i) expected[i] = sum(number, to[i], words[i]);
        add(number, to, words);
        EXPECT_EQ(to, expected);
    }
}

}   // namespace
}   // namespace oscar::element_type_test

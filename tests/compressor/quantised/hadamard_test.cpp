#include "models/compressor/quantised/hadamard.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/compressor/gradients.hpp"

namespace oscar::hadamard_test {
namespace {

using namespace lossy_test;

TEST(Hadamard, IsTheMatrixOfParities) {
    // Row i, column j: (-1)^(common bits of i and j) / sqrt(block). Both paths: blocks below and from 256.
    for (const std::size_t block : {1u, 2u, 8u, 64u, 256u, 1024u}) {
        const Gradient before = normal(2 * block, block);
        Gradient after = before;
        hadamard(after, block);
        for (std::size_t b = 0; b < 2 * block; b += block)
            for (std::size_t i = 0; i < block; ++i) {
                double exact = 0;
                for (std::size_t j = 0; j < block; ++j)
                    exact += std::popcount(i & j) % 2 == 0 ? static_cast<double>(before[b + j])
                                                           : -static_cast<double>(before[b + j]);
                ASSERT_NEAR(after[b + i], exact / std::sqrt(static_cast<double>(block)), 1e-5) << block << ' ' << i;
            }
    }
}

TEST(Hadamard, KeepsTheNormAndIsItsOwnInverse) {
    for (const std::size_t block : {16u, 128u, 512u, 4096u}) {
        const Gradient before = normal(block, 3);
        Gradient after = before;
        hadamard(after, block);
        EXPECT_NEAR(squared(after), squared(before), 1e-5 * squared(before));
        hadamard(after, block);
        EXPECT_LT(squared_distance(after, before), 1e-12 * squared(before));
    }
}

TEST(Rotation, IsUndoneByItsInverse) {
    const Gradient before = normal(2048, 5);
    Gradient after = before;
    rotate(after, 1024, 7);
    EXPECT_GT(squared_distance(after, before), squared(before));
    rotate_back(after, 1024, 7);
    EXPECT_LT(squared_distance(after, before), 1e-12 * squared(before));
}

TEST(Rotation, TurnsHalfTheSignsAsTheStreamDraws) {
    Gradient values(1000, 1.0f);
    flip_signs(values, 11);
    int negative = 0;
    for (const float v : values) negative += v < 0;
    EXPECT_NEAR(negative, 500, 80);   // five deviations of sqrt(1000) / 2
    Gradient other(1000, 1.0f);
    flip_signs(other, 12);
    EXPECT_NE(values, other);
    flip_signs(values, 11);
    EXPECT_EQ(values, Gradient(1000, 1.0f));
}

TEST(Rotation, IsFlippedSignsAndTheTransformToTheBitAndSoIsItsInverse) {
    for (std::size_t block = 1; block <= 4096; block *= 2) {
        const Gradient before = normal(3 * 4096 + block, 6);   // for small blocks no whole word of signs at the end
        Gradient expected = before, found = before;
        flip_signs(expected, 7);
        hadamard(expected, block);
        rotate(found, block, 7);
        ASSERT_EQ(found, expected) << block;
        hadamard(expected, block);
        flip_signs(expected, 7);
        rotate_back(found, block, 7);
        ASSERT_EQ(found, expected) << block;
    }
}

TEST(Rotation, SpreadsASpikeEvenly) {
    Gradient values(1024);
    values[77] = 32;
    rotate(values, 1024, 1);
    for (const float v : values) EXPECT_NEAR(std::fabs(v), 1, 1e-6);   // 32 / sqrt(1024)
}

}   // namespace
}   // namespace oscar::hadamard_test

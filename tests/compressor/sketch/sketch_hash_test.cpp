#include "models/compressor/sketch/sketch_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "models/compressor/sketch/sketch_hash_loops.hpp"

namespace oscar::sketch_hash_test {
namespace {

struct RowPlaces {
    std::vector<std::uint32_t> columns, negative;
    friend bool operator==(const RowPlaces&, const RowPlaces&) = default;
};

RowPlaces all_of(const SketchHash& hash, std::uint32_t row) {
    RowPlaces result{std::vector<std::uint32_t>(hash.elements()), std::vector<std::uint32_t>(hash.elements())};
    hash.places(row, 0, result.columns, result.negative);
    return result;
}

TEST(SketchHash, OfAVectorRegisterIsThatOfThePortableLoop) {
    if (!avx512::available()) GTEST_SKIP() << "this host has no AVX-512";
    const hashing::Block block{
        {{0x7ffffffe, 0x12345678}, {0x7fffffff - 5, 17, 0x55555555, 0x7ffffffd}}, 1'000'003, 999'999, 1};
    for (const std::size_t size : {1u, 127u, 128u, 129u, 4096u, 5000u})
        for (const std::uint64_t first : {0ull, 1ull, 123'456'789ull, 0x7fffffffull - 3000}) {
            RowPlaces portable{std::vector<std::uint32_t>(size), std::vector<std::uint32_t>(size)}, vector = portable;
            hashing::hash_block(block, first, size, portable.columns.data(), portable.negative.data());
            hashing::avx512::hash_block(block, first, size, vector.columns.data(), vector.negative.data());
            EXPECT_EQ(portable, vector) << size << " elements from " << first;
        }
}

TEST(SketchHash, EvaluatesItsPolynomialsModuloThePrime) {
    // p = 2^31 - 1. Columns by 5 i + 3 modulo p, times 100 / 2^31; signs by 2 i^3 + 7 i^2 + i + 1 modulo p, odd or
    // even.
    const hashing::Block block{{{5, 3}, {2, 7, 1, 1}}, 100, 0, 0};
    std::uint32_t column = 0, negative = 0;
    hashing::hash_block(block, 1'000'000, 1, &column, &negative);
    EXPECT_EQ(column, 5'000'003u / 21'474'837u);   // 0
    EXPECT_EQ(negative, 1457363403u % 2);
    hashing::hash_block(block, 400'000'000, 1, &column, &negative);
    EXPECT_EQ(column, 2'000'000'003u / 21'474'837u);   // 93
    EXPECT_EQ(negative, 1808927227u % 2);
}

TEST(SketchHash, OfSmallNumbersIsThatOfTheirPolynomials) {
    // No residues: 5 i + 3 of 2^30 columns is (5 i + 3) / 2; 2 i^3 + 7 i^2 + 2 i + 1 is odd where i is even.
    const hashing::Block block{{{5, 3}, {2, 7, 2, 1}}, 1u << 30, 0, 0};
    std::vector<std::uint32_t> columns(300), negative(300);
    for (const auto hash :
         {hashing::hash_block, avx512::available() ? hashing::avx512::hash_block : hashing::hash_block}) {
        hash(block, 0, 300, columns.data(), negative.data());
        for (std::uint32_t i = 0; i < 300; ++i) {
            EXPECT_EQ(columns[i], (5 * i + 3) / 2);
            EXPECT_EQ(negative[i], (i + 1) % 2);
        }
    }
}

TEST(SketchHash, IsTheSameForTheSameSeedAndAnotherForAnother) {
    const SketchShape shape{5, 20, 2};
    EXPECT_EQ(SketchHash(100, shape, 1), SketchHash(100, shape, 1));
    EXPECT_EQ(all_of(SketchHash(100, shape, 1), 4), all_of(SketchHash(100, shape, 1), 4));
    EXPECT_NE(all_of(SketchHash(100, shape, 1), 4), all_of(SketchHash(100, shape, 2), 4));
    EXPECT_NE(all_of(SketchHash(100, shape, 1), 3), all_of(SketchHash(100, shape, 1), 4));
}

class SketchHashFamilies : public ::testing::TestWithParam<HashFamily> {};
INSTANTIATE_TEST_SUITE_P(Both, SketchHashFamilies, ::testing::Values(HashFamily::polynomial, HashFamily::murmur3));

TEST_P(SketchHashFamilies, SpreadElementsOverColumnsAndSignsEvenly) {
    const SketchHash hash(100'000, {3, 100, 1, GetParam()}, 7);
    for (std::uint32_t row = 0; row < 3; ++row) {
        const RowPlaces places = all_of(hash, row);
        std::vector<int> hits(100);
        for (const std::uint32_t column : places.columns) ++hits.at(column);
        // 2-wise independent: of 100'000 in a column 1000 +- 31.5; a linear hash of consecutive numbers is evener still
        EXPECT_GE(*std::ranges::min_element(hits), 1000 - 6 * 32);
        EXPECT_LE(*std::ranges::max_element(hits), 1000 + 6 * 32);
        const int negative = std::accumulate(places.negative.begin(), places.negative.end(), 0);
        EXPECT_NEAR(negative, 50'000, 6 * 158);   // standard deviation sqrt(100'000) / 2
    }
}

TEST(SketchHash, OfBlocksRepeatsTheFirstButForAnOffsetAndASign) {
    const std::uint32_t columns = 1000;
    const SketchHash hash(30, {4, columns, 3}, 9);
    std::set<std::uint32_t> offsets;
    for (std::uint32_t row = 0; row < 4; ++row) {
        const RowPlaces places = all_of(hash, row);
        for (std::size_t block = 1; block < 3; ++block) {
            const auto offset = [&](std::size_t j) {
                return (places.columns[10 * block + j] + columns - places.columns[j]) % columns;
            };
            offsets.insert(offset(0));
            for (std::size_t j = 0; j < 10; ++j) {
                EXPECT_EQ(offset(j), offset(0));
                EXPECT_EQ(places.negative[10 * block + j] ^ places.negative[j],
                          places.negative[10 * block] ^ places.negative[0]);
            }
        }
    }
    EXPECT_GT(offsets.size(), 4u);   // of their own in every row
}

TEST(SketchHash, IsThatOfTheElementWhereverOneBegins) {
    const SketchHash hash(5000, {2, 77, 3}, 11);
    const RowPlaces whole = all_of(hash, 1);
    std::vector<std::uint32_t> columns(2000), negative(2000);
    hash.places(1, 1234, columns, negative);
    EXPECT_TRUE(std::equal(columns.begin(), columns.end(), whole.columns.begin() + 1234));
    EXPECT_TRUE(std::equal(negative.begin(), negative.end(), whole.negative.begin() + 1234));
}

TEST(SketchHash, RefusesASketchSmallerThanARow) {
    EXPECT_THROW(SketchHash(10, {3, 0, 1}, 1), std::invalid_argument);
    EXPECT_THROW(SketchHash(10, {0, 3, 1}, 1), std::invalid_argument);
    EXPECT_THROW(SketchHash(10, {3, 3, 0}, 1), std::invalid_argument);
    EXPECT_THROW(SketchHash(10, {3, 3, 11}, 1), std::invalid_argument);
    EXPECT_THROW(SketchHash(10, {3, 3, 2, HashFamily::murmur3}, 1), std::invalid_argument);
    EXPECT_THROW(SketchHash(std::uint64_t{1} << 31, {3, 3, 1}, 1), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::sketch_hash_test

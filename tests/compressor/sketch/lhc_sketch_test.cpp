#include "models/compressor/sketch/lhc_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/compressor/sketch/lhc_index.hpp"
#include "models/core/random.hpp"

namespace oscar::lhc_sketch_test {
namespace {

using Integers = std::vector<std::int32_t>;

Integers sparse(std::uint64_t elements, double density, std::uint64_t seed) {
    Integers values(elements);
    for (std::uint64_t i = 0; i < elements; ++i)
        if (uniform_at(seed, i) < density) values[i] = static_cast<std::int32_t>(random_at(seed + 1, i) | 1);
    return values;
}

Integers encoded(const LhcShape& shape, const Integers& values) {
    Integers cells(shape.cells());
    lhc_encode(shape, std::span<const std::int32_t>(values), std::span(cells));
    return cells;
}

std::vector<std::uint32_t> listed_in(const Integers& values) {
    std::vector<std::uint32_t> listed;
    for (std::uint32_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) listed.push_back(i);
    return listed;
}

LhcDecoded<std::int32_t> round_trip(const LhcShape& shape, const Integers& values, bool packed_counts = false) {
    return lhc_decode(shape, encoded(shape, values), listed_in(values), packed_counts);
}

TEST(LhcSketch, PlacesABlockByItsHashes) {
    const LhcShape shape{1024 * 100, 1024, 10};
    const PlacesOf places = places_of_block(shape, 1);   // hashes FBF1402A 5E11E574 13D35112
    EXPECT_EQ(places[0].cell, 0xFBF1402Au % 10 * 1024);
    EXPECT_EQ(places[0].negative, 1u);
    EXPECT_EQ(places[1].cell, 0x5E11E574u % 10 * 1024);
    EXPECT_EQ(places[1].negative, 0u);
    EXPECT_EQ(places[2].cell, 0x13D35112u % 10 * 1024);
    EXPECT_EQ(places[2].negative, 0u);
}

TEST(LhcSketch, HasARowPerRatioBlocksRoundedUp) {
    EXPECT_EQ(lhc_shape(1152 * 1024, 10, 1024).rows, 116u);
    EXPECT_EQ(lhc_shape(18864 * 1024, 10, 1024).rows, 1887u);
    EXPECT_EQ(lhc_shape(29 * 1024 + 1, 10, 1024).rows, 3u);   // 30 blocks, the last of one element
}

TEST(LhcSketch, IsLinearExactlyInIntegers) {
    const LhcShape shape = lhc_shape(50 * 64 - 7, 5, 64);
    const Integers a = sparse(shape.elements, 0.3, 1), b = sparse(shape.elements, 0.3, 5);
    Integers sum(a.size());
    std::ranges::transform(a, b, sum.begin(), [](auto x, auto y) { return wrapping_sum(x, y); });
    Integers added = encoded(shape, a);
    lhc_encode(shape, std::span<const std::int32_t>(b), std::span(added));
    EXPECT_EQ(added, encoded(shape, sum));
}

TEST(LhcSketch, IsLosslessAtHalfLoadOnALargeTensor) {
    const LhcShape shape = lhc_shape(18864 * 64, 10, 64);
    const Integers values = sparse(shape.elements, 0.05, 2);
    const auto decoded = round_trip(shape, values);
    EXPECT_EQ(decoded.values, values);
    EXPECT_TRUE(decoded.rest.empty());
}

TEST(LhcSketch, AtFullLoadIsNotLosslessButWhatIsNotListedIsZero) {
    const LhcShape shape = lhc_shape(2000 * 16, 10, 16);
    const Integers values = sparse(shape.elements, 0.1, 3);
    const auto decoded = round_trip(shape, values);
    EXPECT_NE(decoded.values, values);
    EXPECT_GT(decoded.rest.size(), listed_in(values).size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_TRUE(values[i] != 0 || decoded.values[i] == 0);
}

TEST(LhcSketch, OfRanksThatCancelDecodesTheirListedElementsToZero) {
    const LhcShape shape = lhc_shape(200 * 16, 10, 16);
    Integers a = sparse(shape.elements, 0.02, 4), b = a;
    for (std::int32_t& v : b) v = -v;
    b[0] = 9;
    auto index = make_index(std::span<const std::int32_t>(a), IndexMerge::bitwise_or);
    merge_index(index, make_index(std::span<const std::int32_t>(b), IndexMerge::bitwise_or), IndexMerge::bitwise_or);
    Integers cells = encoded(shape, a);
    lhc_encode(shape, std::span<const std::int32_t>(b), std::span(cells));
    const auto decoded =
        lhc_decode(shape, cells, listed_elements(index, shape.elements, IndexMerge::bitwise_or), false);
    Integers expected(shape.elements);
    expected[0] = wrapping_sum(a[0], 9);
    EXPECT_EQ(decoded.values, expected);
}

TEST(LhcSketch, OfFp32ReturnsSparseValuesToWithinRounding) {
    const LhcShape shape = lhc_shape(2000 * 16, 10, 16);
    std::vector<float> values(shape.elements), cells(shape.cells());
    std::vector<std::uint32_t> listed;
    for (std::uint32_t i = 0; i < values.size(); i += 29) {
        values[i] = static_cast<float>(uniform_at(1, i) - 0.5);
        listed.push_back(i);
    }
    lhc_encode(shape, std::span<const float>(values), std::span(cells));
    const auto decoded = lhc_decode(shape, cells, listed, false);
    EXPECT_TRUE(decoded.rest.empty());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(decoded.values[i], values[i], 1e-5);
}

TEST(LhcSketch, CountsBeyondAByteAreRightWideAndWrongAsPublished) {
    // Ratio 100 at density 1: 300 elements in the mean of a cell. None is alone, so none can be peeled; in bytes some
    // counts wrap to one, and what is "peeled" there is the sum of 257 elements.
    const LhcShape shape = lhc_shape(400'000 * 4, 100, 4);
    const Integers ones(shape.elements, 1);
    EXPECT_EQ(round_trip(shape, ones).rest.size(), ones.size());
    EXPECT_EQ(round_trip(shape, ones).rounds, 1u);
    EXPECT_LT(round_trip(shape, ones, true).rest.size(), ones.size());
}

TEST(LhcSketch, RefusesFewerRowsThanHashesAndRatiosThatExpand) {
    EXPECT_THROW(lhc_shape(20 * 1024, 10, 1024), std::invalid_argument);
    EXPECT_NO_THROW(lhc_shape(21 * 1024, 10, 1024));
    EXPECT_THROW(lhc_shape(100 * 1024, 0.5, 1024), std::invalid_argument);
    EXPECT_THROW(lhc_shape(100, 2, 0), std::invalid_argument);
    EXPECT_THROW(lhc_shape(std::uint64_t{1} << 32, 2, 1024), std::invalid_argument);
}

/// Recovery against load, measured before with another program of the same hashes on 256 lanes: the share of listed
/// elements that cannot be peeled, and the mean over the lanes of the rounds with progress.
struct Recovery {
    std::uint32_t blocks, rows;
    double load, unpeeled, rounds;   // 0 rounds: not measured
    double rare = 0.0005;            // what lanes make that rarely get stuck; a stuck one of 256 is 0.002 or more
};
class RecoveryTable : public ::testing::TestWithParam<Recovery> {};
INSTANTIATE_TEST_SUITE_P(
    Loads, RecoveryTable,
    ::testing::Values(Recovery{1152, 116, 0.30, 0.0002, 2.7}, Recovery{1152, 116, 0.50, 0.0011, 4.7},
                      Recovery{1152, 116, 0.60, 0.0093, 6.7}, Recovery{1152, 116, 0.70, 0.077, 9.6},
                      Recovery{1152, 116, 0.75, 0.203, 9.9}, Recovery{1152, 116, 0.80, 0.336, 9.5},
                      Recovery{1152, 116, 0.85, 0.481, 0}, Recovery{1152, 116, 1.00, 0.761, 0},
                      Recovery{18864, 1887, 0.30, 0, 3.2}, Recovery{18864, 1887, 0.50, 0, 5.5},
                      Recovery{18864, 1887, 0.60, 0, 7.4}, Recovery{18864, 1887, 0.70, 0, 11.5},
                      Recovery{18864, 1887, 0.75, 0.005, 17, 0.005}, Recovery{18864, 1887, 0.80, 0.142, 28},
                      Recovery{18864, 1887, 0.85, 0.528, 0}, Recovery{18864, 1887, 1.00, 0.784, 0}));

TEST_P(RecoveryTable, IsMetWithinTheNoiseOfItsLanes) {
    constexpr std::uint32_t lanes = 256;
    const Recovery& expected = GetParam();
    const double density = expected.load * expected.rows / expected.blocks;
    double unpeeled = 0, squares = 0, listed = 0, rounds = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {   // one at a time, for each has rounds of its own
        const LhcShape shape{expected.blocks, 1, expected.rows};
        const Integers values = sparse(shape.elements, density, 1000 + 2 * lane);
        const auto decoded = round_trip(shape, values);
        const auto rest = static_cast<double>(decoded.rest.size());
        unpeeled += rest;
        squares += rest * rest;
        listed += static_cast<double>(listed_in(values).size());
        rounds += decoded.rounds - 1;
    }
    const double variance = squares / lanes - unpeeled / lanes * (unpeeled / lanes);
    const double deviation = std::sqrt(2 * variance * lanes) / listed;   // of the difference of two measurements
    EXPECT_NEAR(unpeeled / listed, expected.unpeeled, 3 * deviation + expected.rare);
    if (expected.rounds > 0) {
        EXPECT_NEAR(rounds / lanes / expected.rounds, 1, 0.07);
    }
}

}   // namespace
}   // namespace oscar::lhc_sketch_test

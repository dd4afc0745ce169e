#include "models/compressor/sketch/peeling.hpp"

#include <gtest/gtest.h>

namespace oscar::peeling_test {
namespace {

template <class Counts>
Counts counts_of(std::size_t cells, const std::vector<std::uint32_t>& listed, const std::vector<PlacesOf>& places) {
    Counts counts(cells);
    for (const std::uint32_t element : listed)
        for (const Place& place : places[element]) counts.add(place.cell);
    return counts;
}

/// The worked example of lihy0529/lossless_homomorphic_compression: data x 0 y 0 z 0 in five cells.
class WorkedExample : public ::testing::Test {
protected:
    const std::int32_t x = 11, y = 23, z = 47;
    const std::vector<std::uint32_t> listed{0, 2, 4};
    const std::vector<PlacesOf> places{
        {{{0, 0}, {2, 0}, {3, 1}}}, {}, {{{1, 1}, {2, 1}, {3, 0}}}, {}, {{{0, 0}, {1, 0}, {4, 1}}}};
    std::vector<std::int32_t> cells{x + z, z - y, x - y, y - x, -z};
};

TEST_F(WorkedExample, CountsTwoInAllCellsButTheLast) {
    const auto counts = counts_of<CellCounts>(5, listed, places);
    for (std::size_t cell = 0; cell < 5; ++cell) EXPECT_EQ(counts.of(cell), cell < 4 ? 2u : 1u);
}

TEST_F(WorkedExample, PeelsZThenXAndYThenNone) {
    auto counts = counts_of<CellCounts>(5, listed, places);
    std::vector<std::int32_t> values(6);
    const Peeled peeled = peel(
        std::span(cells), counts, listed, [&](std::uint32_t e) { return places[e]; }, std::span(values));
    EXPECT_EQ(values, (std::vector<std::int32_t>{x, 0, y, 0, z, 0}));
    EXPECT_EQ(peeled.rounds, 3u);
    EXPECT_EQ(peeled.visits, 5u);
    EXPECT_TRUE(peeled.rest.empty());
    EXPECT_EQ(cells, std::vector<std::int32_t>(5));
}

TEST(Peeling, LeavesElementsThatShareAllTheirCells) {
    const std::vector<PlacesOf> places(2, PlacesOf{{{0, 0}, {1, 0}, {2, 1}}});
    std::vector<std::int32_t> cells{5, 5, -5}, values(2);
    auto counts = counts_of<CellCounts>(3, {0, 1}, places);
    const Peeled peeled = peel(
        std::span(cells), counts, {0, 1}, [&](std::uint32_t e) { return places[e]; }, std::span(values));
    EXPECT_EQ(peeled.rest, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(peeled.rounds, 1u);
    EXPECT_EQ(median_at(std::span<const std::int32_t>(cells), places[0]), 5);
}

TEST(Peeling, OfAnElementWithTwoEqualHashesTakesItThroughTheThird) {
    const std::vector<PlacesOf> places{PlacesOf{{{0, 0}, {0, 0}, {1, 1}}}};
    std::vector<std::int32_t> cells{14, -7}, values(1);
    auto counts = counts_of<CellCounts>(2, {0}, places);
    EXPECT_EQ(counts.of(0), 2u);
    const Peeled peeled = peel(
        std::span(cells), counts, {0}, [&](std::uint32_t e) { return places[e]; }, std::span(values));
    EXPECT_EQ(values[0], 7);
    EXPECT_TRUE(peeled.rest.empty());
    EXPECT_EQ(cells, std::vector<std::int32_t>(2));
}

TEST(Peeling, CountsInPackedBytesCarryIntoTheNeighbourAndWideOnesDoNot) {
    CellCounts wide(4);
    PackedCellCounts packed(4);
    for (int i = 0; i < 257; ++i) wide.add(1), packed.add(1);
    EXPECT_EQ(wide.of(1), 257u);
    EXPECT_EQ(wide.of(2), 0u);
    EXPECT_EQ(packed.of(1), 1u);   // 257 modulo 256: taken for an element that is alone
    EXPECT_EQ(packed.of(2), 1u);
    for (int i = 0; i < 257; ++i) packed.take(1);
    EXPECT_EQ(packed.of(1), 0u);
    EXPECT_EQ(packed.of(2), 0u);
}

}   // namespace
}   // namespace oscar::peeling_test

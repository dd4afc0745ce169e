#include "models/codec/table/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/codec/support.hpp"

namespace oscar::table_test {
namespace {

Cumulative even_counts() {
    Cumulative cumulative{};
    for (std::uint16_t row = 1; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(64 * row);
    return cumulative;
}

/// Rows of unequal, odd sizes from pattern 0 on.
Table odd_ranges(std::uint32_t width) {
    std::array<std::uint32_t, table_rows> first{};
    for (std::uint32_t row = 1; row < table_rows; ++row) first[row] = first[row - 1] + (row % 3) + 1;
    return Table::ranges(width, first, even_counts());
}

TEST(MagnitudeTable, HasTheRowsAndOffsetsOfTheModel) {
    const Table table = Table::magnitudes(8, even_counts());
    const auto place = [&](std::int32_t v) { return std::pair{table.locate(v).row, table.locate(v).offset}; };
    EXPECT_EQ(place(0), std::pair(0u, 0u));
    EXPECT_EQ(place(1), std::pair(1u, 0u));
    EXPECT_EQ(place(-1), std::pair(1u, 1u));
    EXPECT_EQ(place(2), std::pair(2u, 0b00u));    // sign 0, mantissa 0
    EXPECT_EQ(place(-3), std::pair(2u, 0b11u));   // sign 1, mantissa 1
    EXPECT_EQ(place(127), std::pair(7u, 0b0111111u));
    EXPECT_EQ(place(-64), std::pair(7u, 0b1000000u));
    for (std::size_t row = 0; row < table_rows; ++row) EXPECT_EQ(table.offset_bits[row], row);
}

TEST(MagnitudeTable, TakesTheWholePatternInItsLastRowAbove16Bits) {
    EXPECT_EQ(Table::magnitudes(16, even_counts()).offset_bits.back(), 15);
    const Table table = Table::magnitudes(17, even_counts());
    EXPECT_EQ(table.offset_bits.back(), 17);
    EXPECT_EQ(table.locate(-16384).row, 15u);                    // 2^14 is the least magnitude of row 15
    EXPECT_EQ(table.locate(-16384).offset, 0x20000u - 16384u);   // 2^17 - 2^14
    EXPECT_EQ(table.locate(65535).offset, 65535u);
    EXPECT_TRUE(table.holds({15, 16384}));
    EXPECT_FALSE(table.holds({15, 16383}));   // belongs to row 14
}

TEST(Table, GivesBackEverySymbolOfEveryNarrowWidth) {
    for (std::uint32_t width = 1; width <= 18; ++width) {
        const Table magnitudes = Table::magnitudes(width, even_counts());
        const std::int32_t top = largest(width);
        for (std::int32_t v = -top; v <= top; ++v) {
            ASSERT_EQ(magnitudes.value(magnitudes.locate(v)), v) << width;
            ASSERT_TRUE(magnitudes.holds(magnitudes.locate(v))) << width;
            ASSERT_EQ(magnitudes.locate(v).offset >> magnitudes.offset_bits[magnitudes.locate(v).row], 0u) << width;
        }
        if (width < 6) continue;   // odd_ranges has more patterns
        const Table ranges = odd_ranges(width);
        for (std::int32_t v = -top; v <= top; ++v) {
            ASSERT_EQ(ranges.value(ranges.locate(v)), v) << width;
            ASSERT_TRUE(ranges.holds(ranges.locate(v))) << width;
            ASSERT_EQ(ranges.locate(v).offset >> ranges.offset_bits[ranges.locate(v).row], 0u) << width;
        }
    }
}

TEST(Table, GivesBackRandomAndExtremeSymbolsUpTo32Bits) {
    std::mt19937_64 random(1);
    for (std::uint32_t width = 19; width <= 32; ++width) {
        const Table magnitudes = Table::magnitudes(width, even_counts());
        const Table ranges = odd_ranges(width);
        std::vector<Symbol> symbols = make_symbols("uniform", 1000, width, random());
        symbols.insert(symbols.end(), {0, 1, -1, largest(width), -largest(width)});
        if (width == 32) symbols.push_back(std::numeric_limits<Symbol>::min());
        for (const Symbol v : symbols) {
            ASSERT_EQ(magnitudes.value(magnitudes.locate(v)), v) << width;
            ASSERT_EQ(ranges.value(ranges.locate(v)), v) << width;
        }
    }
}

TEST(RangeTable, HasOffsetsAsLongAsItsSizesNeed) {
    std::array<std::uint32_t, table_rows> first{0, 1, 3, 6, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200};
    const Table table = Table::ranges(8, first, even_counts());
    EXPECT_EQ(table.offset_bits[0], 0);    // 1 pattern
    EXPECT_EQ(table.offset_bits[1], 1);    // 2 patterns
    EXPECT_EQ(table.offset_bits[2], 2);    // 3 patterns: ceil(log2 3)
    EXPECT_EQ(table.offset_bits[14], 7);   // 100
    EXPECT_EQ(table.offset_bits[15], 6);   // 56
    EXPECT_TRUE(table.holds({2, 2}));
    EXPECT_FALSE(table.holds({2, 3}));      // 3 + 3 is row 3
    EXPECT_EQ(table.locate(-1).row, 15u);   // 0xFF
    EXPECT_EQ(table.value({15, 55}), -1);
}

TEST(RangeTable, OfFewerThan16PatternsHasEmptyRowsThatHoldNothing) {
    const Table table = Table::ranges(2, {0, 1, 2, 3}, even_counts());
    EXPECT_EQ(Table::rows_for(2), 4u);
    EXPECT_EQ(table.locate(-1).row, 3u);
    EXPECT_TRUE(table.holds({3, 0}));
    EXPECT_FALSE(table.holds({4, 0}));
    EXPECT_FALSE(table.holds({15, 0}));
}

TEST(Table, HasACheckThatSeesEveryField) {
    const Table table = odd_ranges(11);
    std::vector<Table> others(5, table);
    others[0].layout = Layout::magnitude;
    others[1].width = 12;
    others[2].first[7] += 1;
    others[3].offset_bits[3] ^= 1;
    others[4].cumulative[9] ^= 1;
    EXPECT_EQ(table.check(), odd_ranges(11).check());
    for (const Table& other : others) EXPECT_NE(table.check(), other.check());
}

TEST(Table, CostsARowAndItsOffset) {
    const Table table = Table::magnitudes(8, even_counts());
    EXPECT_EQ(table.cost(0), 4u * 256);            // 64 of 1024: 4 bits
    EXPECT_EQ(table.cost(-100), (4u + 7) * 256);   // and 7 bits of offset
}

TEST(Normalise, FollowsTheFormulaOfTheModel) {
    // floor(n * 1008 / 10) + 1: 6 -> 605, 3 -> 303, 1 -> 101, 13 rows of 1; sum 1022, so 2 more for the first.
    std::array<std::uint64_t, table_rows> counts{6, 3, 1};
    const Cumulative cumulative = normalise(counts);
    EXPECT_EQ(cumulative[1], 607);
    EXPECT_EQ(cumulative[2], 607 + 303);
    EXPECT_EQ(cumulative[3], 607 + 303 + 101);
    EXPECT_EQ(cumulative[16], 1024);
}

TEST(Normalise, GivesTheRestToTheLowestOfEqualRows) {
    // 3 rows: floor(1008 / 3) + 1 = 337 each, 13 of 1: exactly 1024. 5 rows: 201 + 1 = 202 each, 11 of 1: 1021, 3 left.
    std::array<std::uint64_t, table_rows> counts{};
    for (std::size_t row = 4; row < 9; ++row) counts[row] = 7;
    const Cumulative cumulative = normalise(counts);
    EXPECT_EQ(cumulative[5] - cumulative[4], 205);
    EXPECT_EQ(cumulative[6] - cumulative[5], 202);
    EXPECT_EQ(cumulative[16], 1024);
}

TEST(Normalise, GivesEveryRowAtLeastOneCountAndAlways1024InAll) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::array<std::uint64_t, table_rows> counts{};
        for (auto& n : counts) n = random() >> (20 + random() % 44);
        counts[seed % table_rows] += 1;
        const Cumulative cumulative = normalise(counts);
        for (std::size_t row = 0; row < table_rows; ++row) ASSERT_LT(cumulative[row], cumulative[row + 1]);
        ASSERT_EQ(cumulative.back(), 1024);
    }
}

TEST(Normalise, RefusesCountsOfNothing) {
    EXPECT_THROW(normalise(std::array<std::uint64_t, table_rows>{}), std::invalid_argument);
}

TEST(RowCost, IsTheRoundedLogarithmForEveryCount) {
    for (std::uint32_t count = 1; count <= 1024; ++count)
        ASSERT_EQ(row_cost(count), static_cast<std::uint32_t>(std::lround(-256 * std::log2(count / 1024.0)))) << count;
}

TEST(Counts, AddUpAndGrowToTheLongerOfTheTwo) {
    Counts counts = {1, 2};
    add(counts, {10, 20, 30});
    EXPECT_EQ(counts, (Counts{11, 22, 30}));
    add(counts, {5});
    EXPECT_EQ(counts, (Counts{16, 22, 30}));
}

}   // namespace
}   // namespace oscar::table_test

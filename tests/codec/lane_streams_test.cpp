#include "models/codec/entropy/lane_streams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codec/support.hpp"

namespace oscar::lane_streams_test {
namespace {

using ::testing::HasSubstr;

/// 16 rows of 64 counts: each symbol costs 4 bits, and the end of the stream 2.
Cumulative even_counts() {
    Cumulative cumulative{};
    for (std::uint16_t row = 1; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(64 * row);
    return cumulative;
}

/// Rows of three patterns each; the last has the rest.
const Table& rows_of_three() {
    static const Table table = [] {
        std::array<std::uint32_t, table_rows> first{};
        for (std::uint32_t row = 0; row < table_rows; ++row) first[row] = 3 * row;
        return Table::ranges(8, first, even_counts());
    }();
    return table;
}

std::string corruption_of(const LaneStreams& streams, const Table& table, std::size_t symbols,
                          std::uint32_t width = 8) {
    std::vector<Symbol> out(symbols);
    try {
        decode_lanes(streams.bytes, streams.lengths, &table, Adaptation{}, width, out);
    } catch (const CorruptStream& error) {
        return error.what();
    }
    return "";
}

TEST(LaneStreams, DealSymbolsToLanesInTurnAndLayTheLanesOutInOrder) {
    // 5 symbols, 2 lanes: lane 0 has 3, lane 1 has 2. 4 bits each and 2; offsets of 2 bits each.
    const std::vector<Symbol> symbols{2, 5, 2, 5, 2};   // rows 0 and 1, offset 2
    const LaneStreams streams = encode_lanes(symbols, 2, &rows_of_three(), {});
    ASSERT_EQ(streams.lengths.size(), 2u);
    EXPECT_EQ(streams.lengths[0].symbol_bits, 3u * 4 + 2);
    EXPECT_EQ(streams.lengths[0].offset_bits, 3u * 2);
    EXPECT_EQ(streams.lengths[1].symbol_bits, 2u * 4 + 2);
    EXPECT_EQ(streams.lengths[1].offset_bits, 2u * 2);
    // Row 0 is 0000 each time, row 1 is 0001; the interval is whole again, so the end is 01. Offset 2 is 10.
    EXPECT_EQ(hex(streams.bytes), "00 04 a8 11 40 a0");
    EXPECT_EQ(streams.work,
              (CodingCost{.values = 5, .sub_stream_slots = 3, .stalls = 0, .offset_bits = 10, .searches = 3}));
}

TEST(LaneStreams, AreRefusedIfAnOffsetIsBeyondItsRow) {
    const std::vector<Symbol> symbols(3, 2);
    LaneStreams streams = encode_lanes(symbols, 1, &rows_of_three(), {});
    EXPECT_EQ(corruption_of(streams, rows_of_three(), 3), "");
    streams.bytes.back() |= std::byte{0b0100'0000};   // 10 becomes 11: the first of row 1
    EXPECT_THAT(corruption_of(streams, rows_of_three(), 3), HasSubstr("lane 0: an offset is beyond its row"));
}

TEST(LaneStreams, AreRefusedIfTheOpenRowHoldsASymbolOfAnotherRow) {
    const Table table = Table::magnitudes(17, even_counts());
    LaneStreams streams = encode_lanes(std::vector<Symbol>{16384}, 1, &table, {});   // offset 0'01000000'00000000
    EXPECT_EQ(corruption_of(streams, table, 1, 17), "");
    streams.bytes[1] = std::byte{0};
    EXPECT_THAT(corruption_of(streams, table, 1, 17), HasSubstr("an offset is beyond its row"));
}

TEST(LaneStreams, AreRefusedIfASymbolDoesNotFitTheContext) {
    const Table table = Table::magnitudes(9, even_counts());
    const LaneStreams streams = encode_lanes(std::vector<Symbol>{3, -200, 3}, 1, &table, {});
    EXPECT_EQ(corruption_of(streams, table, 3, 9), "");
    EXPECT_THAT(corruption_of(streams, table, 3, 8), HasSubstr("a symbol is out of range"));
}

TEST(LaneStreams, AreRefusedIfAnyBitOfTheFillingIsSet) {
    const std::vector<Symbol> symbols(3, 2);
    const LaneStreams streams = encode_lanes(symbols, 1, &rows_of_three(), {});   // 14 bits, then 6 bits
    for (const auto& [at, bits] : {std::pair{std::size_t{1}, 2}, std::pair{std::size_t{2}, 2}})
        for (int bit = 0; bit < bits; ++bit) {
            LaneStreams damaged = streams;
            damaged.bytes[at] |= static_cast<std::byte>(1 << bit);
            EXPECT_THAT(corruption_of(damaged, rows_of_three(), 3), HasSubstr("padding"));
        }
}

TEST(LaneStreams, AreRefusedUnlessTheyFillTheirBytesExactly) {
    const std::vector<Symbol> symbols(8, 2);
    const LaneStreams streams = encode_lanes(symbols, 2, &rows_of_three(), {});
    LaneStreams longer = streams;
    longer.bytes.push_back(std::byte{0});
    EXPECT_THAT(corruption_of(longer, rows_of_three(), 8), HasSubstr("the streams end before the block does"));
    LaneStreams shorter = streams;
    shorter.bytes.pop_back();
    EXPECT_THAT(corruption_of(shorter, rows_of_three(), 8), HasSubstr("lane 1: the offset stream is longer"));
}

TEST(LaneStreams, AreRefusedUnlessEachEndsWithItsLastSymbol) {
    const std::vector<Symbol> symbols(3, 2);
    const LaneStreams streams = encode_lanes(symbols, 1, &rows_of_three(), {});
    LaneStreams symbol_stream = streams;
    symbol_stream.lengths[0].symbol_bits += 1;   // still two bytes
    EXPECT_THAT(corruption_of(symbol_stream, rows_of_three(), 3), HasSubstr("the symbol stream does not end"));
    LaneStreams offset_stream = streams;
    offset_stream.lengths[0].offset_bits += 1;
    EXPECT_THAT(corruption_of(offset_stream, rows_of_three(), 3), HasSubstr("the offset stream does not end"));
}

}   // namespace
}   // namespace oscar::lane_streams_test

// rANS: its arithmetic, its streams, and that damage to them is noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/offset_stream.hpp"
#include "models/codec/entropy/rans_coder.hpp"
#include "models/codec/entropy/rans_rows.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/block_header.hpp"
#include "tests/codec/support.hpp"

namespace oscar::rans_test {
namespace {

using ::testing::HasSubstr;

TEST(Reciprocal, DividesEveryStateByEveryCount) {
    std::mt19937_64 random(1);
    for (std::uint32_t divisor = 1; divisor <= 1024; ++divisor) {
        const Reciprocal reciprocal(divisor);
        std::vector<std::uint32_t> states{0, 1, 1u << 15, (1u << 31) - 1};
        for (int i = 0; i < 200; ++i) {
            const auto multiple = static_cast<std::uint32_t>(random() % ((1u << 31) / divisor)) * divisor;
            states.insert(states.end(), {multiple, multiple + divisor - 1, multiple > 0 ? multiple - 1 : 0});
        }
        for (const std::uint32_t x : states) ASSERT_EQ(reciprocal.divide(x), x / divisor) << x << " / " << divisor;
    }
}

Table counts_of(std::array<std::uint64_t, table_rows> counts) { return Table::magnitudes(9, normalise(counts)); }

std::vector<std::uint8_t> random_rows(std::uint64_t seed, const Table& table, std::size_t size) {
    std::mt19937_64 random(seed);
    const Cumulative& cumulative = table.cumulative;
    std::vector<std::uint8_t> rows(size);
    for (auto& row : rows) {
        const auto slot = random() % 1024;
        row = 0;
        while (cumulative[row + std::size_t{1}] <= slot) ++row;
    }
    return rows;
}

/// The lowest states that lanes can begin with.
std::vector<std::uint32_t> floors(std::uint32_t lanes) { return std::vector<std::uint32_t>(lanes, rans_floor); }

TEST(RansRows, AreTheBytesOfTheFormula) {
    // Even counts of 64, one lane, rows 3 and 5, the last first: 2^15 / 64 * 1024 + 5 * 64 + 0 = 2^19 + 320, which is
    // below 64 * 2^21; then (2^19 + 320) / 64 = 8197: 8197 * 1024 + 3 * 64 + 0.
    const Table even = counts_of({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    const RansStreams streams = encode_rows(std::vector<std::uint8_t>{3, 5}, floors(1), &even);
    EXPECT_EQ(streams.states, (std::vector<std::uint32_t>{8197u * 1024 + 192}));
    EXPECT_TRUE(streams.words.empty());
}

TEST(RansRows, ComeBackForAnyTableAndNumberOfLanes) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::array<std::uint64_t, table_rows> counts{};
        for (auto& n : counts) n = random() >> (20 + random() % 44);
        counts[seed % table_rows] += 1;
        const Table table = counts_of(counts);
        const auto rows = random_rows(seed, table, 1 + random() % 700);
        std::vector<std::uint32_t> states(1 + random() % 70);
        for (std::uint32_t& state : states) state = static_cast<std::uint32_t>(rans_floor + random() % rans_floor);
        EXPECT_EQ(decode_rows(encode_rows(rows, states, &table), rows.size(), &table), (DecodedRows{rows, states}));
    }
}

TEST(RansRows, CostTheirEntropyAndThirtyOneBitsALane) {
    const Table skewed = counts_of({700, 120, 80, 55, 30, 17, 9, 4, 1, 1, 1, 1, 1, 1, 1, 1});
    const auto rows = random_rows(3, skewed, 100'000);
    double ideal = 0;   // bits
    for (const std::uint8_t row : rows) ideal += 10 - std::log2(skewed.count(row));
    for (const std::uint32_t lanes : {1u, 64u}) {
        const RansStreams streams = encode_rows(rows, floors(lanes), &skewed);
        EXPECT_LE(16 * static_cast<double>(streams.words.size()), ideal * 1.0005);
        EXPECT_GE(16 * static_cast<double>(streams.words.size()),
                  ideal * 0.9995 - 16 * lanes);   // the states hold up to 16
    }
}

std::string refusal(const RansStreams& streams, std::size_t size, const Table& table) {
    try {
        decode_rows(streams, size, &table);
    } catch (const CorruptStream& error) {
        return error.what();
    }
    return "";
}

TEST(RansRows, AreRefusedUnlessEverythingEndsWhereItShould) {
    const Table skewed = counts_of({500, 200, 100, 50, 20, 10, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5});
    const auto rows = random_rows(4, skewed, 1000);
    const RansStreams streams = encode_rows(rows, floors(8), &skewed);
    EXPECT_EQ(refusal(streams, 1000, skewed), "");
    RansStreams damaged = streams;
    damaged.words.push_back(0);
    EXPECT_THAT(refusal(damaged, 1000, skewed), HasSubstr("words after the last row"));
    damaged = streams;
    damaged.words.pop_back();
    EXPECT_NE(refusal(damaged, 1000, skewed), "");
    damaged = streams;
    damaged.words.clear();
    EXPECT_THAT(refusal(damaged, 1000, skewed), HasSubstr("the words end before the rows do"));
    for (const std::uint32_t state : {rans_floor - 1, 1u << 31}) {
        damaged = streams;
        damaged.states[3] = state;
        EXPECT_THAT(refusal(damaged, 1000, skewed), HasSubstr("a state is not"));
    }
    damaged = encode_rows(std::vector<std::uint8_t>(8, 0), floors(8), &skewed);   // no words: only the states tell
    damaged.states[2] = 1u << 30;
    EXPECT_THAT(refusal(damaged, 8, skewed), HasSubstr("does not end where an encoder can begin"));
}

TEST(OffsetStream, IsTheOffsetsInTheOrderOfTheSymbols) {
    const Table table = Table::magnitudes(8, {});
    const std::vector<Symbol> symbols{1, -3, 0, 5};   // 0 | 11 | - | 001, and 2 bits of padding
    const LocatedSymbols located = locate(symbols, &table);
    EXPECT_EQ(located.rows, (std::vector<std::uint8_t>{1, 2, 0, 3}));
    EXPECT_EQ(hex(located.offsets), "64");
    EXPECT_EQ(located.offset_bits, 6u);
    std::vector<Symbol> out(4);
    EXPECT_EQ(read_offsets(located.offsets, located.rows, &table, 8, out), 6u);
    EXPECT_EQ(out, symbols);
}

TEST(OffsetStream, TakesTheTableOfEachSymbolsClass) {
    const Table small = Table::ranges(8, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {}),
                large = Table::magnitudes(8, {});
    const std::vector<const Table*> tables{&small, &large};
    const std::vector<std::uint8_t> classes{1, 0, 0, 1};
    const std::vector<Symbol> symbols{1, 3, 17, -3};   // 0 | - | 00000010 of 240 | 11, and 5 bits of padding
    const LocatedSymbols located = locate(symbols, Tables(tables, classes));
    EXPECT_EQ(located.rows, (std::vector<std::uint8_t>{1, 3, 15, 2}));
    EXPECT_EQ(hex(located.offsets), "01 60");
    std::vector<Symbol> out(4);
    EXPECT_EQ(read_offsets(located.offsets, located.rows, Tables(tables, classes), 8, out), 11u);
    EXPECT_EQ(out, symbols);
}

TEST(OffsetStream, IsRefusedIfItsBytesFillingOrSymbolsAreNotThoseOfTheRows) {
    const Table table = Table::magnitudes(9, {});
    const auto refused = [&](std::vector<std::byte> bytes, std::vector<std::uint8_t> rows, std::uint32_t width) {
        std::vector<Symbol> out(rows.size());
        try {
            read_offsets(bytes, rows, &table, width, out);
        } catch (const CorruptStream& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused({std::byte{0x60}}, {2, 1}, 9), "");
    EXPECT_THAT(refused({std::byte{0x60}, std::byte{0}}, {2, 1}, 9), HasSubstr("not as many bytes"));
    EXPECT_THAT(refused({std::byte{0x61}}, {2, 1}, 9), HasSubstr("padding"));
    EXPECT_EQ(refused({std::byte{0x7F}}, {8}, 9), "");
    EXPECT_THAT(refused({std::byte{0x7F}}, {8}, 8), HasSubstr("out of range"));   // 255
    const Table threes = Table::ranges(8, {0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45}, {});
    std::vector<Symbol> out(1);
    const std::vector<std::byte> three{std::byte{0xC0}};
    EXPECT_THROW(read_offsets(three, std::vector<std::uint8_t>{0}, &threes, 8, out), CorruptStream);   // offset 3 of 3
}

TEST(Rans, IsHeaderCountStatesWordsAndTheOffsetsThatAreNotInTheStates) {
    const auto codec = make_codec(RansParams{}, {.lanes = 2, .lane_values = 1024, .min_lane_values = 1});
    const auto symbols = make_symbols("geometric", 900, 8, 1);
    const Table table = table_of(*codec, symbols, 8);
    const Encoded encoded = codec->encode(symbols, Context{.width = 8}, &table);
    const LocatedSymbols located = locate(symbols, &table);
    // 2 lanes begin with 30 bits: the last 3 bytes of the offsets and 6 zeros.
    const auto tail = std::span(located.offsets).last(3);
    const std::uint32_t bits = std::to_integer<std::uint32_t>(tail[0]) << 22 |
                               std::to_integer<std::uint32_t>(tail[1]) << 14 |
                               std::to_integer<std::uint32_t>(tail[2]) << 6;
    const RansStreams streams =
        encode_rows(located.rows, {rans_floor | bits >> 15, rans_floor | (bits & 0x7FFF)}, &table);
    const auto state_bits = [&](std::size_t lane) { return std::bit_width(streams.states[lane]) - 1; };
    const std::size_t states = static_cast<std::size_t>(2 * 4 + state_bits(0) + state_bits(1) + 7) / 8;
    const std::size_t head = block_header_bytes + 4 + states + 2 * streams.words.size();
    EXPECT_EQ(encoded.bytes.size(), head + located.offsets.size() - 3);
    EXPECT_TRUE(std::equal(encoded.bytes.begin() + static_cast<std::ptrdiff_t>(head), encoded.bytes.end(),
                           located.offsets.begin()));
    EXPECT_EQ(encoded.blocks.at(0).work, (CodingCost{.values = 900,
                                                     .sub_stream_slots = 450,
                                                     .stalls = 0,
                                                     .offset_bits = located.offset_bits,
                                                     .width = 8,
                                                     .held_tables = 1}));
    auto damaged = encoded.bytes;
    damaged[block_header_bytes + 3] = std::byte{0xFF};
    EXPECT_THAT(corruption(*codec, damaged, Context{.width = 8}, &table, 900), HasSubstr("words go beyond the block"));
}

TEST(Rans, HoldsAllOffsetsInItsStatesWhereTheyAreFew) {
    const auto codec = make_codec(RansParams{}, {.lanes = 8, .lane_values = 1024, .min_lane_values = 1});
    for (const std::size_t ones : {0u, 1u, 7u, 8u, 119u, 120u, 121u, 128u, 129u}) {   // 8 lanes have room for 15 bytes
        SCOPED_TRACE(ones);
        std::vector<Symbol> symbols(4000);
        std::fill_n(symbols.begin() + 1000, ones, 1);   // an offset of one bit each
        const Table table = table_of(*codec, symbols, 8);
        const auto bytes = codec->encode(symbols, Context{.width = 8}, &table).bytes;
        std::vector<Symbol> out(symbols.size());
        codec->decode(bytes, Context{.width = 8}, &table, out);
        EXPECT_EQ(out, symbols);
        const LocatedSymbols located = locate(symbols, &table);
        const std::size_t held = std::min<std::size_t>(located.offsets.size(), 15);
        ASSERT_EQ(located.offsets.size(), (ones + 7) / 8);
        // 8 lengths of 4 bits, and as many states of 15 bits and what their length says.
        const auto behind = std::span<const std::byte>(bytes).subspan(block_header_bytes + 4);
        BitReader lengths(behind);
        std::uint64_t bits = 8 * (4 + 15);
        for (int lane = 0; lane < 8; ++lane) bits += lengths.get(4);
        const std::size_t words = std::to_integer<std::size_t>(bytes[block_header_bytes]);   // fewer than 256
        EXPECT_EQ(behind.size(), bytes_for(bits) + 2 * words + located.offsets.size() - held);
    }
}

TEST(Rans, RefusesBitsBehindTheLastOffset) {
    // One lane of 300 zeros, which have no offsets, whose encoder begins with a bit set in the room for them.
    const auto codec = make_codec(RansParams{}, {.lanes = 1, .lane_values = 1024, .min_lane_values = 1});
    const std::vector<Symbol> symbols(300);
    const Table table = table_of(*codec, symbols, 8);
    const auto bytes = codec->encode(symbols, Context{.width = 8}, &table).bytes;
    const auto state_of = [&](std::uint32_t first) {
        const RansStreams streams = encode_rows(std::vector<std::uint8_t>(300, 0), {first}, &table);
        EXPECT_TRUE(streams.words.empty());
        return streams.states[0];
    };
    const std::uint32_t sound = state_of(rans_floor), other = state_of(rans_floor + 4);
    const auto bits = static_cast<int>(std::bit_width(sound)) - 1;
    ASSERT_EQ(static_cast<int>(std::bit_width(other)) - 1, bits);
    auto damaged = bytes;   // 4 bits of length, then the state
    for (int bit = 0; bit < bits; ++bit)
        if (((sound ^ other) >> (bits - 1 - bit) & 1) != 0)
            damaged[block_header_bytes + 4 + static_cast<std::size_t>(4 + bit) / 8] ^=
                static_cast<std::byte>(0x80 >> (4 + bit) % 8);
    EXPECT_EQ(corruption(*codec, bytes, Context{.width = 8}, &table, 300), "");
    EXPECT_THAT(corruption(*codec, damaged, Context{.width = 8}, &table, 300), HasSubstr("bits after the last offset"));
}

TEST(Rans, RefusesStatesThatEndEarlyOrAreNotFilledWithZeros) {
    const RansCoder coder(Layout::magnitude);
    const std::vector<Symbol> symbols(40, 1);
    const auto codec = make_codec(RansParams{}, Framing{});
    const Table table = table_of(*codec, symbols, 8);
    std::vector<std::byte> payload;
    coder.encode(symbols, 8, 3, &table, payload);
    const auto refused = [&](std::span<const std::byte> bytes) {
        std::vector<Symbol> out(symbols.size());
        try {
            coder.decode(bytes, 8, 3, &table, out);
        } catch (const CorruptStream& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused(payload), "");
    EXPECT_THAT(refused(std::span(payload).first(3)), HasSubstr("before the number of its words"));
    EXPECT_THAT(refused(std::span(payload).first(7)), HasSubstr("before the states of its lanes"));
    auto damaged = payload;   // 12 bits of lengths; all states of the lowest length would be 45 more: 3 fill the byte
    damaged[4] = std::byte{0};
    damaged[5] &= std::byte{0x0F};
    damaged[4 + 57 / 8] |= std::byte{1};
    EXPECT_THAT(refused(damaged), HasSubstr("padding after the states"));
}

TEST(Rans, CostsAsMuchAsAscOnLargeBlocks) {
    const auto symbols = make_symbols("geometric", 60'000, 11, 1);
    const auto size = [&](const CodecChoice& choice) {
        const auto codec = make_codec(choice, Framing{});
        const Table table = table_of(*codec, symbols, 11);
        return static_cast<double>(codec->encode(symbols, Context{.width = 11}, &table).bytes.size());
    };
    EXPECT_NEAR(size(RansParams{}) / size(AscParams{}), 1, 0.01);
}

}   // namespace
}   // namespace oscar::rans_test

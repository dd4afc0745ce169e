// The framing of coded messages: what each byte is, and that a decoder checks it.
#include "models/codec/message/block_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/inline_table.hpp"
#include "tests/codec/support.hpp"

namespace oscar::block_message_test {
namespace {

using ::testing::HasSubstr;

const Framing framing{.lanes = 3, .lane_values = 100, .min_lane_values = 10};
const Context context{.width = 8, .epoch = 0x11, .timestep = {0x2233}, .chunk = {0x4455}};

/// A message of two ASC blocks, 300 and 200 symbols, with a table that both ends hold.
struct Message {
    std::unique_ptr<Codec> codec = make_codec(AscParams{}, framing);
    std::vector<Symbol> symbols = make_symbols("geometric", 500, 8, 1);
    Table table = table_of(*codec, symbols, 8);
    Encoded encoded = codec->encode(symbols, context, &table);

    std::string corruption_with(std::size_t at, unsigned value) const {
        auto bytes = encoded.bytes;
        bytes[at] = static_cast<std::byte>(value);
        return corruption(*codec, bytes, context, &table, symbols.size());
    }
};

TEST(BlockMessage, BeginsWithTheHeaderOfTheModelInLittleEndian) {
    const Message m;
    ASSERT_EQ(m.encoded.blocks.size(), 2u);
    const std::uint64_t size = m.encoded.blocks[0].bytes;
    const std::uint16_t check = m.table.check();
    std::vector<std::byte> expected;
    for (const std::uint64_t b :
         {std::uint64_t{1}, std::uint64_t{0x11}, std::uint64_t{check} & 0xFF, std::uint64_t{check} >> 8,
          std::uint64_t{0x33}, std::uint64_t{0x22}, std::uint64_t{0x55}, std::uint64_t{0x44}, std::uint64_t{300 & 0xFF},
          std::uint64_t{300 >> 8}, std::uint64_t{0}, std::uint64_t{0}, size & 0xFF, size >> 8, std::uint64_t{0},
          std::uint64_t{0}})
        expected.push_back(static_cast<std::byte>(b));
    EXPECT_EQ(hex(std::span(m.encoded.bytes).first(16)), hex(expected));
}

TEST(BlockMessage, IsHeaderLengthsAndStreamsAndNothingElse) {
    // One lane of 16 zeros at counts 1009 of 1024: 16 * 0.0213 bits, so no shift, only the two bits that end the
    // stream; no offsets. Lengths: shorter than 16 * 8 = 128 bits, so 7 bits each: 0000010 0000000 and 2 bits of
    // padding.
    const auto codec = make_codec(AscParams{}, Framing{});
    const std::vector<Symbol> zeros(16, 0);
    const Table table = table_of(*codec, zeros, 8);
    const Encoded encoded = codec->encode(zeros, Context{.width = 8}, &table);
    EXPECT_EQ(hex(std::span(encoded.bytes).subspan(16)), "04 00 40");
    EXPECT_EQ(encoded.blocks.at(0).work, (CodingCost{.values = 16,
                                                     .sub_stream_slots = 16,
                                                     .stalls = 0,
                                                     .offset_bits = 0,
                                                     .searches = 16,
                                                     .width = 8,
                                                     .held_tables = 1,
                                                     .chunks = 1}));
}

TEST(BlockMessage, CountsTheOffsetBitsAndTheBusiestLane) {
    // 5 symbols on 2 lanes: 3 and 2. Offsets of 7: row 3, 3 bits.
    const auto codec = make_codec(AscParams{}, {.lanes = 2, .lane_values = 1024, .min_lane_values = 1});
    const std::vector<Symbol> sevens(501, 7);
    const Table table = table_of(*codec, sevens, 8);
    const Encoded encoded = codec->encode(sevens, Context{.width = 8}, &table);
    EXPECT_EQ(encoded.blocks.at(0).work, (CodingCost{.values = 501,
                                                     .sub_stream_slots = 251,
                                                     .stalls = 0,
                                                     .offset_bits = 501 * 3,
                                                     .searches = 251,
                                                     .width = 8,
                                                     .held_tables = 1,
                                                     .chunks = 2 * 2}));
}

TEST(BlockMessage, CountsPackerStallsAtBothEnds) {
    // Rows 0 and 1 have 511 and 2 of 1024 counts: symbols of row 1 straddle 1/2 and let 9 bits of underflow wait each,
    // so that the symbol behind four of them has 36 bits or more: 2 stalls, as ceil(37/16) - 1 = 2.
    Cumulative cumulative{0, 511, 513};
    for (std::uint16_t row = 3; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(1024 - 16 + row);
    const Table table = Table::magnitudes(24, cumulative);
    const auto codec = make_codec(AscParams{}, {.lanes = 1, .lane_values = 1024});
    const std::vector<Symbol> symbols{1, -1, 1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const Encoded encoded = codec->encode(symbols, Context{.width = 24}, &table);
    EXPECT_EQ(encoded.blocks.at(0).work, (CodingCost{.values = 16,
                                                     .sub_stream_slots = 18,
                                                     .stalls = 2,
                                                     .offset_bits = 4,
                                                     .searches = 16,
                                                     .width = 24,
                                                     .held_tables = 1,
                                                     .chunks = 1}));
    std::vector<Symbol> out(symbols.size());
    EXPECT_EQ(codec->decode(encoded.bytes, Context{.width = 24}, &table, out), encoded.blocks);
    EXPECT_EQ(out, symbols);
}

TEST(BlockMessage, NamesTheHeaderFieldThatIsWrong) {
    const Message m;
    EXPECT_THAT(m.corruption_with(0, 3), HasSubstr("block 0: mode"));
    EXPECT_THAT(m.corruption_with(1, 0x12), HasSubstr("block 0: epoch is not the decoder's: 18, expected 17"));
    EXPECT_THAT(m.corruption_with(2, static_cast<unsigned>(m.encoded.bytes[2]) ^ 1u), HasSubstr("table check"));
    EXPECT_THAT(m.corruption_with(4, 0), HasSubstr("timestep"));
    EXPECT_THAT(m.corruption_with(6, 0), HasSubstr("chunk"));
    EXPECT_THAT(m.corruption_with(8, 0), HasSubstr("value count"));
    EXPECT_THAT(m.corruption_with(14, 1), HasSubstr("total bytes go beyond the message"));
    EXPECT_THAT(m.corruption_with(m.encoded.blocks[1].offset + 1, 0), HasSubstr("block 1: epoch"));
}

TEST(BlockMessage, RefusesATotalBelowTheHeaderItself) {
    const Message m;
    auto bytes = m.encoded.bytes;
    bytes[12] = std::byte{15};
    bytes[13] = std::byte{0};
    EXPECT_THAT(corruption(*m.codec, bytes, context, &m.table, 500),
                HasSubstr("total bytes are less than the header: 15"));
}

TEST(BlockMessage, RefusesARawBlockWithATableCheckOrAnotherSize) {
    const auto codec = make_codec(AscParams{}, framing);
    const auto symbols = make_symbols("uniform", 100, 8, 2);
    auto bytes = codec->encode(symbols, context, nullptr).bytes;
    ASSERT_EQ(bytes[0], std::byte{0});
    bytes[3] = std::byte{1};
    EXPECT_THAT(corruption(*codec, bytes, context, nullptr, 100), HasSubstr("table check of a raw block"));
    bytes[3] = std::byte{0};
    bytes[12] = static_cast<std::byte>(16 + 99);
    EXPECT_THAT(corruption(*codec, bytes, context, nullptr, 100),
                HasSubstr("total bytes are not those of a raw block"));
}

TEST(BlockMessage, NoticesEveryFlippedBitOfEveryHeader) {
    const Message m;
    for (const Block& block : m.encoded.blocks)
        for (std::size_t at = block.offset; at < block.offset + block_header_bytes; ++at)
            for (unsigned bit = 0; bit < 8; ++bit)
                EXPECT_NE(m.corruption_with(at, static_cast<unsigned>(m.encoded.bytes[at]) ^ 1u << bit), "")
                    << at << ":" << bit;
}

TEST(BlockMessage, NoticesEveryFlippedBitOfTheLengths) {
    const Message m;
    // 100 values of 8 bits in each of 3 lanes: 6 lengths of 10 bits, 60 bits, 8 bytes with the padding.
    EXPECT_EQ(LaneCoder::length_bits(300, 8, 3), 10u);
    EXPECT_EQ(LaneCoder::lengths_bytes(300, 8, 3), 8u);
    for (std::size_t at = block_header_bytes; at < block_header_bytes + 8; ++at)
        for (unsigned bit = 0; bit < 8; ++bit)
            EXPECT_NE(m.corruption_with(at, static_cast<unsigned>(m.encoded.bytes[at]) ^ 1u << bit), "") << at;
}

TEST(BlockMessage, RefusesATableOtherThanTheEncoders) {
    const Message m;
    const Table other = table_of(*m.codec, make_symbols("zero", 10, 8, 1), 8);
    EXPECT_THAT(corruption(*m.codec, m.encoded.bytes, context, &other, 500), HasSubstr("table check"));
    EXPECT_THAT(corruption(*m.codec, m.encoded.bytes, context, nullptr, 500), HasSubstr("no table"));
    const auto atalanta = make_codec(AtalantaParams{}, framing);
    EXPECT_THROW(atalanta->encode(m.symbols, context, &m.table), std::invalid_argument);   // layout
    EXPECT_THROW(m.codec->encode(m.symbols, Context{.width = 9}, &m.table), std::invalid_argument);
}

TEST(BlockMessage, BringsTheTableInTheFirstBlockOnly) {
    const Message m;
    const Encoded encoded = m.codec->encode(m.symbols, context, nullptr);
    ASSERT_EQ(encoded.blocks.size(), 2u);
    EXPECT_EQ(encoded.bytes[0], std::byte{2});
    EXPECT_EQ(encoded.bytes[encoded.blocks[1].offset], std::byte{1});
    EXPECT_EQ(encoded.bytes.size(), m.encoded.bytes.size() + 20);   // 16 counts of 10 bits
    EXPECT_EQ(corruption(*m.codec, encoded.bytes, context, nullptr, 500), "");
    // The second block alone has no table.
    const auto second = std::span(encoded.bytes).subspan(encoded.blocks[1].offset);
    EXPECT_THAT(corruption(*m.codec, second, context, nullptr, 200), HasSubstr("no table"));
}

TEST(BlockMessage, ExpandsIncompressibleSymbolsByItsHeaderOnly) {
    const auto symbols = make_symbols("uniform", 500, 8, 2);
    for (const CodecChoice& choice : {CodecChoice(AscParams{}), CodecChoice(AtalantaParams{})}) {
        SCOPED_TRACE(choice.name());
        const Encoded encoded = make_codec(choice, framing)->encode(symbols, context, nullptr);
        EXPECT_EQ(encoded.bytes.size(), 500u + 2 * 16);
        EXPECT_EQ(encoded.bytes[0], std::byte{0});
        EXPECT_EQ(encoded.blocks.at(0).work,
                  (CodingCost{.values = 300, .sub_stream_slots = 100, .stalls = 0, .offset_bits = 2400}));
    }
}

TEST(BlockMessage, SendsABlockRawWhoseLaneIsTooLongForItsLengths) {
    // Lane 0 of 4 has 16 symbols of magnitude 127 under a table of zeros: 16 * 10 bits of rows, while lengths of 7 bits
    // hold less than 16 * 8. It would pay: 21 + 14 bytes for lane 0, 3 for the others, 7 for the lengths; raw is 64.
    const auto codec = make_codec(AscParams{}, {.lanes = 4, .lane_values = 16, .min_lane_values = 16});
    std::vector<Symbol> symbols(64, 0);
    for (std::size_t i = 0; i < 64; i += 4) symbols[i] = 127;
    const Table table = table_of(*codec, std::vector<Symbol>(10, 0), 8);
    const Encoded encoded = codec->encode(symbols, Context{.width = 8}, &table);
    EXPECT_EQ(encoded.bytes[0], std::byte{0});
    EXPECT_EQ(corruption(*codec, encoded.bytes, Context{.width = 8}, &table, 64), "");
}

TEST(BlockMessage, DecodesABlockByItselfWithItsTable) {
    const Message m;
    const Block& block = m.encoded.blocks[1];
    std::vector<Symbol> out(block.values);
    m.codec->decode(std::span(m.encoded.bytes).subspan(block.offset, block.bytes), context, &m.table, out);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), m.symbols.begin() + block.first_value));
}

TEST(BlockMessage, RefusesTimestepsAndChunksBeyond16Bits) {
    const Message m;
    EXPECT_THROW(m.codec->encode(m.symbols, Context{.width = 8, .timestep = {65536}}, &m.table), std::invalid_argument);
    EXPECT_THROW(m.codec->encode(m.symbols, Context{.width = 8, .chunk = {65536}}, &m.table), std::invalid_argument);
}

TEST(BlockMessage, HoldsAgainstRandomBytesBehindAHeaderThatIsRight) {
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const auto codec =
            make_codec(seed % 2 == 0 ? CodecChoice(AscParams{}) : CodecChoice(AtalantaParams{}), framing);
        const std::uint32_t values = 1 + static_cast<std::uint32_t>(random() % 300);
        const Table table = table_of(*codec, make_symbols("geometric", 300, 8, seed), 8);
        BlockHeader header = make_header(context, values);
        header.mode = static_cast<BlockMode>(random() % 3);
        header.check = table.check();
        header.bytes = static_cast<std::uint32_t>(16 + random() % 400);
        std::vector<std::byte> bytes;
        append(bytes, header);
        while (bytes.size() < header.bytes) bytes.push_back(static_cast<std::byte>(random() % 256));
        EXPECT_NO_THROW(corruption(*codec, bytes, context, &table, values));
    }
}

TEST(Framing, UsesAsManyLanesAsKeepTheLeastInEach) {
    const Framing f{.lanes = 64, .lane_values = 1024, .min_lane_values = 64};
    EXPECT_EQ(f.sub_streams_for(1), 1u);
    EXPECT_EQ(f.sub_streams_for(127), 1u);
    EXPECT_EQ(f.sub_streams_for(128), 2u);
    EXPECT_EQ(f.sub_streams_for(4095), 63u);
    EXPECT_EQ(f.sub_streams_for(65536), 64u);
    // Never fewer than a full block needs at lane_values each.
    EXPECT_EQ((Framing{.lanes = 64, .lane_values = 16, .min_lane_values = 64}).sub_streams_for(1024), 64u);
}

TEST(Framing, OfNoLanesOrValuesIsRefused) {
    EXPECT_THROW(make_codec(AscParams{}, {.lanes = 0}), std::invalid_argument);
    EXPECT_THROW(make_codec(AscParams{}, {.lanes = 4097}), std::invalid_argument);
    EXPECT_THROW(make_codec(AscParams{}, {.lanes = 4, .lane_values = 0}), std::invalid_argument);
    EXPECT_THROW(make_codec(AscParams{}, {.lanes = 4096, .lane_values = 1 << 15}), std::invalid_argument);
}

TEST(InlineTable, GivesBackTheTableInTheBytesItPromises) {
    EXPECT_EQ(inline_table_bytes(Layout::magnitude, 8), 20u);   // 16 * 10 bits
    EXPECT_EQ(inline_table_bytes(Layout::ranges, 8), 36u);      // 16 * (10 + 8) bits
    for (std::uint32_t width = 1; width <= 32; ++width)
        for (const CodecChoice& choice : {CodecChoice(AscParams{}), CodecChoice(AtalantaParams{})}) {
            SCOPED_TRACE(std::string(choice.name()) + std::to_string(width));
            const auto codec = make_codec(choice, framing);
            const Table table = table_of(*codec, make_symbols("geometric", 500, width, width), width);
            std::vector<std::byte> bytes;
            append_table(bytes, table);
            EXPECT_EQ(bytes.size(), inline_table_bytes(table.layout, width));
            EXPECT_EQ(read_table(bytes, table.layout, width), table);
        }
}

TEST(InlineTable, IsRefusedUnlessItsCountsAreCompleteAndItsRangesAscend) {
    const std::vector<std::byte> zeros(36);   // counts of one each: 16, not 1024
    EXPECT_THROW(read_table(std::span(zeros).first(20), Layout::magnitude, 8), CorruptStream);
    Cumulative cumulative{};
    for (std::uint16_t row = 1; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(64 * row);
    std::array<std::uint32_t, table_rows> first{};
    for (std::uint32_t row = 0; row < table_rows; ++row) first[row] = 16 * row;
    first[5] = first[4];
    Table table = Table::ranges(8, first, cumulative);
    std::vector<std::byte> bytes;
    append_table(bytes, table);
    EXPECT_THROW(read_table(bytes, Layout::ranges, 8), CorruptStream);
}

TEST(Framing, CutsAMessageInAsManyBlocksAsKeepEnoughValuesInEveryLane) {
    const Framing four{.lanes = 8, .lane_values = 100, .min_lane_values = 10, .blocks = 4};
    EXPECT_EQ(four.block_values(640), 8u * 20);   // 640 / (4 * 8)
    EXPECT_EQ(four.block_values(641), 8u * 21);   // rounded up: no fifth block of one value
    EXPECT_EQ(four.block_values(319), 8u * 10);   // less than 10 a lane: fewer blocks
    EXPECT_EQ(four.block_values(0), 8u * 10);
    EXPECT_EQ(four.block_values(10'000), 8u * 100);   // more than 100 a lane: more blocks
    const Framing one{.lanes = 8, .lane_values = 100, .min_lane_values = 10};
    for (const std::size_t values : {1u, 640u, 10'000u}) EXPECT_EQ(one.block_values(values), 8u * 100);
}

TEST(Framing, ShowsItsBlocksInTheMessage) {
    const Framing four{.lanes = 8, .lane_values = 100, .min_lane_values = 10, .blocks = 4};
    const auto codec = make_codec(AscParams{}, four);
    const auto blocks = codec->encode(make_symbols("geometric", 641, 8, 1), Context{.width = 8}, nullptr).blocks;
    ASSERT_EQ(blocks.size(), 4u);
    EXPECT_EQ(blocks[0].values, 168u);
    EXPECT_EQ(blocks[3].values, 641u - 3 * 168);
}

}   // namespace
}   // namespace oscar::block_message_test

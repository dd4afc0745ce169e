// Each kind of codec: what is particular to it.
#include "models/codec/kinds/codecs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/codec/support.hpp"

namespace oscar::codecs_test {
namespace {

using ::testing::HasSubstr;

TEST(Codecs, HaveNamesOfTheirOwnAndMeanings) {
    std::set<std::string_view> names;
    for_each_kind(codecs, [&](const auto& kind) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    });
    EXPECT_EQ(names, (std::set<std::string_view>{"fp32", "bf16", "fp8", "fixed_point", "atalanta", "asc", "aac", "rans",
                                                 "zero_value", "shapeshifter", "zstd", "lz4", "byte_plane"}));
    EXPECT_EQ(CodecChoice{}.name(), "fp32");
    EXPECT_EQ(CodecChoice(AscParams{}).name(), "asc");
}

TEST(Codecs, SayWhereTheirTablesComeFrom) {
    const auto source = [](const CodecChoice& choice) { return make_codec(choice, Framing{})->table_source(); };
    EXPECT_EQ(source(Fp32Params{}), TableSource::none);
    EXPECT_EQ(source(FixedPointParams{}), TableSource::none);
    EXPECT_EQ(source(AtalantaParams{}), TableSource::profiled);
    EXPECT_EQ(source(AtalantaParams{.table = AtalantaTable::sent_inline}), TableSource::sent_inline);
    EXPECT_EQ(source(AtalantaParams{.table = AtalantaTable::pooled}), TableSource::pooled);
    EXPECT_EQ(source(AscParams{}), TableSource::stepwise);
    EXPECT_EQ(source(AacParams{}), TableSource::adaptive);
    EXPECT_EQ(source(RansParams{}), TableSource::stepwise);
}

TEST(Fp8, SendsAByteOfEachWordWithoutTheEngine) {
    const auto codec = make_codec(Fp8Params{}, Framing{});
    EXPECT_FALSE(codec->uses_engine());
    const std::vector<Symbol> words{1, -2, 127, 0};
    const Encoded sent = codec->encode(words, {.width = 8}, {});
    EXPECT_EQ(sent.bytes, (std::vector{std::byte{1}, std::byte{0xFE}, std::byte{127}, std::byte{0}}));
    EXPECT_EQ(codec->bound(1000, 8).count, 1000u);
    EXPECT_EQ(codec->sized_blocks(std::vector<Symbol>(300), {.width = 8}, {}).size(), 2u);   // 256 and 44
}

TEST(Fp32, CopiesWordsInLittleEndianWithoutTheEngine) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    EXPECT_FALSE(codec->uses_engine());
    const std::vector<Symbol> symbols{0x3F800000, -2};   // 1.0f
    const Encoded encoded = codec->encode(symbols, Context{}, nullptr);
    EXPECT_EQ(hex(encoded.bytes), "00 00 80 3f fe ff ff ff");
    EXPECT_EQ(encoded.blocks.at(0).work, (CodingCost{.values = 2}));
    const Encoded longer = codec->encode(std::vector<Symbol>(130), Context{}, nullptr);
    ASSERT_EQ(longer.blocks.size(), 3u);   // 64, 64, 2
    EXPECT_EQ(longer.blocks[2].values, 2u);
    EXPECT_EQ(longer.blocks[2].offset, 512u);
}

TEST(FixedPointCodec, PacksTwosComplementAtTheWidthOfTheContext) {
    const auto codec = make_codec(FixedPointParams{}, Framing{.lanes = 2});
    EXPECT_TRUE(codec->uses_engine());
    const std::vector<Symbol> symbols{1, -1, 255};   // 9 bits: 000000001 111111111 011111111, and 5 bits of padding
    const Encoded encoded = codec->encode(symbols, Context{.width = 9}, nullptr);
    EXPECT_EQ(hex(encoded.bytes), "00 ff df e0");
    EXPECT_EQ(encoded.blocks.at(0).work,
              (CodingCost{.values = 3, .sub_stream_slots = 2, .stalls = 0, .offset_bits = 27}));
    const Encoded longer = codec->encode(std::vector<Symbol>(33), Context{.width = 9}, nullptr);
    ASSERT_EQ(longer.blocks.size(), 2u);   // 16 of each of 2 lanes, and 1
    EXPECT_EQ(longer.blocks[1].offset, 32u * 9 / 8);
}

TEST(FixedPointCodec, MakesAFewBlocksOfALongMessageAndShortOnesOfAShort) {
    const Framing framing{.lanes = 3};
    const auto values_of = [&](std::uint32_t blocks, std::size_t symbols) {
        std::vector<std::uint32_t> values;
        const std::vector<Symbol> zeros(symbols);
        const auto codec = make_codec(FixedPointParams{.blocks = blocks}, framing);
        for (const Block& block : codec->encode(zeros, Context{.width = 11}, {}).blocks) {
            EXPECT_EQ(block.offset * 8, block.first_value * 11u) << "a block begins with a whole byte";
            values.push_back(block.values);
        }
        return values;
    };
    using Values = std::vector<std::uint32_t>;
    EXPECT_EQ(values_of(4, 192), (Values{48, 48, 48, 48})) << "16 values of each of 3 lanes";
    EXPECT_EQ(values_of(4, 193), (Values{96, 96, 1})) << "one more would be a fifth block";
    EXPECT_EQ(values_of(4, 100), (Values{48, 48, 4}));
    EXPECT_EQ(values_of(4, 10'000), (Values{2544, 2544, 2544, 2368}));
    EXPECT_EQ(values_of(1, 10'000), (Values{10'000}));
    EXPECT_EQ(values_of(4, 0), Values{});
    EXPECT_EQ(values_of(FixedPointParams{}.blocks, 1'000'000).size(), 8);
}

TEST(FixedPointCodec, RefusesBytesThatItNeverWrites) {
    const auto codec = make_codec(FixedPointParams{}, Framing{});
    const Context context{.width = 4};
    EXPECT_NE(corruption(*codec, std::vector{std::byte{0x11}}, context, nullptr, 1), "");   // padding is 0001
    EXPECT_NE(corruption(*codec, std::vector{std::byte{0x80}}, context, nullptr, 2), "");   // -8 has no positive
    EXPECT_EQ(corruption(*codec, std::vector{std::byte{0x90}}, context, nullptr, 2), "");   // -7, 0
}

TEST(ZeroValue, IsAMaskAndTheNonZerosAsTheyAre) {
    const auto codec = make_codec(ZeroValueParams{}, Framing{});
    std::vector<Symbol> symbols(30, 0);
    symbols[1] = -1;
    symbols[2] = 5;   // 01100000 … 30 bits, then 11111111 00000101 and 2 bits of padding
    const Encoded encoded = codec->encode(symbols, Context{.width = 8}, nullptr);
    EXPECT_EQ(hex(std::span(encoded.bytes).subspan(16)), "60 00 00 03 fc 14");
    EXPECT_EQ(encoded.blocks.at(0).work,
              (CodingCost{.values = 30, .sub_stream_slots = 30, .stalls = 0, .offset_bits = 46, .width = 8}));
    EXPECT_EQ(codec->cost(0, 8, nullptr), 256u);
    EXPECT_EQ(codec->cost(5, 8, nullptr), 9u * 256);
}

TEST(ZeroValue, RefusesBytesThatItNeverWrites) {
    const auto codec = make_codec(ZeroValueParams{}, Framing{});
    std::vector<Symbol> symbols(30, 0);
    symbols[1] = symbols[2] = 5;
    const auto bytes = codec->encode(symbols, Context{.width = 8}, nullptr).bytes;   // 60 00 00 00 14 14
    const auto refusal = [&](std::size_t at, unsigned value) {
        auto damaged = bytes;
        damaged[16 + at] = static_cast<std::byte>(value);
        return corruption(*codec, damaged, Context{.width = 8}, nullptr, 30);
    };
    EXPECT_EQ(refusal(0, 0x60), "");
    EXPECT_THAT(refusal(0, 0x40), HasSubstr("not as many bytes"));
    EXPECT_THAT(refusal(5, 0x15), HasSubstr("padding"));
    EXPECT_THAT(refusal(4, 0x00), HasSubstr("marks a zero"));
    auto lowest = bytes;   // 10 00 00 00: -128, of which there is no positive
    lowest[16 + 3] = std::byte{0x02};
    lowest[16 + 4] = std::byte{0x00};
    EXPECT_THAT(corruption(*codec, lowest, Context{.width = 8}, nullptr, 30), HasSubstr("out of range"));
}

TEST(ShapeShifter, WritesEachGroupAsWideAsItsLargest) {
    const auto codec = make_codec(ShapeShifterParams{.group = 4}, Framing{});
    // Width 8 takes 4 bits. 0000 for four zeros. 0011 (5 has 3 bits), mask 0110, 0 101, 1 001. Then 0000 for each
    // group.
    std::vector<Symbol> symbols(28, 0);
    symbols[5] = 5;
    symbols[6] = -1;
    const Encoded encoded = codec->encode(symbols, Context{.width = 8}, nullptr);
    EXPECT_EQ(hex(std::span(encoded.bytes).subspan(16)), "03 65 90 00 00");
    EXPECT_EQ(encoded.blocks.at(0).work,
              (CodingCost{.values = 28, .sub_stream_slots = 28, .stalls = 0, .offset_bits = 40, .width = 8}));
    const auto bare = make_codec(ShapeShifterParams{.group = 4, .zeros = GroupZeros::none}, Framing{});
    const auto bytes = bare->encode(symbols, Context{.width = 8}, nullptr).bytes;   // 0011, 0 000, 0 101, 1 001, 0 000
    EXPECT_EQ(hex(std::span(bytes).subspan(16)), "03 05 90 00 00 00");
}

TEST(ShapeShifter, RefusesGroupsThatItNeverWrites) {
    const auto codec = make_codec(ShapeShifterParams{.group = 4}, Framing{});
    std::vector<Symbol> symbols(28, 0);
    symbols[5] = 5;
    symbols[6] = -1;
    const auto bytes = codec->encode(symbols, Context{.width = 8}, nullptr).bytes;   // 03 65 90 00 00
    const auto refusal = [&](std::size_t at, unsigned value) {
        auto damaged = bytes;
        damaged[16 + at] = static_cast<std::byte>(value);
        return corruption(*codec, damaged, Context{.width = 8}, nullptr, 28);
    };
    EXPECT_THAT(refusal(0, 0x83), HasSubstr("too wide"));              // 8 bits beside a sign
    EXPECT_THAT(refusal(1, 0x60), HasSubstr("a zero that is none"));   // 0 000, though the mask says otherwise
    EXPECT_THAT(refusal(1, 0x61), HasSubstr("wider than its largest"));
    // 8 groups of zeros are 4 bytes. The first now is 0001, mask 1000, 0 1: six bits more.
    auto longer = codec->encode(std::vector<Symbol>(32, 0), Context{.width = 8}, nullptr).bytes;
    longer[16] = std::byte{0x18};
    longer[17] = std::byte{0x40};
    EXPECT_THAT(corruption(*codec, longer, Context{.width = 8}, nullptr, 32), HasSubstr("not as many bytes"));
}

TEST(AscTable, GivesEveryRowAtLeastOneCount) {
    const auto codec = make_codec(AscParams{}, Framing{});
    const Table table = table_of(*codec, std::vector<Symbol>(1000, 0), 8);
    EXPECT_EQ(table.layout, Layout::magnitude);
    EXPECT_EQ(table.count(0), 1009u);   // 1024 - 15
    for (std::size_t row = 1; row < table_rows; ++row) EXPECT_EQ(table.count(row), 1u);
}

TEST(AscTable, CountsMagnitudeClasses) {
    const auto codec = make_codec(AscParams{}, Framing{});
    Counts counts;
    codec->learn(std::vector<Symbol>{0, 0, 1, -1, 2, -3, 64, -127}, 8, counts);
    EXPECT_EQ(counts, (Counts{2, 2, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Asc, HasTheHistoryItIsGiven) {
    EXPECT_EQ(make_codec(AscParams{}, Framing{})->stepwise().history, 1u);
    EXPECT_EQ(make_codec(AscParams{.history = 5}, Framing{})->stepwise().history, 5u);
    EXPECT_EQ(make_codec(AtalantaParams{}, Framing{})->stepwise().history, 64u);
}

TEST(Atalanta, FitsNarrowRangesWhereTheSymbolsAre) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    // Only 0 and 37: both get a row of their own, and so cost no offset.
    std::vector<Symbol> symbols(100, 0);
    symbols.resize(200, 37);
    const Table table = table_of(*codec, symbols, 8);
    EXPECT_EQ(table.offset_bits[table.locate(0).row], 0);
    EXPECT_EQ(table.offset_bits[table.locate(37).row], 0);
    EXPECT_LE(table.cost(0), 256u + 8);   // about one bit
}

TEST(Atalanta, UsesATableOfAWiderContextForAllNarrowerOnes) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    const auto local = make_symbols("geometric", 3000, 8, 1);
    const Table table = table_of(*codec, local, 11);
    for (const std::uint32_t width : {8u, 9u, 10u, 11u}) {
        const auto symbols = make_symbols("geometric", 3000, width, width);
        const Context context{.width = width};
        const Encoded encoded = codec->encode(symbols, context, &table);
        EXPECT_EQ(encoded.bytes[0], std::byte{1});
        std::vector<Symbol> out(symbols.size());
        codec->decode(encoded.bytes, context, &table, out);
        EXPECT_EQ(out, symbols);
    }
}

TEST(AtalantaInline, IgnoresAGivenTable) {
    const auto codec = make_codec(AtalantaParams{.table = AtalantaTable::sent_inline}, Framing{});
    const auto symbols = make_symbols("geometric", 3000, 8, 1);
    const Table other = table_of(*codec, std::vector<Symbol>(5, 3), 8);
    const Encoded encoded = codec->encode(symbols, Context{.width = 8}, &other);
    EXPECT_EQ(encoded.bytes[0], std::byte{2});
    EXPECT_EQ(encoded.bytes, codec->encode(symbols, Context{.width = 8}, nullptr).bytes);
    EXPECT_EQ(corruption(*codec, encoded.bytes, Context{.width = 8}, &other, symbols.size()), "");
}

TEST(AtalantaInline, DecodesNoBlockThatRestsOnAGivenTable) {
    const auto symbols = make_symbols("geometric", 3000, 8, 1);
    const auto profiled = make_codec(AtalantaParams{}, Framing{});
    const Table table = table_of(*profiled, symbols, 8);
    const auto bytes = profiled->encode(symbols, Context{.width = 8}, &table).bytes;
    const auto codec = make_codec(AtalantaParams{.table = AtalantaTable::sent_inline}, Framing{});
    EXPECT_NE(corruption(*codec, bytes, Context{.width = 8}, &table, symbols.size()).find("no table"),
              std::string::npos);
}

TEST(Choices, OfAtalantaHaveTheTextsOfTheYaml) {
    EXPECT_EQ(to_text(AtalantaTable::profiled), "profiled");
    EXPECT_EQ(to_text(AtalantaTable::sent_inline), "inline");
}

}   // namespace
}   // namespace oscar::codecs_test

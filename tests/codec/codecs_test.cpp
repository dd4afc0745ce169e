// Each kind of codec: what is particular to it.
#include "models/codec/codecs.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/codec/support.hpp"

namespace oscar {
namespace {

TEST(Codecs, HaveNamesOfTheirOwnAndMeanings) {
    std::set<std::string_view> names;
    for_each_kind(codecs, [&](const auto& kind) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    });
    EXPECT_EQ(names, (std::set<std::string_view>{"fp32", "widened", "atalanta", "asc", "aac", "rans"}));
    EXPECT_EQ(CodecChoice{}.name(), "fp32");
    EXPECT_EQ(CodecChoice(AscParams{}).name(), "asc");
}

TEST(Codecs, SayWhereTheirTablesComeFrom) {
    const auto source = [](const CodecChoice& choice) { return make_codec(choice, Framing{})->table_source(); };
    EXPECT_EQ(source(Fp32Params{}), TableSource::none);
    EXPECT_EQ(source(WidenedParams{}), TableSource::none);
    EXPECT_EQ(source(AtalantaParams{}), TableSource::profiled);
    EXPECT_EQ(source(AtalantaParams{.table = AtalantaTable::sent_inline}), TableSource::sent_inline);
    EXPECT_EQ(source(AscParams{}), TableSource::stepwise);
    EXPECT_EQ(source(AacParams{}), TableSource::adaptive);
    EXPECT_EQ(source(RansParams{}), TableSource::stepwise);
}

TEST(Fp32, CopiesWordsInLittleEndianWithoutTheEngine) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    EXPECT_FALSE(codec->uses_engine());
    const std::vector<Symbol> symbols{0x3F800000, -2};   // 1.0f
    const Encoded encoded = codec->encode(symbols, Context{}, nullptr);
    EXPECT_EQ(hex(encoded.bytes), "00 00 80 3f fe ff ff ff");
    EXPECT_EQ(encoded.blocks.at(0).work, (Work{.values = 2}));
    const Encoded longer = codec->encode(std::vector<Symbol>(130), Context{}, nullptr);
    ASSERT_EQ(longer.blocks.size(), 3u);   // 64, 64, 2
    EXPECT_EQ(longer.blocks[2].values, 2u);
    EXPECT_EQ(longer.blocks[2].offset, 512u);
}

TEST(Widened, PacksTwosComplementAtTheWidthOfTheContext) {
    const auto codec = make_codec(WidenedParams{}, Framing{.lanes = 2});
    EXPECT_TRUE(codec->uses_engine());
    const std::vector<Symbol> symbols{1, -1, 255};   // 9 bits: 000000001 111111111 011111111, and 5 bits of filling
    const Encoded encoded = codec->encode(symbols, Context{.width = 9}, nullptr);
    EXPECT_EQ(hex(encoded.bytes), "00 ff df e0");
    EXPECT_EQ(encoded.blocks.at(0).work, (Work{.values = 3, .lane_cycles = 2, .stalls = 0, .offset_bits = 27}));
    const Encoded longer = codec->encode(std::vector<Symbol>(33), Context{.width = 9}, nullptr);
    ASSERT_EQ(longer.blocks.size(), 2u);   // 16 of each of 2 lanes, and 1
    EXPECT_EQ(longer.blocks[1].offset, 32u * 9 / 8);
}

TEST(Widened, RefusesBytesThatItNeverWrites) {
    const auto codec = make_codec(WidenedParams{}, Framing{});
    const Context context{.width = 4};
    EXPECT_NE(corruption(*codec, std::vector{std::byte{0x11}}, context, nullptr, 1), "");   // filling is 0001
    EXPECT_NE(corruption(*codec, std::vector{std::byte{0x80}}, context, nullptr, 2), "");   // -8 has no positive
    EXPECT_EQ(corruption(*codec, std::vector{std::byte{0x90}}, context, nullptr, 2), "");   // -7, 0
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
    EXPECT_EQ(make_codec(AscParams{}, Framing{})->history_shift(), 1u);
    EXPECT_EQ(make_codec(AscParams{.history = 5}, Framing{})->history_shift(), 5u);
    EXPECT_EQ(make_codec(AtalantaParams{}, Framing{})->history_shift(), 64u);
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
}   // namespace oscar

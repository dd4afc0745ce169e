// Messages that need tables which the decoder does not hold are told from damaged ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/split.hpp"
#include "tests/codec/support.hpp"

namespace oscar::table_mismatch_test {
namespace {

const Framing framing{.lanes = 3, .lane_values = 100, .min_lane_values = 10};
const Context context{.width = 8, .epoch = 4, .timestep = {1}, .chunk = {2}};

enum class Verdict : std::uint8_t { sound, mismatch, damage };

Verdict verdict(const Codec& codec, std::span<const std::byte> bytes, const Tables& tables, std::size_t symbols,
                const Context& expected = context) {
    std::vector<Symbol> out(symbols);
    try {
        codec.decode(bytes, expected, tables, out);
    } catch (const TableMismatch&) {
        return Verdict::mismatch;
    } catch (const CorruptStream&) {
        return Verdict::damage;
    }
    return Verdict::sound;
}

/// Every codec that can be given a table that its messages do not bring.
template <class F>
void for_each_codec_with_common_tables(F&& f) {
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        const auto codec = make_codec(P{}, framing);
        const TableSource source = codec->table_source();
        if (source == TableSource::none || source == TableSource::adaptive) return;
        SCOPED_TRACE(kind.name);
        f(*codec);
    });
}

/// 500 symbols in two blocks, and two tables of the codec.
struct Message {
    explicit Message(const Codec& c) : codec(c) {}
    const Codec& codec;
    std::vector<Symbol> symbols = make_symbols("geometric", 500, 8, 1);
    Table table = table_of(codec, symbols, 8), other = table_of(codec, make_symbols("geometric", 50, 8, 2), 8);
    Encoded coded = codec.encode(symbols, context, &table), brings_table = codec.encode(symbols, context, nullptr);

    Verdict of(std::span<const std::byte> bytes, const Table* held) const {
        return verdict(codec, bytes, held, symbols.size());
    }
    Verdict with(Encoded message, std::size_t at, std::byte flip) const {
        message.bytes[at] ^= flip;
        return of(message.bytes, &table);
    }
};

TEST(TableMismatch, IsAMessageCodedWithATableThatTheDecoderDoesNotHold) {
    for_each_codec_with_common_tables([](const Codec& codec) {
        const Message m(codec);
        EXPECT_EQ(m.of(m.coded.bytes, &m.table), Verdict::sound);
        EXPECT_EQ(m.of(m.coded.bytes, &m.other), Verdict::mismatch);
        EXPECT_EQ(m.of(m.coded.bytes, nullptr), Verdict::mismatch);
        for (const Table* held : {&m.table, &m.other, static_cast<const Table*>(nullptr)})
            EXPECT_EQ(m.of(m.brings_table.bytes, held), Verdict::sound);
    });
}

TEST(TableMismatch, IsAMessageOfAnotherIteration) {
    for_each_codec_with_common_tables([](const Codec& codec) {
        const Message m(codec);
        Context next = context;
        ++next.epoch;
        EXPECT_EQ(verdict(codec, m.coded.bytes, &m.table, 500, next), Verdict::mismatch);
        EXPECT_EQ(verdict(codec, m.brings_table.bytes, &m.table, 500, next), Verdict::mismatch);
    });
}

TEST(TableMismatch, IsNotAMessageThatEndsEarly) {
    for_each_codec_with_common_tables([](const Codec& codec) {
        const Message m(codec);
        for (std::size_t size = 0; size < m.coded.bytes.size(); ++size)
            EXPECT_EQ(m.of(std::span(m.coded.bytes).first(size), &m.table), Verdict::damage) << size;
    });
}

TEST(TableMismatch, IsNotADamagedModeTimestepChunkOrSize) {
    for_each_codec_with_common_tables([](const Codec& codec) {
        const Message m(codec);
        for (const std::size_t at : {4u, 5u, 6u, 7u, 8u, 9u, 12u, 13u})
            EXPECT_EQ(m.with(m.coded, at, std::byte{1}), Verdict::damage) << at;
        EXPECT_EQ(m.with(m.coded, 0, std::byte{2}), Verdict::damage);     // mode 3
        EXPECT_EQ(m.with(m.coded, 2, std::byte{1}), Verdict::mismatch);   // the table check itself
    });
}

TEST(TableMismatch, IsNotADamagedCheckOfATableThatTheMessageBrings) {
    for_each_codec_with_common_tables([](const Codec& codec) {
        const Message m(codec);
        EXPECT_EQ(m.with(m.brings_table, 2, std::byte{1}), Verdict::damage);
        EXPECT_EQ(m.with(m.brings_table, m.brings_table.blocks[1].offset + 2, std::byte{1}), Verdict::damage);
    });
}

TEST(TableMismatch, IsNotADamagedCheckOfACodecWithoutTables) {
    const auto codec = make_codec(ShapeShifterParams{}, framing);
    auto bytes = codec->encode(make_symbols("geometric", 300, 8, 1), context, nullptr).bytes;
    ASSERT_EQ(bytes[0], std::byte{1});
    bytes[2] ^= std::byte{1};
    EXPECT_EQ(verdict(*codec, bytes, {}, 300), Verdict::damage);
}

TEST(BlockMode, AndCheckAreThoseOfTheHeader) {
    for_each_codec_with_common_tables([](const Codec& codec) {
        const Message m(codec);
        const std::uint16_t check = m.table.check();   // of just these symbols
        if (codec.table_source() != TableSource::sent_inline) {
            EXPECT_EQ(m.coded.blocks[0].mode, BlockMode::coded);
            EXPECT_EQ(m.coded.blocks[0].check, check);
        }
        EXPECT_EQ(m.brings_table.blocks[0].mode, BlockMode::coded_inline);
        EXPECT_EQ(m.brings_table.blocks[1].mode, BlockMode::coded);
        EXPECT_EQ(m.brings_table.blocks[1].check, check);
    });
    const auto asc = make_codec(AscParams{}, framing);
    const auto raw = asc->encode(make_symbols("uniform", 100, 8, 2), context, nullptr);
    EXPECT_EQ(raw.blocks[0].mode, BlockMode::raw);
    EXPECT_EQ(raw.blocks[0].check, 0);
}

TEST(CommonTables, AreProvenByACodedBlockUnlessTheMessageBringsATable) {
    const auto blocks = [](std::initializer_list<BlockMode> modes) {
        std::vector<Block> result;
        for (const BlockMode mode : modes) result.emplace_back().mode = mode;
        return result;
    };
    using enum BlockMode;
    EXPECT_TRUE(proves_common_tables(blocks({coded})));
    EXPECT_TRUE(proves_common_tables(blocks({raw, coded})));
    EXPECT_FALSE(proves_common_tables(blocks({})));
    EXPECT_FALSE(proves_common_tables(blocks({raw, raw})));
    EXPECT_FALSE(proves_common_tables(blocks({coded_inline, coded})));
    EXPECT_FALSE(proves_common_tables(blocks({coded, coded_inline})));   // a class coded apart that has no table
}

/// A message whose symbols are all of class 0 of two, with tables that differ between two ends in class 1 only.
struct OneClassOfTwo {
    std::unique_ptr<Codec> asc = make_codec(AscParams{}, framing);
    std::vector<Symbol> symbols = make_symbols("geometric", 500, 8, 1);
    std::vector<std::uint8_t> classes = std::vector<std::uint8_t>(500, 0);
    Table first = table_of(*asc, symbols, 8), second = table_of(*asc, make_symbols("geometric", 50, 8, 2), 8),
          another = table_of(*asc, make_symbols("geometric", 60, 8, 3), 8);
    const Table* held[2] = {&first, &second};
    const Table* differs[2] = {&first, &another};
};

TEST(CommonTables, AreComparedForEveryClassWhateverTheMessageHolds) {
    for_each_kind(splits, [&]<class S>(const Kind<S>& kind) {
        if constexpr (std::same_as<S, NoSplitParams> || std::same_as<S, TwoCodersSplitParams>) return;
        SCOPED_TRACE(kind.name);
        OneClassOfTwo m;
        const auto codec = make_split_codec(S{}, make_codec(AscParams{}, framing), framing, 2);
        const Encoded encoded = codec->encode(m.symbols, context, {m.held, m.classes});
        EXPECT_TRUE(proves_common_tables(encoded.blocks));
        EXPECT_EQ(verdict(*codec, encoded.bytes, {m.held, m.classes}, 500), Verdict::sound);
        EXPECT_EQ(verdict(*codec, encoded.bytes, {m.differs, m.classes}, 500), Verdict::mismatch);
        EXPECT_EQ(encoded.blocks[0].check, Tables(m.held, m.classes).check());
    });
}

TEST(CommonTables, AreNotProvenByRunsOfZerosAlone) {
    OneClassOfTwo m;
    const auto codec = make_split_codec(TwoCodersSplitParams{}, make_codec(AscParams{}, framing), framing, 2);
    const std::vector<Symbol> zeros(500, 0);
    EXPECT_FALSE(proves_common_tables(codec->encode(zeros, context, {m.held, m.classes}).blocks));
}

}   // namespace
}   // namespace oscar::table_mismatch_test

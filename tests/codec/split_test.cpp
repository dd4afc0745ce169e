// The laws of a codec, for messages whose symbols have classes.
#include "models/codec/message/split.hpp"

#include <gmock/gmock.h>

#include "tests/codec/split_support.hpp"

namespace oscar::split_test {
namespace {

using test::classes;
using test::for_each_split_codec;
using test::framing;
using test::Message;
using test::SplitCase;

TEST(Splits, BringBackEverySymbolWithEqualBlocksAtBothEnds) {
    for_each_split_codec([](const Codec& codec, const SplitCase& tested) {
        for (const std::uint32_t width : {8u, 11u})
            for (const std::size_t size : {0u, 1u, 2u, 65u, 900u}) {
                const Message message(codec, size, width, size + width);
                const Context context{.width = width, .epoch = 3, .timestep = Timestep{2}, .chunk = ChunkId{1}};
                const Tables tables = message.view_for(tested.takes_classes);
                const Encoded encoded = codec.encode(message.symbols, context, tables);
                EXPECT_LE(encoded.bytes.size(), codec.bound(size, width).count);
                std::vector<Symbol> out(size, 99);
                EXPECT_EQ(codec.decode(encoded.bytes, context, tables, out), encoded.blocks);
                EXPECT_EQ(out, message.symbols);
                std::uint64_t values = 0, bytes = 0;
                for (const Block& block : encoded.blocks) {
                    EXPECT_EQ(block.first_value, values);
                    EXPECT_EQ(block.offset, bytes);
                    values += block.values;
                    bytes += block.bytes;
                }
                EXPECT_EQ(values, size);
                EXPECT_EQ(bytes, encoded.bytes.size());
            }
    });
}

TEST(Splits, AreTheCodecItselfWhereClassesAreNotKnown) {
    for_each_split_codec([](const Codec& codec, const SplitCase&) {
        const Message message(codec, 300, 8, 5);
        const Tables one = message.view_for(false);
        const Encoded encoded = codec.encode(message.symbols, {.width = 8}, one);
        std::vector<Symbol> out(300);
        codec.decode(encoded.bytes, {.width = 8}, one, out);
        EXPECT_EQ(out, message.symbols);
    });
}

TEST(Splits, NeverCrashOnDamagedMessages) {
    std::mt19937_64 random(7);
    for_each_split_codec([&](const Codec& codec, const SplitCase& tested) {
        if (!tested.takes_classes) return;
        const Message message(codec, 400, 8, 6);
        const Encoded encoded = codec.encode(message.symbols, {.width = 8}, message.view());
        for (int trial = 0; trial < 300; ++trial) {
            auto bytes = encoded.bytes;
            if (trial % 3 == 0) bytes.resize(random() % bytes.size());
            else bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 + random() % 255);
            std::vector<Symbol> out(400);
            try {
                codec.decode(bytes, {.width = 8}, message.view(), out);
            } catch (const CorruptStream&) {
                continue;
            }
            if (trial % 3 == 0) ADD_FAILURE() << "a message without its end was taken";
        }
    });
}

TEST(Splits, OfTablesByClassNeverCostMoreThanOneTableAndTheFraming) {
    // I(symbol; class) >= 0: with tables of the very symbols, only rounding of counts and a header per class can cost.
    for (const CodecChoice& choice : {CodecChoice(AscParams{}), CodecChoice(RansParams{})}) {
        const auto make = [&] { return make_codec(choice, framing); };
        const auto whole = make(), context = make_split_codec(ContextSplitParams{}, make(), framing, classes),
                   physical = make_split_codec(PhysicalSplitParams{}, make(), framing, classes);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Message message(*whole, 2000, 8, seed);
            const Table one = table_of(*whole, message.symbols, 8);
            const auto together = whole->encode(message.symbols, {.width = 8}, &one).bytes.size();
            const auto apart = context->encode(message.symbols, {.width = 8}, message.view()).bytes.size();
            EXPECT_LT(apart, together * 95 / 100);   // these classes differ much
            EXPECT_LT(physical->encode(message.symbols, {.width = 8}, message.view()).bytes.size(),
                      apart + classes * (4 + 16 + 8 * 6));   // a length, a header, and 8 lanes' lengths and padding
        }
    }
}

TEST(Splits, IntoTwoCodersWorkWhereAllElementsAreOfOneClass) {
    const auto codec =
        make_split_codec(TwoCodersSplitParams{}, make_codec(CodecChoice(AscParams{}), framing), framing, 1);
    const std::vector<Symbol> symbols{0, 0, 5, 0, -1};
    const std::vector<std::uint8_t> all(5, 0);
    const Table table = table_of(*codec, symbols, 8);
    const std::vector<const Table*> one{&table};
    const Encoded encoded = codec->encode(symbols, {.width = 8}, Tables(one, all));
    std::vector<Symbol> out(5);
    codec->decode(encoded.bytes, {.width = 8}, Tables(one, all), out);
    EXPECT_EQ(out, symbols);
}

TEST(Splits, ByContextNeedACodecThatUsesClasses) {
    EXPECT_THROW(
        make_split_codec(ContextSplitParams{}, make_codec(CodecChoice(FixedPointParams{}), framing), framing, 2),
        std::invalid_argument);
}

TEST(Splits, WithTablesOfOtherClassesAreDetected) {
    const auto codec =
        make_split_codec(ContextSplitParams{}, make_codec(CodecChoice(AscParams{}), framing), framing, classes);
    Message message(*codec, 500, 8, 9);
    const Encoded encoded = codec->encode(message.symbols, {.width = 8}, message.view());
    std::swap(message.tables[0], message.tables[2]);
    std::vector<Symbol> out(500);
    EXPECT_THROW(codec->decode(encoded.bytes, {.width = 8}, message.view(), out), CorruptStream);
}

}   // namespace
}   // namespace oscar::split_test

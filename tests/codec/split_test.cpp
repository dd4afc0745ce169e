// The laws of a codec, for messages whose symbols have classes.
#include "models/codec/split.hpp"

#include <gmock/gmock.h>

#include "models/codec/codecs.hpp"
#include "tests/codec/support.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t classes = 3;
const Framing framing{.lanes = 8, .lane_values = 40, .min_lane_values = 4};

/// Symbols whose class tells their scale: zero mostly, small, large; and the tables of a codec for them.
struct Message {
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> of;
    std::vector<Table> owned;
    std::vector<const Table*> tables;

    Message(const Codec& codec, std::size_t size, std::uint32_t width, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        std::vector<std::vector<Symbol>> samples(classes);
        for (auto& sample : samples) sample.push_back(1);
        for (std::size_t i = 0; i < size; ++i) {
            const auto c = static_cast<std::uint8_t>(random() % classes);
            const std::int64_t range =
                c == 0 ? (random() % 20 == 0) : std::min<std::int64_t>(largest(width), c == 1 ? 3 : 60);
            symbols.push_back(static_cast<Symbol>(
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * range + 1)) - range));
            of.push_back(c);
            samples[c].push_back(symbols.back());
        }
        if (codec.table_source() == TableSource::none || codec.table_source() == TableSource::adaptive) return;
        for (const auto& sample : samples) owned.push_back(table_of(codec, sample, width));
        for (const Table& table : owned) tables.push_back(&table);
    }
    Tables view() const { return {tables, of}; }
};

/// Each listed codec under each split that it can have.
template <class F>
void for_each_split_codec(F&& f) {
    for_each_kind(codecs, [&]<class P>(const Kind<P>& codec) {
        for_each_kind(splits, [&]<class S>(const Kind<S>& split) {
            auto inner = make_codec(CodecChoice(P{}), framing);
            const bool in_context = inner->uses_classes();
            if (std::is_same_v<S, ContextSplitParams> && !in_context) return;
            SCOPED_TRACE(testing::Message() << codec.name << ", split " << split.name);
            const auto whole = make_split_codec(S{}, std::move(inner), framing, classes);
            f(*whole, !std::is_same_v<S, NoSplitParams> || in_context);
        });
    });
}

TEST(Splits, BringBackEverySymbolWithEqualBlocksAtBothEnds) {
    for_each_split_codec([](const Codec& codec, bool takes_classes) {
        for (const std::uint32_t width : {8u, 11u})
            for (const std::size_t size : {0u, 1u, 2u, 65u, 900u}) {
                const Message message(codec, size, width, size + width);
                const Context context{.width = width, .epoch = 3, .timestep = Timestep{2}, .chunk = ChunkId{1}};
                const Tables tables = takes_classes            ? message.view()
                                      : message.tables.empty() ? Tables()
                                                               : Tables(message.tables.front());
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
    for_each_split_codec([](const Codec& codec, bool) {
        const Message message(codec, 300, 8, 5);
        const Tables one = message.tables.empty() ? Tables() : Tables(message.tables.front());
        const Encoded encoded = codec.encode(message.symbols, {.width = 8}, one);
        std::vector<Symbol> out(300);
        codec.decode(encoded.bytes, {.width = 8}, one, out);
        EXPECT_EQ(out, message.symbols);
    });
}

TEST(Splits, NeverCrashOnDamagedMessages) {
    std::mt19937_64 random(7);
    for_each_split_codec([&](const Codec& codec, bool takes_classes) {
        if (!takes_classes) return;
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
                      apart + classes * (4 + 16 + 8 * 6));   // a length, a header, and 8 lanes' lengths and filling
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
    EXPECT_THROW(make_split_codec(ContextSplitParams{}, make_codec(CodecChoice(WidenedParams{}), framing), framing, 2),
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
}   // namespace oscar

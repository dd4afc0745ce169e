// Sizes without bytes: how close they are, for every kind, split, way to adapt, framing and distribution.
#include "models/codec/message/size_only_codec.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/codec/entropy/lane_sizes.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/split.hpp"
#include "models/codec/table/row_bits.hpp"
#include "tests/codec/support.hpp"

namespace oscar::size_only_codec_test {
namespace {

constexpr std::uint32_t classes = 3;

struct Named {
    std::string name;
    CodecChoice choice;
};

/// Every listed kind with its defaults, and every setting that makes other messages.
std::vector<Named> all_codecs() {
    std::vector<Named> result;
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) { result.push_back({std::string(kind.name), P{}}); });
    result.push_back({"atalanta inline", AtalantaParams{.table = AtalantaTable::sent_inline}});
    result.push_back({"asc ranges", AscParams{.layout = Layout::ranges}});
    result.push_back({"asc adapt block", AscParams{.adapt = Update::block}});
    result.push_back({"asc adapt symbol", AscParams{.adapt = Update::symbol}});
    result.push_back({"aac symbol", AacParams{.update = Update::symbol}});
    result.push_back({"rans ranges", RansParams{.layout = Layout::ranges}});
    result.push_back({"shapeshifter bare", ShapeShifterParams{.group = 3, .zeros = GroupZeros::none}});
    return result;
}

const std::vector<Framing> framings{
    {.lanes = 1, .lane_values = 50'000, .min_lane_values = 1},
    {.lanes = 7, .lane_values = 3000, .min_lane_values = 5},
    {.lanes = 64, .lane_values = 1024, .min_lane_values = 64},
    {.lanes = 256, .lane_values = 256, .min_lane_values = 64},
};
const std::vector<std::string> distributions{"geometric", "narrow",   "sparse", "uniform",
                                             "constant",  "extremes", "zero"};

/// As make_symbols, and "narrow" and "sparse": 9 of 10, and 99 of 100, are zero.
std::vector<Symbol> symbols_of(const std::string& distribution, std::size_t size, std::uint32_t width,
                               std::uint64_t seed) {
    const std::uint64_t zeros = distribution == "narrow" ? 7 : distribution == "sparse" ? 67 : 1;
    auto symbols = make_symbols(zeros > 1 ? "geometric" : distribution, size, width, seed);
    std::mt19937_64 random(seed);
    for (Symbol& symbol : symbols) symbol = random() % zeros == 0 ? symbol : 0;
    return symbols;
}

struct Message {
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> of;   ///< classes by magnitude, mostly
    std::vector<Table> owned;
    std::vector<const Table*> tables;

    Message(const Codec& codec, std::vector<Symbol> from, std::uint32_t width)
        : symbols(std::move(from)), of(symbols.size()) {
        std::mt19937_64 random(symbols.size());
        std::vector<std::vector<Symbol>> samples(classes, {0});
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            of[i] =
                static_cast<std::uint8_t>(random() % 8 == 0 ? random() % classes : std::min(magnitude(symbols[i]), 2u));
            samples[of[i]].push_back(symbols[i]);
        }
        if (codec.table_source() == TableSource::none || codec.table_source() == TableSource::adaptive) return;
        for (const auto& sample : samples) owned.push_back(table_of(codec, sample, width));
        for (const Table& table : owned) tables.push_back(&table);
    }
    /// By class, or one of all.
    Tables view(bool by_class) const {
        if (by_class) return {tables, of};
        return tables.empty() ? Tables() : Tables(tables.front());
    }
};

/// Calls f(name, codec, whether it takes classes).
template <class F>
void for_each_codec(const Framing& framing, F&& f) {
    for (const auto& [name, choice] : all_codecs())
        for_each_kind(splits, [&, &name = name, &choice = choice]<class S>(const Kind<S>& split) {
            auto inner = make_codec(choice, framing);
            if (std::is_same_v<S, ContextSplitParams> && !inner->uses_classes()) return;
            if (!std::is_same_v<S, NoSplitParams> && inner->constant_rate()) return;
            const auto codec = make_split_codec(S{}, std::move(inner), framing, classes);
            f(name + ", split " + std::string(split.name), *codec, !std::is_same_v<S, NoSplitParams>);
        });
}

/// Sizes within `share` of the exact one, and `bytes`; blocks of the same symbols with the same cycles, but for stalls.
void expect_close(const Codec& codec, const Message& message, std::uint32_t width, bool by_class, double share,
                  double bytes_a_block) {
    const auto blocks = codec.sized_blocks(message.symbols, Context{.width = width}, message.view(by_class));
    const Encoded encoded = codec.encode(message.symbols, Context{.width = width}, message.view(by_class));
    const auto exact = static_cast<double>(encoded.size()), sized = static_cast<double>(Encoded{{}, blocks}.size());
    const double pieces = static_cast<double>(blocks.size());
    EXPECT_LE(std::abs(sized - exact), share * exact + bytes_a_block * pieces) << sized << " of " << exact;
    ASSERT_EQ(blocks.size(), encoded.blocks.size());
    std::uint64_t offset = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        EXPECT_EQ(blocks[b].first_value, encoded.blocks[b].first_value);
        EXPECT_EQ(blocks[b].values, encoded.blocks[b].values);
        EXPECT_EQ(blocks[b].offset, offset);
        EXPECT_NEAR(static_cast<double>(blocks[b].work.sub_stream_slots),
                    static_cast<double>(encoded.blocks[b].work.sub_stream_slots),
                    static_cast<double>(encoded.blocks[b].work.stalls));
        offset += blocks[b].bytes;
    }
}

/// Whether the bytes of a codec are counted or made after all, and not expected.
bool is_exact(const std::string& name, const Codec& codec) {
    return codec.table_source() == TableSource::none || name.find("symbol") != std::string::npos;
}

/// Messages of more than 20,000 values are of codecs whose sizes are not exact: for the others,
/// AreExactWhereSizesAreButCounted says more.
void expect_sizes(const Framing& framing, std::size_t size, std::uint32_t width, double share, double bytes_a_block) {
    for_each_codec(framing, [&](const std::string& name, const Codec& codec, bool by_class) {
        if (size > 20'000 && is_exact(name, codec)) return;
        for (const std::string& distribution : distributions) {
            SCOPED_TRACE(name + ", lanes " + std::to_string(framing.lanes) + ", " + distribution + ", size " +
                         std::to_string(size) + ", width " + std::to_string(width));
            const Message message(codec, symbols_of(distribution, size, width, size), width);
            expect_close(codec, message, width, by_class, share, bytes_a_block);
        }
    });
}

TEST(SizeOnlyCodecs, AreWithinAFifthOfAPercentForMessagesOfAtLeast262144ValuesInLanesOf1024) {
    for (const std::uint32_t width : {8u, 11u}) expect_sizes(Framing{}, 1 << 18, width, 0.002, 0);
}

TEST(SizeOnlyCodecs, AreWithinAFifthOfAPercentAnd24BytesABlockForAnyMessage) {
    for (const Framing& framing : framings)
        for (const std::size_t size : {1u, 90u, 1000u, 20'000u})
            for (const std::uint32_t width : {4u, 8u, 17u})
                if (size <= 1000 || width == 8) expect_sizes(framing, size, width, 0.002, 24);
    expect_sizes(framings.back(), 1 << 17, 8, 0.002, 24);   // two blocks of all lanes
}

TEST(SizeOnlyCodecs, BringTheirTableWhereThereIsNone) {
    for (const auto& [name, choice] : all_codecs()) {
        SCOPED_TRACE(name);
        const auto codec = make_codec(choice, framings[2]);
        const auto symbols = make_symbols("geometric", 100'000, 8, 1);
        const auto blocks = codec->sized_blocks(symbols, Context{.width = 8}, nullptr);
        const Encoded encoded = codec->encode(symbols, Context{.width = 8}, nullptr);
        EXPECT_NEAR(static_cast<double>(Encoded{{}, blocks}.size()), static_cast<double>(encoded.size()),
                    0.002 * static_cast<double>(encoded.size()));
    }
}

TEST(SizeOnlyCodecs, AreExactWhereSizesAreButCounted) {
    // Raw words, masks and groups; blocks that go raw; and what is made after all.
    for (const auto& [name, choice] : all_codecs())
        for (const std::string& distribution : distributions) {
            SCOPED_TRACE(name + ", " + distribution);
            const auto codec = make_codec(choice, framings[1]);
            const auto symbols = symbols_of(distribution, 30'000, 8, 3);
            if (!is_exact(name, *codec) && distribution != "uniform") continue;
            EXPECT_EQ(codec->sized_blocks(symbols, Context{.width = 8}, nullptr),
                      codec->encode(symbols, Context{.width = 8}, nullptr).blocks);
        }
}

TEST(SizeOnlyCodecs, RefuseWhatTheirCodecRefuses) {
    for (const auto& [name, choice] : all_codecs()) {
        SCOPED_TRACE(name);
        if (sends_words(choice)) continue;   // whatever the context
        const auto codec = make_codec(choice, Framing{});
        EXPECT_THROW(codec->sized_blocks(std::vector<Symbol>{-128}, Context{.width = 8}, nullptr),
                     std::invalid_argument);
    }
}

TEST(SizeOnlyCodecs, GiveValuesAndNoBytes) {
    const auto codec = make_size_only_codec(make_codec(AscParams{}, Framing{}));
    const std::vector<Symbol> symbols{3, 0, -1, 0, 0};
    const Encoded message = codec->encode(symbols, Context{.width = 8}, nullptr);
    EXPECT_TRUE(message.bytes.empty());
    EXPECT_EQ(message.values, symbols);
    EXPECT_EQ(message.size(), message.blocks.back().offset + message.blocks.back().bytes);
    std::vector<Symbol> out(symbols.size());
    EXPECT_THROW(codec->decode(message.bytes, Context{.width = 8}, nullptr, out), std::logic_error);
    EXPECT_EQ(codec->encode({}, Context{.width = 8}, nullptr).size(), 0u);
    EXPECT_TRUE(codec->encode({}, Context{.width = 8}, nullptr).values.has_value());
}

TEST(RowBits, AreTheLogarithmOfEachCount) {
    for (std::uint32_t count = 1; count <= 1024; ++count)
        EXPECT_NEAR(fine_row_cost(count), (10 - std::log2(count)) * (1 << 20), 0.5001) << count;
}

TEST(RowBits, KnowWhatRoundingDownTakes) {
    // Row 0 up to an odd count loses (1024 - 1) / 2048 of 1/R, row 15 up to 1024 gains that; 41 is 2^20 * 2.7e-5 /
    // ln 2.
    Cumulative starts{};
    for (std::size_t k = 1; k < 16; ++k) starts[k] = static_cast<std::uint16_t>(3 + 2 * (k - 1));
    starts[16] = 1024;
    const RowBits bits = arithmetic_bits(starts);
    EXPECT_EQ(bits[0], fine_row_cost(3) + 1023 * 41 / 6);
    EXPECT_EQ(bits[1], fine_row_cost(2));
    EXPECT_EQ(bits[15], fine_row_cost(993) - 1023 * 41 / (2 * 993));
}

TEST(ExpectedStreamBytes, AreBetweenThoseOfOneShiftLessAndOfAllShifts) {
    constexpr std::uint64_t bit = 1 << 20;
    EXPECT_EQ(expected_stream_bytes(0), 256u);         // no shift: the two bits of the ending
    EXPECT_EQ(expected_stream_bytes(6 * bit), 256u);   // 6 shifts and 2 bits, or one less
    EXPECT_EQ(expected_stream_bytes(7 * bit), 256u);   // the seventh never comes where the width is a whole unit
    EXPECT_EQ(expected_stream_bytes(8 * bit), 2 * 256u);
    EXPECT_NEAR(static_cast<double>(expected_stream_bytes(7 * bit + bit / 2)), 256 * (1 + 0.68),
                3);   // 3 (1/2 - v) / (1 - v)
    for (std::uint64_t bits = 0; bits < 40 * bit; bits += bit / 16) {
        EXPECT_LE(expected_stream_bytes(bits), expected_stream_bytes(bits + bit / 16));
        EXPECT_LE(expected_stream_bytes(bits), 256 * ((bits / bit + 2 + 7) / 8));
    }
}

}   // namespace
}   // namespace oscar::size_only_codec_test

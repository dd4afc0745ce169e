// The laws of codec.hpp for every kind of the list, over framings, widths, sources of symbols and tables.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "tests/codec/every_codec.hpp"

namespace oscar::codec_law_test {
namespace {

/// Whether costs of single symbols are not exact: a message leaves the table that it began with, or codes symbols in
/// groups, or a library does as it likes.
bool estimates(const CodecChoice& choice) {
    if (std::holds_alternative<ShapeShifterParams>(choice.params)) return true;
    if (is_library(choice)) return true;
    const auto* asc = std::get_if<AscParams>(&choice.params);
    return std::holds_alternative<AacParams>(choice.params) || (asc != nullptr && asc->adapt != Update::none);
}

const std::vector<Framing> framings{
    {.lanes = 1, .lane_values = 50, .min_lane_values = 1},
    {.lanes = 3, .lane_values = 37, .min_lane_values = 5},
    {.lanes = 64, .lane_values = 4, .min_lane_values = 64},
    {.lanes = 64, .lane_values = 1024, .min_lane_values = 64},
    {.lanes = 5, .lane_values = 60, .min_lane_values = 7, .blocks = 3},
};
const std::vector<std::uint32_t> widths{1, 2, 3, 5, 8, 11, 15, 16, 17, 24, 32};
const std::vector<std::string> distributions{"geometric", "uniform", "constant", "extremes", "zero"};
const std::vector<std::size_t> sizes{0, 1, 2, 63, 700};

void expect_tiling(std::span<const Block> blocks, std::size_t values, std::size_t bytes) {
    std::uint64_t next_value = 0, next_byte = 0;
    for (const Block& block : blocks) {
        EXPECT_EQ(block.first_value, next_value);
        EXPECT_EQ(block.offset, next_byte);
        EXPECT_GT(block.values, 0u);
        EXPECT_EQ(block.work.values, block.values);
        next_value += block.values;
        next_byte += block.bytes;
    }
    EXPECT_EQ(next_value, values);
    EXPECT_EQ(next_byte, bytes);
}

void expect_laws(const Codec& codec, std::span<const Symbol> symbols, const Context& context, const Table* table) {
    const Encoded encoded = codec.encode(symbols, context, table);
    EXPECT_LE(encoded.bytes.size(), codec.bound(symbols.size(), context.width).count);
    expect_tiling(encoded.blocks, symbols.size(), encoded.bytes.size());
    std::vector<Symbol> out(symbols.size(), 77);
    const auto blocks = codec.decode(encoded.bytes, context, table, out);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), symbols.begin()));
    EXPECT_EQ(blocks, encoded.blocks);   // the work at both ends included
    EXPECT_EQ(codec.encode(symbols, context, table).bytes, encoded.bytes);
}

using OptionalTables = std::vector<std::optional<Table>>;

/// Tables of other symbols that a decoder may hold at `width`: none, one of symbols it will rarely see, one of a wider
/// context.
OptionalTables other_tables(const Codec& codec, std::uint32_t width) {
    OptionalTables tables{std::nullopt};
    if (codec.table_source() == TableSource::none) return tables;
    tables.emplace_back(table_of(codec, make_symbols("zero", 50, width, 1), width));
    const std::uint32_t wider = std::min(32u, width + 3);
    tables.emplace_back(table_of(codec, make_symbols("geometric", 500, wider, 2), wider));
    return tables;
}

/// With a table of the very symbols beside `others`.
void expect_laws_at(const Codec& codec, std::uint32_t width, const std::string& distribution, std::size_t size,
                    const OptionalTables& others) {
    const std::uint64_t seed = 1000 * width + size;
    SCOPED_TRACE("width " + std::to_string(width) + ", " + distribution + ", size " + std::to_string(size) + ", seed " +
                 std::to_string(seed));
    const auto symbols = make_symbols(distribution, size, width, seed);
    const Context context{.width = width, .epoch = 200, .timestep = {65535}, .chunk = {3}};
    int index = 0;
    for (const auto& table : others) {
        SCOPED_TRACE("table " + std::to_string(index++));
        expect_laws(codec, symbols, context, table ? &*table : nullptr);
    }
    if (symbols.empty() || codec.table_source() == TableSource::none) return;
    SCOPED_TRACE("fitting table");
    const Table fitting = table_of(codec, symbols, width);
    expect_laws(codec, symbols, context, &fitting);
}

TEST(EveryCodec, DecodesWhatItEncodedWithinItsBoundAndWithEqualWork) {
    for (const auto& [name, choice] : all_codecs())
        for (const Framing& framing : framings) {
            SCOPED_TRACE(name + ", lanes " + std::to_string(framing.lanes) + " x " +
                         std::to_string(framing.lane_values));
            const auto codec = make_codec(choice, framing);
            for (const std::uint32_t width : widths) {
                const OptionalTables others = other_tables(*codec, width);
                for (const std::string& distribution : distributions)
                    for (const std::size_t size : sizes) {
                        expect_laws_at(*codec, width, distribution, size, others);
                        if (::testing::Test::HasFailure()) return;
                    }
            }
        }
}

/// 64 symbols, whose places are whole bytes: that of symbol i is the i-th 64th of the message.
TEST(EveryCodec, ThatAddsCodedHasEachSymbolByItselfInItsPlace) {
    std::uint32_t such = 0;
    for (const auto& [name, choice] : all_codecs()) {
        const auto codec = make_codec(choice, framings.front());
        if (!codec->adds_coded()) continue;
        ++such;
        EXPECT_TRUE(codec->constant_rate()) << name;
        for (const std::uint32_t width : {8u, 16u, 24u, 32u}) {
            const Context context{.width = width};
            const auto a = make_symbols("uniform", 64, width, 1), b = make_symbols("geometric", 64, width, 2);
            const auto bytes_a = codec->encode(a, context, {}).bytes, bytes_b = codec->encode(b, context, {}).bytes;
            const std::size_t place = bytes_a.size() / 64;
            for (std::size_t i = 0; i < 64; ++i) {
                auto mixed = a;
                mixed[i] = b[i];
                auto expected = bytes_a;
                std::copy_n(bytes_b.begin() + static_cast<std::ptrdiff_t>(i * place), place,
                            expected.begin() + static_cast<std::ptrdiff_t>(i * place));
                EXPECT_EQ(codec->encode(mixed, context, {}).bytes, expected) << name << ", width " << width;
            }
        }
    }
    EXPECT_EQ(such, 4u);   // fp32, bf16, fp8, fixed_point
}

TEST(EveryCodec, TakesAnyPatternAt32Bits) {
    const std::vector<Symbol> symbols{std::numeric_limits<Symbol>::min(), std::numeric_limits<Symbol>::max(), 0, -1, 1};
    for (const auto& [name, choice] : all_codecs()) {
        SCOPED_TRACE(name);
        expect_laws(*make_codec(choice, Framing{}), symbols, Context{.width = 32}, nullptr);
    }
}

TEST(EveryCodec, MakesNoByteAndNoBlockOfNoSymbol) {
    for (const auto& [name, choice] : all_codecs()) {
        SCOPED_TRACE(name);
        const Encoded encoded = make_codec(choice, Framing{})->encode({}, Context{.width = 8}, nullptr);
        EXPECT_TRUE(encoded.bytes.empty());
        EXPECT_TRUE(encoded.blocks.empty());
    }
}

TEST(EveryCodec, RefusesSymbolsThatDoNotFitTheContext) {
    const std::vector<Symbol> symbols{0, -128};   // 8 bits: |symbol| < 128
    for (const auto& [name, choice] : all_codecs()) {
        SCOPED_TRACE(name);
        const auto codec = make_codec(choice, Framing{});
        if (sends_words(choice)) continue;   // whatever the context
        EXPECT_THROW(codec->encode(symbols, Context{.width = 8}, nullptr), std::invalid_argument);
        EXPECT_THROW(codec->encode({}, Context{.width = 33}, nullptr), std::invalid_argument);
    }
}

TEST(EveryCodec, NoticesEveryTruncationAndEveryExtension) {
    const Context context{.width = 11};
    for (const auto& [name, choice] : all_codecs())
        for (const Framing& framing : framings)
            for (const bool given : {false, true}) {
                SCOPED_TRACE(name + ", lanes " + std::to_string(framing.lanes));
                const auto codec = make_codec(choice, framing);
                const auto symbols = make_symbols("geometric", 400, context.width, 5);
                std::optional<Table> table;
                if (given && codec->table_source() != TableSource::none)
                    table = table_of(*codec, symbols, context.width);
                auto bytes = codec->encode(symbols, context, table ? &*table : nullptr).bytes;
                const auto cut = [&](std::size_t size) {
                    return corruption(*codec, std::span(bytes).first(size), context, table ? &*table : nullptr,
                                      symbols.size());
                };
                for (std::size_t size = 0; size < bytes.size(); ++size) ASSERT_NE(cut(size), "") << size;
                EXPECT_EQ(cut(bytes.size()), "");
                bytes.push_back(std::byte{0});
                EXPECT_NE(cut(bytes.size()), "");
            }
}

TEST(EveryCodec, OnlyEverThrowsCorruptStreamForDamagedBytes) {
    const Context context{.width = 8};
    for (const auto& [name, choice] : all_codecs())
        for (const Framing& framing : framings) {
            const auto codec = make_codec(choice, framing);
            const auto symbols = make_symbols("geometric", 500, context.width, 9);
            const auto bytes = codec->encode(symbols, context, nullptr).bytes;
            std::vector<Symbol> out(symbols.size());
            for (std::uint64_t seed = 1; seed <= 400; ++seed) {
                SCOPED_TRACE(name + ", lanes " + std::to_string(framing.lanes) + ", seed " + std::to_string(seed));
                std::mt19937_64 random(seed);
                auto damaged = bytes;
                for (std::uint64_t hits = 1 + random() % 4; hits > 0; --hits)
                    damaged[random() % damaged.size()] ^= static_cast<std::byte>(1 + random() % 255);
                if (random() % 4 == 0) damaged.resize(random() % damaged.size());
                EXPECT_NO_THROW({
                    try {
                        codec->decode(damaged, context, nullptr, out);
                    } catch (const CorruptStream&) {
                    }
                });
            }
        }
}

TEST(EveryCodec, CostsWhatItSpendsOnTheAverage) {
    const Framing framing{.lanes = 1, .lane_values = 50'000};
    const auto symbols = make_symbols("geometric", 50'000, 8, 4);
    for (const auto& [name, choice] : all_codecs()) {
        SCOPED_TRACE(name);
        const auto codec = make_codec(choice, framing);
        if (codec->table_source() != TableSource::none) {
            EXPECT_EQ(codec->cost(1, 8, nullptr), 8u * 256);
        }
        if (estimates(choice)) continue;
        std::optional<Table> table;
        if (codec->table_source() != TableSource::none) table = table_of(*codec, symbols, 8);
        std::uint64_t cost = 0;   // in 1/256 bit
        for (const Symbol v : symbols) cost += codec->cost(v, 8, table ? &*table : nullptr);
        const auto bytes = codec->encode(symbols, Context{.width = 8}, table ? &*table : nullptr).bytes.size();
        // Header 16, inline table 36, lengths 5 bytes; rounding of costs to 1/256 bit.
        const double coded = static_cast<double>(cost) / 2048;
        EXPECT_GE(static_cast<double>(bytes), coded * 0.999);
        EXPECT_LE(static_cast<double>(bytes), coded * 1.001 + 16 + 36 + 5);
    }
}

/// Bytes of a message beside its coded bits: a header, and per lane of the arithmetic coder two lengths, two bits to
/// end its stream and the padding of two; of rANS the length of a state, and per block a count and the padding of
/// states and offsets.
double overhead(const CodecChoice& choice, std::size_t values, std::uint32_t width, std::uint32_t lanes) {
    if (std::holds_alternative<RansParams>(choice.params)) return 16 + 4 + 4 * lanes / 8.0 + 2;
    return 16 + (2 * LaneCoder::length_bits(values, width, lanes) + 2 + 14) * lanes / 8.0 + 1;
}

TEST(EveryCodecWithTables, SpendsWithinHalfAPercentOfTheIdealOfItsTable) {
    const std::size_t values = 40'000;
    for (const auto& [name, choice] : all_codecs())
        for (const std::uint32_t lanes : {1u, 16u})
            for (const std::uint32_t width : {4u, 8u, 11u, 20u}) {
                SCOPED_TRACE(name + ", lanes " + std::to_string(lanes) + ", width " + std::to_string(width));
                const auto codec = make_codec(choice, {.lanes = lanes, .lane_values = 65'536});
                if (codec->table_source() == TableSource::none || estimates(choice)) continue;
                if (codec->table_source() == TableSource::sent_inline) continue;   // its table cannot be given
                const auto symbols = make_symbols("geometric", values, width, width);
                const Table table = table_of(*codec, symbols, width);
                double ideal = 0;   // bytes
                for (const Symbol v : symbols) {
                    const std::uint32_t row = table.locate(v).row;
                    ideal += (10 - std::log2(table.count(row)) + table.offset_bits[row]) / 8;
                }
                const Encoded encoded = codec->encode(symbols, Context{.width = width}, &table);
                ASSERT_EQ(encoded.bytes[0], std::byte{1});   // not raw
                const auto bytes = static_cast<double>(encoded.bytes.size());
                EXPECT_LE(bytes, ideal * 1.005 + overhead(choice, values, width, lanes));
                EXPECT_GE(bytes, ideal * 0.999);
            }
}

TEST(EveryCodecWithTables, LearnsPartsAsTheWhole) {
    for (const auto& [name, choice] : all_codecs())
        for (const std::uint32_t width : {5u, 8u, 11u, 24u}) {
            SCOPED_TRACE(name + ", width " + std::to_string(width));
            const auto codec = make_codec(choice, Framing{});
            const auto symbols = make_symbols("geometric", 1000, width, 6);
            Counts whole, parts;
            codec->learn(symbols, width, whole);
            codec->learn(std::span(symbols).subspan(300), width, parts);
            codec->learn(std::span(symbols).first(300), width, parts);
            EXPECT_EQ(parts, whole);
            if (codec->table_source() == TableSource::none) {
                EXPECT_TRUE(whole.empty());
                EXPECT_THROW(codec->make_table(whole, width), std::logic_error);
            } else {
                EXPECT_EQ(codec->make_table(parts, width), codec->make_table(whole, width));
            }
        }
}

}   // namespace
}   // namespace oscar::codec_law_test

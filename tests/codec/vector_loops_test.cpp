// The loops for 16 symbols at a time against the portable ones. Tables by class always take the portable ones, so that
// a table given twice, for two classes, must make the streams that it makes alone.
#include <gtest/gtest.h>

#include "models/codec/bits/avx512.hpp"
#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/bits/word_stream.hpp"
#include "models/codec/entropy/offset_stream.hpp"
#include "models/codec/entropy/offset_vector.hpp"
#include "models/codec/entropy/rans_rows.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "models/codec/learning/row_learning.hpp"
#include "tests/codec/support.hpp"

namespace oscar::vector_loops_test {
namespace {

/// One table, for all symbols and for two classes of them.
struct Twice {
    Table table;
    std::vector<const Table*> tables{&table, &table};
    std::vector<std::uint8_t> classes;

    Twice(Table given, std::size_t symbols, std::uint64_t seed) : table(given), classes(symbols) {
        std::mt19937_64 random(seed);
        for (auto& c : classes) c = static_cast<std::uint8_t>(random() % 2);
    }
    Twice(const Twice&) = delete;
    Tables one() const { return &table; }
    Tables by_class() const { return {tables, classes}; }
};

/// Calls f(symbols, tables, width, lanes, seed) over layouts, widths on both sides of what the loops take, sizes and
/// lanes.
template <class F>
void for_each_case(F&& f) {
    std::uint64_t seed = 0;
    for (const Layout layout : {Layout::magnitude, Layout::ranges})
        for (const std::uint32_t width : {1u, 2u, 4u, 8u, 11u, 14u, 15u, 16u, 20u, 32u})
            for (const std::size_t size : {1u, 15u, 16u, 17u, 64u, 1000u, 4096u})
                for (const char* distribution : {"geometric", "uniform", "extremes"}) {
                    const auto symbols = make_symbols(distribution, size, width, ++seed);
                    const auto codec = make_codec(RansParams{.layout = layout}, Framing{});
                    const Twice tables(table_of(*codec, symbols, width), size, seed);
                    const auto lanes = static_cast<std::uint32_t>(seed % 3 == 0 ? 1 + seed % 70 : 16 * (1 + seed % 5));
                    SCOPED_TRACE(::testing::Message() << "width " << width << ", size " << size << ", lanes " << lanes
                                                      << ", " << distribution << ", seed " << seed);
                    f(symbols, tables, width, lanes, seed);
                }
}

TEST(VectorLoops, TakeSymbolsApartAsThePortableOnesDo) {
    for_each_case([](const auto& symbols, const Twice& tables, std::uint32_t width, std::uint32_t, std::uint64_t) {
        const LocatedSymbols one = locate(symbols, tables.one()), two = locate(symbols, tables.by_class());
        EXPECT_EQ(one.rows, two.rows);
        EXPECT_EQ(one.offsets, two.offsets);
        EXPECT_EQ(one.offset_bits, two.offset_bits);
        for (const Tables& each : {tables.one(), tables.by_class()}) {
            std::vector<Symbol> out(symbols.size());
            EXPECT_EQ(read_offsets(one.offsets, one.rows, each, width, out), one.offset_bits);
            EXPECT_EQ(out, symbols);
        }
    });
}

TEST(VectorLoops, CodeRowsAsThePortableOnesDo) {
    for_each_case([](const auto& symbols, const Twice& tables, std::uint32_t, std::uint32_t lanes, std::uint64_t) {
        const auto rows = locate(symbols, tables.one()).rows;
        const std::vector<std::uint32_t> first(lanes, rans_floor);
        const RansStreams one = encode_rows(rows, first, tables.one()),
                          two = encode_rows(rows, first, tables.by_class());
        EXPECT_EQ(one.states, two.states);
        EXPECT_EQ(one.words, two.words);
        EXPECT_EQ(decode_rows(one, rows.size(), tables.one()), (DecodedRows{rows, first}));
        EXPECT_EQ(decode_rows(one, rows.size(), tables.by_class()), (DecodedRows{rows, first}));
    });
}

/// What f returns, or the text of the CorruptStream that it throws.
template <class F>
std::pair<decltype(std::declval<F>()()), std::string> outcome(F&& f) {
    try {
        return {f(), ""};
    } catch (const CorruptStream& error) {
        return {{}, error.what()};
    }
}

TEST(VectorLoops, RefuseDamageAsThePortableOnesDo) {
    for_each_case([](const auto& symbols, const Twice& tables, std::uint32_t width, std::uint32_t lanes,
                     std::uint64_t seed) {
        std::mt19937_64 random(seed);
        LocatedSymbols located = locate(symbols, tables.one());
        RansStreams streams = encode_rows(located.rows, std::vector<std::uint32_t>(lanes, rans_floor), tables.one());
        if (!streams.words.empty()) streams.words[random() % streams.words.size()] ^= 0x55;
        if (seed % 4 == 0) streams.words.resize(streams.words.size() / 2);
        EXPECT_EQ(outcome([&] { return decode_rows(streams, symbols.size(), tables.one()); }),
                  outcome([&] { return decode_rows(streams, symbols.size(), tables.by_class()); }));
        for (int hit = 0; hit < 3; ++hit)
            located.rows[random() % symbols.size()] = static_cast<std::uint8_t>(random() % table_rows);
        std::vector<Symbol> out(symbols.size());
        const auto read = [&](const Tables& each) {
            return outcome([&] { return read_offsets(located.offsets, located.rows, each, width, out); });
        };
        EXPECT_EQ(read(tables.one()), read(tables.by_class()));
    });
}

TEST(VectorLoops, TakeSlotsOfNoRowAsThePortableOnesDo) {
    Cumulative half{};   // rows of 32 in 1024: slots from 512 on are of none
    for (std::size_t row = 0; row <= table_rows; ++row) half[row] = static_cast<std::uint16_t>(32 * row);
    const Twice tables(Table::magnitudes(8, half), 16, 1);
    for (const std::uint32_t slot : {512u, 700u, 1023u}) {
        RansStreams streams{std::vector<std::uint32_t>(16, rans_floor + slot), std::vector<std::uint16_t>(16, 0x8000)};
        const auto read = [&](const Tables& each) { return outcome([&] { return decode_rows(streams, 16, each); }); };
        EXPECT_EQ(read(tables.one()), read(tables.by_class())) << slot;
        EXPECT_EQ(read(tables.one()).second, "") << slot;   // what follows a state of 0 is all in the words
    }
}

TEST(VectorLoops, CountTheRowsOfSymbols) {
    for (const std::uint32_t width : {1u, 8u, 15u, 16u, 20u})
        for (const std::size_t size : {0u, 63u, 64u, 1000u, 255u * 64, 40'000u}) {
            SCOPED_TRACE(::testing::Message() << "width " << width << ", size " << size);
            const auto symbols = make_symbols(size == 40'000 ? "constant" : "geometric", size, width, width + size);
            Counts counts(table_rows, 5), expected(table_rows, 5);   // what was counted before stays
            learn_rows(Layout::magnitude, symbols, width, counts);
            const Table rows = Table::magnitudes(width, {});
            for (const Symbol symbol : symbols) ++expected[rows.locate(symbol).row];
            EXPECT_EQ(counts, expected);
        }
}

TEST(VectorLoops, AreForOffsetsOfWhichFourFitAPut) {
    std::vector<std::uint32_t> handled;
    for (std::uint32_t width = 1; width <= 32; ++width)
        if (avx512::handles_offsets(Table::magnitudes(width, {}))) handled.push_back(width);
    EXPECT_EQ(handled.size(), 15u);   // a legal symbol of 15 bits has an offset of 14
    EXPECT_EQ(handled.back(), 15u);
}

TEST(WordWriter, WritesTheBytesOfBitWriter) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<std::byte> bytes, words(100 * 4 + stream_word);
        BitWriter slow(bytes);
        WordWriter fast(words.data());
        std::uint64_t total = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> put;   // value, bits
        for (int i = 0; i < 100; ++i) {
            const auto bits = static_cast<std::uint32_t>(random() % 33);
            const auto value = static_cast<std::uint32_t>(random()) & low_mask(bits);
            slow.put(value, bits);
            fast.put(value, bits);
            put.emplace_back(value, bits);
            total += bits;
        }
        slow.finish();
        EXPECT_EQ(fast.bits(words.data()), total);
        words.resize(bytes.size() + stream_word);
        for (std::uint64_t at = 0; const auto& [value, bits] : put) {
            EXPECT_EQ(bits_at(words.data(), at, bits), value);
            at += bits;
        }
        words.resize(bytes.size());
        EXPECT_EQ(words, bytes);
    }
}

}   // namespace
}   // namespace oscar::vector_loops_test

// Arrays of lanes in RTL beside whole messages of the codec.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

#include "models/codec/kinds/asc.hpp"
#include "models/codec/kinds/atalanta.hpp"
#include "models/codec/kinds/raw.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/inline_table.hpp"
#include "tests/engine/rtl/lane_bench.hpp"

namespace oscar::test {

/// A verilated array and its parameters.
template <class ArrayModule, std::uint32_t lanes_, std::uint32_t streams_, std::uint32_t classes_,
          Layout layout_ = Layout::magnitude>
struct ArrayVariant {
    using Module = ArrayModule;
    static constexpr std::uint32_t lanes = lanes_, streams = streams_, classes = classes_;
    static constexpr Layout layout = layout_;
    static constexpr std::uint32_t class_bits = classes > 2 ? 2 : 1;
};

/// In the names of tests: lanes, streams and classes.
struct VariantName {
    template <class V>
    static std::string GetName(int) {
        return std::to_string(V::lanes) + "x" + std::to_string(V::streams) + "x" + std::to_string(V::classes) +
               (V::layout == Layout::ranges ? "_ranges" : "");
    }
};

/// A message, its bytes, and all that both ends know of it.
template <class V>
struct Message {
    /// Symbols are drawn as the tables expect them, or all rows are equally likely; `one_value`: all are the same;
    /// `brings_table`: its first coded block has the table, which is made of all symbols.
    Message(std::mt19937_64& random, std::uint32_t values, bool as_expected, std::uint32_t lane_values = 64,
            std::uint32_t min_lane_values = 16, bool one_value = false, bool brings_table = false)
        : framing{.lanes = V::lanes,
                  .lane_values = lane_values,
                  .min_lane_values = min_lane_values,
                  .blocks = 1,
                  .streams = V::streams},
          tables(random_tables<V>(random)) {
        context = {.width = tables.front().width,
                   .epoch = static_cast<std::uint8_t>(random()),
                   .timestep = Timestep{static_cast<std::uint32_t>(random() % 65536)},
                   .chunk = ChunkId{static_cast<std::uint32_t>(random() % 65536)}};
        for (std::uint32_t i = 0; i < values; ++i) {
            classes.push_back(static_cast<std::uint8_t>(random() % V::classes));
            const bool again = one_value && i > 0;
            symbols.push_back(again ? symbols[0] : random_symbol(random, tables[classes[i]], as_expected));
        }
        make_blocks(brings_table);
    }
    /// Symbols of class 0, of all classes the same table.
    Message(const Table& table, std::vector<Symbol> of, std::uint32_t lane_values)
        : framing{.lanes = V::lanes,
                  .lane_values = lane_values,
                  .min_lane_values = 1,
                  .blocks = 1,
                  .streams = V::streams},
          tables(V::classes, table),
          context{.width = table.width},
          symbols(std::move(of)),
          classes(symbols.size()) {
        make_blocks(false);
    }
    void make_blocks(bool brings_table) {
        for (const Table& table : tables) by_class.push_back(&table);
        codec = V::layout == Layout::ranges ? make_codec(AtalantaParams{}, framing) : make_codec(AscParams{}, framing);
        encode(brings_table);
    }
    void encode(bool brings_table) {
        encoded = codec->encode(symbols, context, brings_table ? Tables() : view());
        if (brings_table) take_table();
    }
    /// Its symbols alone, packed, without headers.
    void make_bare() {
        codec = make_codec(FixedPointParams{}, framing);
        encoded = codec->encode(symbols, context, Tables());
        bare = true;
    }
    /// The one that the message brings, if it does: then all symbols are of class 0.
    void take_table() {
        const auto brings = std::ranges::find(encoded.blocks, BlockMode::coded_inline, &Block::mode);
        if (brings == encoded.blocks.end()) return;
        const std::size_t size = inline_table_bytes(V::layout, context.width);
        tables = {read_table(bytes(*brings).subspan(block_header_bytes, size), V::layout, context.width)};
        std::ranges::fill(classes, std::uint8_t{0});
        brought = true;
    }
    /// Another message's symbols and blocks follow, of the same width, whose table, if any, is in its bytes.
    void append(const Message& next) {
        for (Block block : next.encoded.blocks) {
            block.offset += encoded.bytes.size();
            block.first_value += static_cast<std::uint32_t>(symbols.size());
            encoded.blocks.push_back(block);
        }
        encoded.bytes.insert(encoded.bytes.end(), next.encoded.bytes.begin(), next.encoded.bytes.end());
        symbols.insert(symbols.end(), next.symbols.begin(), next.symbols.end());
        classes.insert(classes.end(), next.classes.begin(), next.classes.end());
    }
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;

    Tables view() const { return V::classes == 1 ? Tables(&tables[0]) : Tables(by_class, classes); }
    std::uint32_t sub_streams(const Block& block) const { return framing.sub_streams_for(block.values); }
    /// Symbols of the fullest sub-stream.
    std::uint32_t slots(const Block& block) const {
        return (block.values + sub_streams(block) - 1) / sub_streams(block);
    }
    std::span<const std::byte> bytes(const Block& block) const {
        return std::span(encoded.bytes).subspan(block.offset, block.bytes);
    }

    Framing framing;
    std::vector<Table> tables;
    bool brought = false;   ///< the table, by the message
    bool bare = false;
    Context context;
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> classes;
    std::vector<const Table*> by_class;
    std::unique_ptr<Codec> codec;
    Encoded encoded;
};

/// f(bench, message, seed) for two messages each of `seeds` benches: a short one and one of several blocks.
template <class Bench, class V, class F>
void for_random_messages(std::uint64_t seeds, bool brings_table, F&& f) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        Bench bench(seed);
        for (int i = 0; i < 2; ++i) {
            const auto values = static_cast<std::uint32_t>(1 + random() % (i == 0 ? 200 : 64 * 4 * V::lanes));
            const bool as_expected = brings_table || random() % 4 != 0;
            f(bench, Message<V>(random, values, as_expected, 64, 1 + random() % 16, false, brings_table), seed);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

/// Blocks of messages by mode.
struct CountedBlocks {
    std::size_t raw = 0, coded = 0, brought = 0;
    template <class V>
    void count(const Message<V>& message) {
        brought += message.brought;
        for (const Block& block : message.encoded.blocks) ++(block.mode == BlockMode::raw ? raw : coded);
    }
};

/// Symbols of one slot, that of lane l at place l.
struct SlotBeat {
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> classes;
    bool last = false;   ///< of its block
};
/// The symbols of a block in the order of its slots, without the empty ones.
template <class V>
std::vector<SlotBeat> slots_of(const Message<V>& message, const Block& block) {
    std::vector<SlotBeat> beats;
    const std::uint32_t m = message.sub_streams(block);
    for (std::uint32_t round = 0; round < block.values; round += m)
        for (std::uint32_t at = round; at < std::min(round + m, block.values); at += V::lanes) {
            SlotBeat& beat = beats.emplace_back();
            const std::uint32_t end = std::min({at + V::lanes, round + m, block.values});
            for (std::uint32_t i = at; i < end; ++i) {
                beat.symbols.push_back(message.symbols[block.first_value + i]);
                beat.classes.push_back(message.classes[block.first_value + i]);
            }
        }
    beats.back().last = true;
    return beats;
}

/// Fills the ports of the tables.
template <class V>
void write_tables(Clocked<typename V::Module>& array, std::span<const Table> tables) {
    array->width = array->table_width = static_cast<CData>(tables.front().width);
    array->table_write_valid = 1;
    for (std::size_t c = 0; c < tables.size(); ++c)
        for (std::size_t k = 0; k <= table_rows; ++k) {
            array->table_write_class = static_cast<CData>(c);
            array->table_write_entry = static_cast<CData>(k);
            array->table_write_count = tables[c].cumulative[k];
            if (V::layout == Layout::ranges && k > 0) {
                const std::size_t row = k - 1;
                array->table_write_first = row > 0 && tables[c].first[row] == 0 ? 0xFFFFFFFF : tables[c].first[row];
                array->table_write_offset_bits = tables[c].offset_bits[row];
            }
            array.tick();
        }
    array->table_write_valid = 0;
}
/// Sets the announcement of a block.
template <class V>
void announce(typename V::Module& array, const Message<V>& message, const Block& block) {
    std::vector<std::byte> header(message.encoded.bytes.begin() + static_cast<std::ptrdiff_t>(block.offset),
                                  message.encoded.bytes.begin() + static_cast<std::ptrdiff_t>(block.offset) + 12);
    for (std::size_t k = 0; k < 12; ++k)
        set_bits(array.block_header, 8 * k, 8, std::to_integer<std::uint32_t>(header[k]));
    array.block_sub_streams = static_cast<CData>(message.sub_streams(block));
    array.block_slots = static_cast<SData>(message.slots(block));
}

}   // namespace oscar::test

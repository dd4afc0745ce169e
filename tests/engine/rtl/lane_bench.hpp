// Lanes in RTL beside the coders of the model: tables, symbols, and the ports that all lanes share.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "models/codec/entropy/arithmetic_coder.hpp"
#include "models/codec/interface/codec.hpp"
#include "models/codec/table/table.hpp"
#include "models/engine/verilated/ports.hpp"

namespace oscar::test {

/// The streams of one sub-stream as the model writes them.
struct CodedStream {
    std::vector<std::byte> symbols, offsets;
    std::uint64_t symbol_bits = 0, offset_bits = 0;
    std::uint64_t stalls = 0;   ///< of the packer
};

/// A symbol and its class.
struct LaneSymbol {
    Symbol symbol = 0;
    std::uint8_t symbol_class = 0;
};

inline CodedStream coded(std::span<const LaneSymbol> symbols, std::span<const Table> tables) {
    CodedStream stream;
    std::vector<RowBounds> bounds;
    for (const Table& table : tables) bounds.emplace_back(table.cumulative);
    ArithmeticEncoder encoder{BitWriter(stream.symbols)};
    BitWriter offsets(stream.offsets);
    for (const auto& [symbol, symbol_class] : symbols) {
        const Table& table = tables[symbol_class];
        const Located place = table.locate(symbol);
        stream.stalls +=
            packer_stalls(encoder.encode(bounds[symbol_class].below(place.row), bounds[symbol_class].above(place.row)));
        offsets.put(place.offset, table.offset_bits[place.row]);
    }
    stream.symbol_bits = encoder.finish();
    stream.offset_bits = offsets.finish();
    return stream;
}

/// Tables whose counts are any that normalise() gives: from flat to all but one count in one row.
inline Table random_table(std::mt19937_64& random, Layout layout, std::uint32_t width) {
    std::array<std::uint64_t, table_rows> counts{};
    const std::uint64_t most = std::uint64_t{1} << random() % 30;
    for (auto& count : counts) count = random() % (random() % 4 == 0 ? most * 100 + 1 : most + 1);
    counts[random() % table_rows] += 1;
    const Cumulative cumulative = normalise(counts);
    if (layout == Layout::magnitude) return Table::magnitudes(width, cumulative);
    std::array<std::uint32_t, table_rows> first{};
    const std::uint64_t patterns = std::uint64_t{1} << width;
    while (first.back() == 0) {   // 15 patterns other than 0, all different
        std::array<std::uint32_t, table_rows> drawn{};
        for (std::size_t row = 1; row < table_rows; ++row) drawn[row] = static_cast<std::uint32_t>(random() % patterns);
        std::ranges::sort(drawn);
        if (drawn[1] > 0 && std::ranges::adjacent_find(drawn) == drawn.end()) first = drawn;
    }
    const Table any = Table::ranges(width, first, cumulative);
    if (random() % 4 == 0) return any;
    // Narrow rows are likelier, as in tables that were learnt: most messages then shrink.
    for (std::size_t row = 0; row < table_rows; ++row)
        counts[row] = (counts[row] << 16 >> std::min<std::uint8_t>(any.offset_bits[row], 16)) + 1;
    return Table::ranges(width, first, normalise(counts));
}

/// A symbol that is legal for the width, whose row is drawn as the table expects it, or any row.
inline Symbol random_symbol(std::mt19937_64& random, const Table& table, bool as_expected) {
    const auto draw = static_cast<std::uint32_t>(random() % probability_total);
    std::uint32_t row = static_cast<std::uint32_t>(random() % table_rows);
    if (as_expected)
        for (row = 0; row + 1 < table_rows && table.cumulative[row + 1] <= draw;) ++row;
    for (;; row = static_cast<std::uint32_t>(random() % table_rows)) {
        const std::uint32_t bits = table.offset_bits[row];
        const Located place{row, static_cast<std::uint32_t>(random()) & low_mask(bits)};
        if (!table.holds(place)) continue;
        const Symbol symbol = table.value(place);
        if (table.width < 32 && magnitude(symbol) >= 1u << (table.width - 1)) continue;
        return symbol;
    }
}

/// Sets the ports that hold the tables of all classes.
template <class Module>
void load(Module& lane, std::span<const Table> tables) {
    lane.width = static_cast<CData>(tables.front().width);
    for (std::size_t c = 0; c < tables.size(); ++c) {
        for (std::size_t k = 0; k <= table_rows; ++k)
            set_bits(lane.cumulative, (c * (table_rows + 1) + k) * 11, 11, tables[c].cumulative[k]);
        for (std::size_t row = 0; row < table_rows; ++row) {
            const bool empty = row > 0 && tables[c].layout == Layout::ranges && tables[c].first[row] == 0;
            set_bits(lane.first_pattern, (c * table_rows + row) * 32, 32, empty ? 0xFFFFFFFF : tables[c].first[row]);
            set_bits(lane.offset_bits, (c * table_rows + row) * 6, 6, tables[c].offset_bits[row]);
        }
    }
}

/// A verilated lane and what is known of it.
template <class LaneModule, std::uint32_t streams_, std::uint32_t classes_, Layout layout_>
struct Variant {
    using Module = LaneModule;
    static constexpr std::uint32_t streams = streams_, classes = classes_;
    static constexpr Layout layout = layout_;
};
/// Symbols of the sub-streams of a lane, and what the model makes of them.
template <class V>
struct RandomBlock {
    RandomBlock(std::vector<std::vector<LaneSymbol>> of, std::vector<CodedStream> as)
        : symbols(std::move(of)), model(std::move(as)) {}
    explicit RandomBlock(std::mt19937_64& random, std::span<const Table> tables, std::size_t most) {
        const std::size_t streams = 1 + random() % V::streams, values = 1 + random() % most;
        const bool as_expected = random() % 3 != 0;
        for (std::size_t s = 0; s < streams; ++s) {
            auto& stream = symbols.emplace_back();
            for (std::size_t i = 0; i < values + (s == 0 ? random() % 2 : 0); ++i) {
                const auto c = static_cast<std::uint8_t>(random() % V::classes);
                stream.push_back({random_symbol(random, tables[c], as_expected), c});
            }
            model.push_back(coded(stream, tables));
        }
    }
    std::vector<std::vector<LaneSymbol>> symbols;
    std::vector<CodedStream> model;
};

/// A table of each class, all of one width.
template <class V>
std::vector<Table> random_tables(std::mt19937_64& random) {
    constexpr std::array widths{8u, 11u, 16u, 20u, 32u};
    const std::uint32_t width = widths[random() % widths.size()];
    std::vector<Table> tables;
    for (std::uint32_t c = 0; c < V::classes; ++c) tables.push_back(random_table(random, V::layout, width));
    return tables;
}

/// Row 1's part of the range straddles the middle, so that bits are held, 9 or so with each symbol of it, until another
/// row comes. Width: from 5 bits on.
inline Table straddling_table(Layout layout, std::uint32_t width) {
    Cumulative cumulative{};
    for (std::size_t k = 1; k <= table_rows; ++k)
        cumulative[k] = static_cast<std::uint16_t>(k == 1 ? 511 : 513 + (k - 2) * 36);
    cumulative.back() = 1024;
    if (layout == Layout::magnitude) return Table::magnitudes(width, cumulative);
    std::array<std::uint32_t, table_rows> first{};
    for (std::uint32_t row = 0; row < table_rows; ++row) first[row] = row;
    return Table::ranges(width, first, cumulative);
}

}   // namespace oscar::test

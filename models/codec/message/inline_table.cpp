#include "models/codec/message/inline_table.hpp"

#include <algorithm>
#include <functional>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/interface/codec.hpp"

namespace oscar {

namespace {

// Empty rows, which only tables of fewer than 16 patterns have, are sent as pattern zero.
void require_ascending(std::span<const std::uint32_t, table_rows> first, std::uint32_t width) {
    const auto used = first.first(Table::rows_for(width));
    if (used.front() != 0 || std::ranges::adjacent_find(used, std::greater_equal{}) != used.end())
        throw CorruptStream("inline table: the ranges do not ascend from zero");
    if (std::ranges::any_of(first.subspan(used.size()), [](std::uint32_t pattern) { return pattern != 0; }))
        throw CorruptStream("inline table: a range without patterns is not zero");
}

}   // namespace

std::size_t inline_table_bytes(Layout layout, std::uint32_t width) {
    return bytes_for(table_rows * (probability_bits + (layout == Layout::ranges ? width : 0)));
}

void append_table(std::vector<std::byte>& out, const Table& table) {
    BitWriter writer(out);
    for (std::size_t row = 0; row < table_rows; ++row) {
        writer.put(table.count(row) - 1, probability_bits);
        if (table.layout == Layout::ranges)
            writer.put(row < Table::rows_for(table.width) ? table.first[row] : 0, table.width);
    }
    writer.finish();
}

Table read_table(std::span<const std::byte> bytes, Layout layout, std::uint32_t width) {
    BitReader reader(bytes);
    std::uint32_t total = 0;
    Cumulative cumulative{};
    std::array<std::uint32_t, table_rows> first{};
    for (std::size_t row = 0; row < table_rows; ++row) {
        total += reader.get(probability_bits) + 1;
        cumulative[row + 1] = static_cast<std::uint16_t>(total);   // at most 16 * 1024
        if (layout == Layout::ranges) first[row] = reader.get(width);
    }
    if (total != probability_total) throw CorruptStream("inline table: the counts do not add up to 1024");
    if (layout == Layout::magnitude) return Table::magnitudes(width, cumulative);
    require_ascending(first, width);
    return Table::ranges(width, first, cumulative);
}

}   // namespace oscar

// Kernel of table look-ups for several lanes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/codec/bits/vector.hpp"
#include "models/codec/entropy/lane_bounds.hpp"
#include "models/codec/table/tables.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

/// A number for each row, of one table (in registers) or of many (in memory). `where`: index of the word of row 0 of
/// each lane's table.
template <bool one>
struct Column;
template <>
struct Column<true> {
    RowTable rows;
    OSCAR_VECTOR_LOOP explicit Column(const std::uint32_t* words) : rows(load_rows(words)) {}
    /// The number of each lane's row; there is one table, so its index is not used.
    OSCAR_VECTOR_LOOP Vector at(Vector, Vector row) const { return OSCAR_VECTORS::at(rows, row); }
};
template <>
struct Column<false> {
    const std::int32_t* words;
    explicit Column(const std::uint32_t* given) : words(reinterpret_cast<const std::int32_t*>(given)) {}
    /// The number of each lane's row in the lane's table.
    OSCAR_VECTOR_LOOP Vector at(Vector where, Vector row) const { return gather(words, where + row); }
};

/// Returns in each lane the last row whose number is at most x. Precondition: numbers ascend from 0.
template <bool one>
OSCAR_VECTOR_LOOP inline Vector last_row_at_most(const Column<one>& column, Vector where, Vector x) {
    Vector row = every(0);
    for (std::uint32_t step = table_rows / 2; step > 0; step /= 2) {
        const Vector upper = row | every(step);
        row = select(column.at(where, upper) <= x, upper, row);
    }
    return row;
}

/// Bounds of each row, in counts of 1024.
template <bool one>
struct BoundColumns {
    Column<one> below, above;
    template <class Bounds>
    OSCAR_VECTOR_LOOP explicit BoundColumns(const Bounds& bounds) : below(words(bounds)), above(words(bounds) + 1) {}
    /// The total of each lane's table, at most 1024 counts.
    OSCAR_VECTOR_LOOP Vector total(Vector where) const { return above.at(where, every(table_rows - 1)); }

private:
    template <class Bounds>
    static const std::uint32_t* words(const Bounds& bounds) {
        return reinterpret_cast<const std::uint32_t*>(bounds.starts());
    }
};

/// Rows of values in the tables of a block, table after table.
struct PlaceWords {
    std::vector<std::uint32_t> first, last, bits;

    explicit PlaceWords(const Tables& tables) {
        for (std::size_t c = 0; c < tables.count(); ++c) {
            const Table& table = *tables.of_class(c);
            const std::uint64_t end = std::uint64_t{1} << table.width;
            first.insert(first.end(), table.first.begin(), table.first.end());
            bits.insert(bits.end(), table.offset_bits.begin(), table.offset_bits.end());
            for (std::size_t row = 0; row < table_rows; ++row)
                last.push_back(static_cast<std::uint32_t>((row + 1 < table_rows ? table.first[row + 1] : end) - 1));
        }
    }
};

/// Rows and offsets of symbols.
struct Places {
    Vector row, offset, bits;
};
/// Symbols, and the lanes for which Table::holds() is false.
struct PlacedSymbols {
    Vector symbol;
    Mask illegal;
};

/// Table::locate(), Table::value() and Table::holds(). Precondition: all tables have the same layout and width.
template <bool one>
class PlaceColumns {
public:
    OSCAR_VECTOR_LOOP PlaceColumns(const Table& table, const PlaceWords& words)
        : first_(words.first.data()),
          last_(words.last.data()),
          bits_(words.bits.data()),
          width_(table.width),
          open_(table.offset_bits.back() != table_rows - 1 ? table_rows - 1 : 32),
          magnitudes_(table.layout == Layout::magnitude) {}

    /// Table::locate() of each lane's symbol.
    OSCAR_VECTOR_LOOP Places locate(Vector where, Vector symbol) const {
        if (magnitudes_) return locate_magnitude(symbol);
        const Vector pattern = symbol & every(low_mask(width_));
        const Vector row = last_row_at_most(first_, where, pattern);
        return {row, pattern - first_.at(where, row), bits_.at(where, row)};
    }
    /// The offset length of each lane's row.
    OSCAR_VECTOR_LOOP Vector bits(Vector where, Vector row) const {
        if (magnitudes_) return open_ == 32 ? row : select(every(open_) <= row, every(width_), row);
        return bits_.at(where, row);
    }
    /// Table::value() and Table::holds() of each lane's place.
    OSCAR_VECTOR_LOOP PlacedSymbols value(Vector where, Vector row, Vector offset) const {
        if (magnitudes_) return value_of_magnitude(row, offset);
        const Vector pattern = offset + first_.at(where, row);
        return {sign_extend(pattern, width_), (last_.at(where, row) < pattern) | (pattern < offset)};
    }

private:
    OSCAR_VECTOR_LOOP Places locate_magnitude(Vector symbol) const {
        const Vector size = magnitude(symbol), row = every(32) - leading_zeros(size);
        const Vector half = every(1) << row >> 1;
        const Vector offset = size ^ only(nonnegative(symbol), half);
        if (open_ == 32) return {row, offset, row};
        const Mask open = every(open_) <= row;
        return {lesser(row, every(open_)), select(open, symbol & every(low_mask(width_)), offset),
                select(open, every(width_), row)};
    }
    OSCAR_VECTOR_LOOP PlacedSymbols value_of_magnitude(Vector row, Vector offset) const {
        const Vector half = every(1) << row >> 1, size = offset | half;
        const Vector symbol = select(has_any(offset, half), every(0) - size, size);
        if (open_ == 32) return {symbol, row < row};
        const Mask open = every(open_) <= row;
        const Vector wide = sign_extend(offset, width_);
        return {select(open, wide, symbol), open & (magnitude(wide) < every(1u << (table_rows - 2)))};
    }

    Column<one> first_, last_, bits_;
    std::uint32_t width_, open_;   // from row open_ on, offsets are whole symbols
    bool magnitudes_;
};

}   // namespace oscar::OSCAR_VECTORS

#endif

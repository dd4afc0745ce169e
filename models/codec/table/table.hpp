// A table of 16 rows for range coding: each symbol is a row, arithmetically coded, and a raw offset within the row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

inline constexpr std::size_t table_rows = 16;
inline constexpr std::uint32_t probability_bits = 10;   ///< counts are in 1/1024
inline constexpr std::uint32_t probability_total = 1u << probability_bits;

/// Occurrences per bin of a codec's histogram; what a bin is, the codec knows.
using Counts = std::vector<std::uint64_t>;
/// Adds `more` to `counts`, which grows to its size; what one of them lacks counts 0.
void add(Counts& counts, const Counts& more);

/// Counts of the rows before each row, in 1/1024; the last entry is the total of all rows.
using Cumulative = std::array<std::uint16_t, table_rows + 1>;

/// The mapping of values to rows.
enum class Layout : std::uint8_t {
    magnitude,   ///< row k >= 1 holds 2^(k-1) <= |v| < 2^k, row 0 holds zero
    ranges,      ///< rows tile the bit patterns 0 .. 2^width-1, ascending (Atalanta, layout A)
};

/// A row and the place of a value within it.
struct Located {
    std::uint32_t row, offset;
};

/// Rows, their offset lengths, and cumulative counts. cumulative.front() == 0, cumulative.back() <= 1024, and every row
/// that a legal symbol can fall into has a count of at least one.
struct Table {
    Layout layout = Layout::magnitude;
    std::uint32_t width = 8;                              ///< bits of the widest symbol it can code
    std::array<std::uint32_t, table_rows> first{};        ///< lowest bit pattern of each row (layout ranges only)
    std::array<std::uint8_t, table_rows> offset_bits{};   ///< length of the raw offset of each row
    Cumulative cumulative{};                              ///< counts of the rows before, in 1/1024

    /// The table of layout magnitude. Row 15 is open-ended when width > 16: its offset is the whole two's complement.
    static Table magnitudes(std::uint32_t width, const Cumulative& cumulative);
    /// The table of layout ranges. Precondition: `first` ascends strictly from 0 over rows_for(width) rows.
    static Table ranges(std::uint32_t width, const std::array<std::uint32_t, table_rows>& first,
                        const Cumulative& cumulative);
    /// Rows that hold a symbol in layout ranges: min(16, number of patterns). Rows beyond them are empty.
    static std::size_t rows_for(std::uint32_t width);

    /// Where `symbol`, legal for `width`, lies. Law: value(locate(v)) == v.
    Located locate(std::int32_t symbol) const;
    /// The symbol at a place. For layout ranges sign-extended from `width` bits.
    std::int32_t value(Located place) const;
    /// True if locate() gives this place for some symbol: a damaged stream may hold offsets beyond the end of a row.
    bool holds(Located place) const;
    /// Count of a row, in 1/1024.
    std::uint32_t count(std::size_t row) const { return std::uint32_t{cumulative[row + 1]} - cumulative[row]; }
    /// Cost of `symbol` in 1/256 bit: its row, arithmetically coded, and its offset.
    std::uint32_t cost(std::int32_t symbol) const;

    static constexpr std::size_t image_bytes = 2 + 4 * table_rows + table_rows + 2 * (table_rows + 1);
    /// Everything in the table as bytes, little endian: what check() and digests are taken of.
    std::array<std::byte, image_bytes> image() const;
    /// A 16-bit check (CRC-16/CCITT) of everything in the table, which travels in each block header.
    std::uint16_t check() const;
    friend bool operator==(const Table&, const Table&) = default;
};

/// Counts of 16 rows normalised to 1024: 1 + floor(n * (1024-16) / sum), the rest to the largest row (lowest index on a
/// tie), so that each row stays codable. Precondition: not all zero. In 64-bit integers; docs/codecs.md.
Cumulative normalise(std::span<const std::uint64_t, table_rows> counts);

/// Cost in 1/256 bit of a row with `count` of 1024: round(-256 * log2(count / 1024)), from an integer table. 1..1024.
std::uint32_t row_cost(std::uint32_t count);

// The rest of the header is the inner loop of every lane, defined here so that it is inlined; it does not branch on the
// sign, which nobody can predict.

/// The lowest `bits` bits set. Precondition: bits <= 32.
constexpr std::uint32_t low_mask(std::uint32_t bits) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
}
/// |symbol|, which for the lowest int32 fits only an unsigned type.
constexpr std::uint32_t magnitude(std::int32_t symbol) {
    const auto sign = static_cast<std::uint32_t>(symbol >> 31);   // all ones below zero
    return (static_cast<std::uint32_t>(symbol) ^ sign) - sign;
}
/// The symbol whose two's complement at `width` bits is `pattern`.
constexpr std::int32_t sign_extend(std::uint32_t pattern, std::uint32_t width) {
    return static_cast<std::int32_t>(pattern << (32 - width)) >> (32 - width);
}

/// In layout ranges a binary search of four comparisons; in neither layout a branch on the sign.
inline Located Table::locate(std::int32_t symbol) const {
    if (layout == Layout::magnitude) {
        const std::uint32_t size = magnitude(symbol);
        // bit_width() of what is never zero: a test for zero would be a branch too.
        const auto row = static_cast<std::uint32_t>(std::bit_width(std::uint64_t{size} * 2 + 1)) - 1;
        if (row >= table_rows - 1 && offset_bits.back() != table_rows - 1)   // open-ended last row
            return {table_rows - 1, static_cast<std::uint32_t>(symbol) & low_mask(width)};
        // `size` has its leading bit at row - 1, where the offset has the sign.
        return {row, size ^ (1u << row >> 1 & ~static_cast<std::uint32_t>(symbol >> 31))};
    }
    const std::uint32_t pattern = static_cast<std::uint32_t>(symbol) & low_mask(width);
    std::uint32_t row = first[8] <= pattern ? 8 : 0;
    row += first[row + 4] <= pattern ? 4 : 0;
    row += first[row + 2] <= pattern ? 2 : 0;
    row += first[row + 1] <= pattern ? 1 : 0;
    return {row, pattern - first[row]};
}

inline std::int32_t Table::value(Located place) const {
    if (layout == Layout::ranges) return sign_extend(first[place.row] + place.offset, width);
    if (offset_bits[place.row] != place.row) return sign_extend(place.offset, width);
    const std::uint32_t half = 1u << place.row >> 1;
    const std::uint32_t sign = 0u - ((place.offset & half) != 0 ? 1u : 0u);
    return static_cast<std::int32_t>(((place.offset | half) ^ sign) - sign);
}

inline bool Table::holds(Located place) const {
    if (layout == Layout::magnitude)
        return offset_bits[place.row] == place.row || magnitude(value(place)) >= 1u << (table_rows - 2);
    const std::uint64_t end = place.row + 1 < table_rows ? first[place.row + 1] : std::uint64_t{1} << width;
    return first[place.row] + std::uint64_t{place.offset} < end;
}

}   // namespace oscar

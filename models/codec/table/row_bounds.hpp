// Cumulative counts of a table in the layout that the arithmetic coder's loops read.
#pragma once

#include <array>
#include <cstdint>

#include "models/codec/table/table.hpp"

namespace oscar {

/// Counts of 1024 before each row, then the total, and the total once more: a decoder that finds a code beyond the
/// total is at row 16, whose share is nothing.
struct RowBounds {
    std::array<std::int32_t, table_rows + 2> starts{};

    RowBounds() = default;
    explicit RowBounds(const Cumulative& cumulative) {
        for (std::size_t row = 0; row <= table_rows; ++row) starts[row] = cumulative[row];
        starts.back() = cumulative.back();
    }
    /// Counts of 1024 before row 0 .. 16; for row 16 the total.
    std::uint32_t below(std::uint32_t row) const { return static_cast<std::uint32_t>(starts[row]); }
    /// Counts of 1024 up to and including row 0 .. 16.
    std::uint32_t above(std::uint32_t row) const { return static_cast<std::uint32_t>(starts[row + 1]); }
};

}   // namespace oscar

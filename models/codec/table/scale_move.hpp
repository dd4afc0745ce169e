// Adjustment of magnitude counts to a new scale of the same gradients.
#pragma once

#include <cstdint>

#include "models/codec/table/table.hpp"
#include "models/codec/table/table_history.hpp"

namespace oscar {

/// log2(before / after) of two scales in 1/256: how many rows, in layout magnitude, the same gradient lies higher. From
/// the difference of the bit patterns, which is linear between powers of two and within 0.09 of the logarithm: one
/// integer subtraction, the same at all ranks. Precondition: both are positive and finite.
std::int32_t rows_between(float before, float after);

/// Moves counts of 16 rows of magnitude up by `rows` / 256 rows: of each row, the whole rows move all counts and the
/// fraction its share one row further. Row 0 keeps what it has, and what falls below row 1 joins it; the top row keeps
/// what would leave. The sum stays the same. Precondition: counts.size() == table_rows.
void move_rows(Counts& counts, std::int32_t rows);

/// Throws invalid_argument if tables of this layout are to rotate and cannot.
void require_rotatable(Layout layout, const TableHistory& stepwise);

}   // namespace oscar

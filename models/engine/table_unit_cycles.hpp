// Cycles of table_unit, which makes a table of the counts of its rows (models/engine/rtl/table_unit.sv).
#pragma once

#include <cstdint>

#include "models/codec/table/table.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// From the first count to the last entry: 16 counts are loaded, 16 / `dividers` groups of rows divided in 11 cycles
/// each, the shares ranked, and 16 entries written. Precondition: `dividers` divides 16.
constexpr Cycles table_unit_cycles(std::uint32_t dividers) {
    constexpr Cycles load = table_rows, divide = 1 + probability_bits, rank = table_rows, write = table_rows;
    return load + table_rows / dividers * divide + rank + write;
}

}   // namespace oscar

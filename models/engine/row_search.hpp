// The search by which a decoder of table rows finds the row of a value.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

enum class RowSearch : std::uint8_t { flash, binary };
constexpr auto choices(RowSearch) {
    return std::array{
        Choice{"flash", RowSearch::flash, "all rows at once, in one cycle: 15 multipliers a lane"},
        Choice{"binary", RowSearch::binary, "by halving, 4 cycles for 16 rows: one multiplier for each stream"}};
}

}   // namespace oscar

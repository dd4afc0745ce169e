#include "models/codec/table/scale_move.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace oscar {

std::int32_t rows_between(float before, float after) {
    return (std::bit_cast<std::int32_t>(before) - std::bit_cast<std::int32_t>(after)) / (1 << 15);   // 23 bits to 8
}

void move_rows(Counts& counts, std::int32_t rows) {
    const auto top = static_cast<std::int32_t>(table_rows) - 1;
    const std::int32_t whole = rows >> 8;   // towards minus infinity
    const auto fraction = static_cast<std::uint64_t>(rows & 255);
    Counts moved(table_rows);
    moved[0] = counts[0];
    const auto put = [&](std::int32_t row, std::uint64_t count) {
        moved[static_cast<std::size_t>(std::clamp(row, 0, top))] += count;
    };
    for (std::int32_t row = 1; row <= top; ++row) {
        const std::uint64_t count = counts[static_cast<std::size_t>(row)];
        const std::uint64_t further = count / 256 * fraction + count % 256 * fraction / 256;
        put(row + whole, count - further);
        put(row + whole + 1, further);
    }
    counts = std::move(moved);
}

void require_rotatable(Layout layout, const TableHistory& stepwise) {
    if (stepwise.scale_jump == ScaleJump::rotate && layout != Layout::magnitude)
        throw std::invalid_argument(
            "scale_jump: rotate moves rows of magnitude; write layout: magnitude, or keep or reset");
}

}   // namespace oscar

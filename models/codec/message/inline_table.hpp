// A table inside a block, packed to the bit; 16 rows always end at a whole byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/table/table.hpp"

namespace oscar {

/// Bytes of a table: 16 counts of 10 bits (count - 1, for none is zero) are 20; in layout ranges each count is followed
/// by the first pattern of its row at `width` bits, at 8 bits 36 in all. Offset lengths follow from the patterns.
std::size_t inline_table_bytes(Layout layout, std::uint32_t width);

/// Precondition: every count is at least one and their total is 1024, as normalise() makes it.
void append_table(std::vector<std::byte>& out, const Table& table);

/// Law: read_table(bytes of append_table(t), t.layout, t.width) == t. Precondition: bytes.size() is inline_table_bytes.
/// Throws CorruptStream if the counts are not 1024 in all, or the patterns do not ascend from zero.
Table read_table(std::span<const std::byte> bytes, Layout layout, std::uint32_t width);

}   // namespace oscar

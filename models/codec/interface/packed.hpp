// Uncoded symbols: two's complement, most significant bit first, packed without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// True if a symbol of this magnitude is legal: |symbol| < 2^(width-1) below 32 bits, everything at 32.
constexpr bool fits(std::uint32_t magnitude, std::uint32_t width) {
    return width >= 32 || magnitude >> (width - 1) == 0;
}
/// Throws invalid_argument unless 1 <= width <= 32 and every symbol is legal for it.
void require_legal(std::span<const Symbol> symbols, std::uint32_t width);

/// Bytes of `symbols` packed symbols.
std::uint64_t packed_bytes(std::uint64_t symbols, std::uint32_t width);
/// Appends legal symbols; the last byte is filled with zeros.
void append_packed(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t width);
/// Law: read_packed(append_packed(s)) == s. Precondition: bytes.size() == packed_bytes(out.size()).
/// Throws CorruptStream if the padding is not zero or a symbol is not legal.
void read_packed(std::span<const std::byte> bytes, std::uint32_t width, std::span<Symbol> out);

/// The work of sub-streams of packed symbols: no coder, so all bits bypass it.
CodingCost packed_work(std::uint64_t symbols, std::uint32_t width, std::uint32_t sub_streams);

}   // namespace oscar

// The raw offsets of a block in one stream of bits, symbol after symbol, most significant bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Symbols taken apart.
struct LocatedSymbols {
    std::vector<std::uint8_t> rows;
    std::vector<std::byte> offsets;   ///< filled to a byte with zeros
    std::uint64_t offset_bits = 0;    ///< before the padding
};

/// Precondition: there is a table, and that of each symbol can code it.
LocatedSymbols locate(std::span<const Symbol> symbols, const Tables& tables);

/// Fills `out` with the symbols of these rows and returns the bits of the offsets. Law: it undoes locate().
/// Throws CorruptStream unless the offsets fill `bytes` exactly, lie in their rows, and every symbol is legal at
/// `width`.
std::uint64_t read_offsets(std::span<const std::byte> bytes, std::span<const std::uint8_t> rows, const Tables& tables,
                           std::uint32_t width, std::span<Symbol> out);

}   // namespace oscar

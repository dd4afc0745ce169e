// The 16 bytes before each block of a framed message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Little endian, in this order: mode u8, epoch u8, table check u16, timestep u16, chunk u16, values u32, bytes u32.
struct BlockHeader {
    BlockMode mode = BlockMode::raw;
    std::uint8_t epoch = 0;
    std::uint16_t check = 0;   ///< Table::check() of the table in use, 0 for raw
    std::uint16_t timestep = 0;
    std::uint16_t chunk = 0;
    std::uint32_t values = 0;   ///< symbols of the block
    std::uint32_t bytes = 0;    ///< of the block, these 16 included
};

inline constexpr std::size_t block_header_bytes = 16;

/// A header of this context. Throws invalid_argument if its timestep or chunk does not fit 16 bits.
BlockHeader make_header(const Context& context, std::uint32_t values);

/// Appends the 16 bytes; header.mode is written without a check.
void append(std::vector<std::byte>& out, const BlockHeader& header);
/// Precondition: bytes.size() >= 16. A mode that does not exist is passed on as it is.
BlockHeader read_header(std::span<const std::byte> bytes);
/// Throws CorruptStream unless the header can be that of a block of `values` symbols in this context, saying in which
/// field; TableMismatch for one of another epoch.
void require_header_of(const BlockHeader& header, const Context& context, std::uint32_t values);

}   // namespace oscar

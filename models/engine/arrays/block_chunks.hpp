// The pieces in which an array moves a block, one a cycle (block_packer.sv, block_unpacker.sv).
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/arrays/array_model.hpp"

namespace oscar {

/// Bytes of a coded block's chunks, in order.
struct BlockChunks {
    std::vector<std::uint8_t> table;     ///< that it brings
    std::vector<std::uint8_t> lengths;   ///< of eight sub-streams each
    std::vector<std::uint8_t> body;      ///< 64 bytes of a sub-stream, or its rest
};

/// Bytes of a row of the lanes' buffers, of a beat, and of the largest chunk.
inline constexpr std::uint32_t row_bytes = 64;

/// Found by the lengths in its bytes. Throws runtime_error if a stream does not fit `rows` rows.
BlockChunks chunks_of(const ArrayBlock& block, std::uint32_t rows);

}   // namespace oscar

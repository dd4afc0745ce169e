#include "models/engine/arrays/block_chunks.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/message/inline_table.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t length_group = 8;   // sub-streams

void append_chunks(std::vector<std::uint8_t>& chunks, std::uint64_t bytes) {
    for (std::uint64_t at = 0; at < bytes; at += row_bytes)
        chunks.push_back(static_cast<std::uint8_t>(std::min<std::uint64_t>(row_bytes, bytes - at)));
}

void require_room(std::uint64_t symbols, std::uint64_t offsets, std::uint32_t rows) {
    const std::uint64_t room = std::uint64_t{row_bytes} * rows;
    if (symbols > room || offsets > room - row_bytes)   // offsets may begin within their first row
        throw std::runtime_error("a sub-stream of " + std::to_string(std::max(symbols, offsets)) +
                                 " bytes does not fit the arrays' buffers of " + std::to_string(room) +
                                 " bytes; set engine.lane_values or more engine.blocks so that blocks are shorter");
}

}   // namespace

BlockChunks chunks_of(const ArrayBlock& block, std::uint32_t rows) {
    BlockChunks chunks;
    std::size_t at = block_header_bytes;
    if (block.header.mode == BlockMode::coded_inline) {
        const std::size_t table = inline_table_bytes(block.tables.front().layout, block.width);
        append_chunks(chunks.table, table);
        at += table;
    }
    const std::uint32_t bits = LaneCoder::length_bits(block.header.values, block.width, block.sub_streams);
    for (std::uint32_t s = 0; s < block.sub_streams; s += length_group)
        chunks.lengths.push_back(static_cast<std::uint8_t>(
            bytes_for(std::uint64_t{2} * bits * std::min(length_group, block.sub_streams - s))));
    BitReader lengths(block.bytes.subspan(at));
    for (std::uint32_t s = 0; s < block.sub_streams; ++s) {
        const std::uint64_t symbols = bytes_for(lengths.get(bits)), offsets = bytes_for(lengths.get(bits));
        require_room(symbols, offsets, rows);
        append_chunks(chunks.body, symbols + offsets);
    }
    return chunks;
}

}   // namespace oscar

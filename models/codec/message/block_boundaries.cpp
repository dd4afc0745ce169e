#include <algorithm>
#include <string>

#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/block_message.hpp"

namespace oscar {
namespace {

/// Throws with the number of the block before what is wrong.
BlockHeader header_of(std::span<const std::byte> bytes, const Context& context, std::uint32_t values,
                      std::size_t block) {
    const BlockHeader header = read_header(bytes);
    const auto at_block = [&](const auto& error) { return "block " + std::to_string(block) + ": " + error.what(); };
    try {
        require_header_of(header, context, values);
    } catch (const TableMismatch& error) {
        throw TableMismatch(at_block(error));
    } catch (const CorruptStream& error) {
        throw CorruptStream(at_block(error));
    }
    return header;
}

}   // namespace

std::vector<Block> find_blocks(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                               const Framing& framing) {
    std::vector<Block> blocks;
    const std::size_t full = framing.block_values(symbols);
    std::size_t at = 0;
    for (std::size_t first = 0; first < symbols && begin.size() - at >= block_header_bytes; first += full) {
        const auto values = static_cast<std::uint32_t>(std::min(full, symbols - first));
        const BlockHeader header = header_of(begin.subspan(at), context, values, blocks.size());
        if (header.bytes > begin.size() - at) break;
        blocks.push_back({static_cast<std::uint32_t>(first), values, at, header.bytes,
                          packed_work(values, context.width, framing.sub_streams_for(values)), header.mode,
                          header.check});
        at += header.bytes;
    }
    return blocks;
}

}   // namespace oscar

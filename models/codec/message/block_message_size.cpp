#include <utility>

#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/block_message.hpp"
#include "models/codec/message/inline_table.hpp"

namespace oscar {

std::vector<Block> size_message(std::span<const Symbol> symbols, const Context& context, const Framing& framing,
                                const BlockCoder& coder, const Tables& tables, bool send_table) {
    require_codes(tables, coder, context, symbols.size());
    std::vector<Block> blocks;
    std::uint64_t offset = 0;
    const std::size_t full = framing.block_values(symbols.size());
    for (std::size_t first = 0; first < symbols.size(); first += full) {
        const auto part = symbols.subspan(first, std::min(full, symbols.size() - first));
        const auto values = static_cast<std::uint32_t>(part.size());
        const std::uint32_t sub_streams = framing.sub_streams_for(values);
        const std::uint64_t table = send_table ? inline_table_bytes(*coder.layout(), context.width) : 0;
        auto payload = coder.size(part, context.width, sub_streams, tables.part(first, values));
        if (payload) {
            payload->bytes += table;
            payload->work.held_tables = tables.held();
            payload->work.width = context.width;
        }
        BlockMode mode = BlockMode::raw;
        if (payload && payload->bytes < packed_bytes(values, context.width))
            mode = std::exchange(send_table, false) ? BlockMode::coded_inline : BlockMode::coded;
        else payload = {packed_bytes(values, context.width), packed_work(values, context.width, sub_streams)};
        const std::uint64_t bytes = block_header_bytes + payload->bytes;
        const std::uint16_t check = mode == BlockMode::raw ? std::uint16_t{0} : tables.check();
        blocks.push_back({static_cast<std::uint32_t>(first), values, offset, bytes, payload->work, mode, check});
        offset += bytes;
    }
    return blocks;
}

}   // namespace oscar

#include "models/codec/interface/codec.hpp"

#include <algorithm>

namespace oscar {

bool proves_common_tables(std::span<const Block> blocks) {
    const auto has = [&](BlockMode mode) { return std::ranges::find(blocks, mode, &Block::mode) != blocks.end(); };
    return has(BlockMode::coded) && !has(BlockMode::coded_inline);
}

std::vector<Block> Codec::sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                       const Tables& tables) const {
    return encode(symbols, context, tables).blocks;
}

std::vector<Block> Codec::blocks_in(std::span<const std::byte>, std::size_t, const Context&, const Tables&) const {
    return {};
}

void Codec::learn(std::span<const Symbol>, std::uint32_t, Counts&) const {}

Table Codec::make_table(const Counts&, std::uint32_t) const {
    throw std::logic_error("codec: asked for a table by a codec that has none");
}

}   // namespace oscar

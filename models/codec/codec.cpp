#include "models/codec/codec.hpp"

namespace oscar {

std::vector<Block> Codec::sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                       const Tables& tables) const {
    return encode(symbols, context, tables).blocks;
}

void Codec::learn(std::span<const Symbol>, std::uint32_t, Counts&) const {}

Table Codec::make_table(const Counts&, std::uint32_t) const {
    throw std::logic_error("codec: asked for a table by a codec that has none");
}

}   // namespace oscar

// What the codecs with tables share: lane blocks, and a table of the message itself where none is given.
#pragma once

#include "models/codec/codec.hpp"

namespace oscar {

/// Encodes with the given table; without one, with a table of the message's own symbols, which is sent in its first
/// coded block (bootstrap, docs/model.md 4). Derived classes say how tables are made.
class TableCodec : public Codec {
public:
    TableCodec(const Framing& framing, Layout layout);

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Table* table) const override;
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Table* table,
                              std::span<Symbol> out) const override;
    Bytes bound(std::size_t symbols, std::uint32_t width) const override;
    std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table* table) const override;

private:
    Framing framing_;
    Layout layout_;
};

}   // namespace oscar

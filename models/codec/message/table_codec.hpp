// Base of the codecs with tables: messages of blocks, with an inline table where none is given.
#pragma once

#include "models/codec/interface/block_coder.hpp"
#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Encodes with the given table; without one, with a table of the message's own symbols, which is sent in its first
/// coded block (bootstrap, docs/tables.md). Tables are made of its coder's layout. Derived classes say where from.
class TableCodec : public Codec {
public:
    /// Precondition: the coder has a layout.
    TableCodec(const Framing& framing, std::unique_ptr<const BlockCoder> coder);

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override;
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables& tables) const override;
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                              std::span<Symbol> out) const override;
    std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                 const Tables& tables) const override;
    bool uses_classes() const override { return coder_->uses_classes(); }
    std::optional<Layout> fixed_table_layout() const override { return coder_->fixed_table_layout(); }
    Bytes bound(std::size_t symbols, std::uint32_t width) const override;
    std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table* table) const override;
    void learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const override;
    Table make_table(const Counts& counts, std::uint32_t width) const override;

private:
    /// message(…) with the tables that are given, or with one of the symbols themselves that is to be sent.
    template <class Message>
    auto with_tables(std::span<const Symbol> symbols, const Context& context, const Tables& tables,
                     Message&& message) const;

    Framing framing_;
    std::unique_ptr<const BlockCoder> coder_;
};

}   // namespace oscar

// Base of the codecs without tables: messages of blocks that a block coder fills.
#pragma once

#include <memory>

#include "models/codec/interface/block_coder.hpp"
#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Derived classes say what a symbol costs.
class BlockCodec : public Codec {
public:
    /// Precondition: the coder takes no table.
    BlockCodec(const Framing& framing, std::unique_ptr<const BlockCoder> coder);

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override;
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables& tables) const override;
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                              std::span<Symbol> out) const override;
    std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                 const Tables& tables) const override;
    Bytes bound(std::size_t symbols, std::uint32_t width) const override;

private:
    Framing framing_;
    std::unique_ptr<const BlockCoder> coder_;
};

}   // namespace oscar

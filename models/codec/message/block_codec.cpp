#include "models/codec/message/block_codec.hpp"

#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_message.hpp"

namespace oscar {

BlockCodec::BlockCodec(const Framing& framing, std::unique_ptr<const BlockCoder> coder)
    : framing_(framing), coder_(std::move(coder)) {
    require_valid(framing);
}

Encoded BlockCodec::encode(std::span<const Symbol> symbols, const Context& context, const Tables&) const {
    require_legal(symbols, context.width);
    return encode_message(symbols, context, framing_, *coder_, nullptr, false);
}

std::vector<Block> BlockCodec::sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                            const Tables&) const {
    require_legal(symbols, context.width);
    return size_message(symbols, context, framing_, *coder_, nullptr, false);
}

std::vector<Block> BlockCodec::decode(std::span<const std::byte> bytes, const Context& context, const Tables&,
                                      std::span<Symbol> out) const {
    return decode_message(bytes, context, framing_, *coder_, nullptr, out);
}

std::vector<Block> BlockCodec::blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                         const Tables&) const {
    return find_blocks(begin, symbols, context, framing_);
}

Bytes BlockCodec::bound(std::size_t symbols, std::uint32_t width) const {
    return message_bound(symbols, width, framing_);
}

}   // namespace oscar

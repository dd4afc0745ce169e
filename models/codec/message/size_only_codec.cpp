#include "models/codec/message/size_only_codec.hpp"

#include "models/codec/interface/forwarding_codec.hpp"

namespace oscar {

namespace {

class SizeOnlyCodec final : public ForwardingCodec {
public:
    using ForwardingCodec::ForwardingCodec;

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override {
        return {{}, sized_blocks(symbols, context, tables), std::vector<Symbol>(symbols.begin(), symbols.end())};
    }
    std::vector<Block> decode(std::span<const std::byte>, const Context&, const Tables&,
                              std::span<Symbol>) const override {
        throw std::logic_error("size-only codec: asked to decode bytes, of which it makes none");
    }
};

}   // namespace

std::unique_ptr<Codec> make_size_only_codec(std::unique_ptr<Codec> codec) {
    return std::make_unique<SizeOnlyCodec>(std::move(codec));
}

}   // namespace oscar

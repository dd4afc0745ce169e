#include "models/codec/kinds/zero_value.hpp"

#include <algorithm>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_codec.hpp"

namespace oscar {

namespace {

class ZeroValueCoder final : public BlockCoder {
public:
    std::optional<Layout> layout() const override { return std::nullopt; }

    std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t sub_streams,
                                     const Tables&, std::vector<std::byte>& out) const override {
        BitWriter writer(out);
        for (const Symbol symbol : symbols) writer.put(symbol != 0 ? 1 : 0, 1);
        for (const Symbol symbol : symbols)
            if (symbol != 0) writer.put(static_cast<std::uint32_t>(symbol) & low_mask(width), width);
        return cost_without_stalls(symbols.size(), sub_streams, writer.finish());
    }

    std::optional<SizedPayload> size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t sub_streams,
                                     const Tables&) const override {
        const auto zeros = static_cast<std::uint64_t>(std::ranges::count(symbols, 0));
        const std::uint64_t bits = symbols.size() + (symbols.size() - zeros) * width;
        return SizedPayload{bytes_for(bits), cost_without_stalls(symbols.size(), sub_streams, bits)};
    }

    CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t sub_streams, const Tables&,
                      std::span<Symbol> out) const override {
        BitReader reader(payload);
        std::uint32_t magnitudes = 0;
        bool marked_zero = false;
        for (Symbol& symbol : out) symbol = static_cast<Symbol>(reader.get(1));
        for (Symbol& symbol : out) {
            if (symbol == 0) continue;
            symbol = sign_extend(reader.get(width), width);
            marked_zero |= symbol == 0;
            magnitudes |= magnitude(symbol);
        }
        const std::uint64_t bits = reader.position();
        if (bytes_for(bits) != payload.size())
            throw CorruptStream("zero value: not as many bytes as the mask asks for");
        if (!reader.skip_padding()) throw CorruptStream("zero value: the padding of the last byte is not zero");
        if (marked_zero) throw CorruptStream("zero value: the mask marks a zero");
        if (!fits(magnitudes, width)) throw CorruptStream("zero value: a symbol is out of range");
        return cost_without_stalls(out.size(), sub_streams, bits);
    }
};

class ZeroValueCodec final : public BlockCodec {
public:
    explicit ZeroValueCodec(const Framing& framing) : BlockCodec(framing, std::make_unique<ZeroValueCoder>()) {}
    std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table*) const override {
        return (symbol != 0 ? 1 + width : 1) * 256;
    }
};

}   // namespace

std::unique_ptr<Codec> make_codec(const ZeroValueParams&, const Framing& framing) {
    return std::make_unique<ZeroValueCodec>(framing);
}

}   // namespace oscar

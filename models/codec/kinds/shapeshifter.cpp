#include "models/codec/kinds/shapeshifter.hpp"

#include <algorithm>
#include <bit>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_codec.hpp"

namespace oscar {

namespace {

// Bits of the width of a group, which is at most the width of the context.
std::uint32_t prefix_bits(std::uint32_t width) { return static_cast<std::uint32_t>(std::bit_width(width)); }

std::uint32_t width_of(std::span<const Symbol> group) {
    std::uint32_t magnitudes = 0;
    for (const Symbol symbol : group) magnitudes |= magnitude(symbol);
    return static_cast<std::uint32_t>(std::bit_width(magnitudes));
}

class ShapeShifterCoder final : public BlockCoder {
public:
    explicit ShapeShifterCoder(const ShapeShifterParams& params) : params_(params) {}
    std::optional<Layout> layout() const override { return std::nullopt; }

    std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t sub_streams,
                                     const Tables&, std::vector<std::byte>& out) const override {
        BitWriter writer(out);
        for (std::size_t first = 0; first < symbols.size(); first += params_.group)
            write(symbols.subspan(first, std::min<std::size_t>(params_.group, symbols.size() - first)), width, writer);
        return cost_without_stalls(symbols.size(), sub_streams, writer.finish());
    }

    std::optional<SizedPayload> size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t sub_streams,
                                     const Tables&) const override {
        std::uint64_t bits = 0;
        for (std::size_t first = 0; first < symbols.size(); first += params_.group)
            bits +=
                bits_of(symbols.subspan(first, std::min<std::size_t>(params_.group, symbols.size() - first)), width);
        return SizedPayload{bytes_for(bits), cost_without_stalls(symbols.size(), sub_streams, bits)};
    }

    CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t sub_streams, const Tables&,
                      std::span<Symbol> out) const override {
        BitReader reader(payload);
        for (std::size_t first = 0; first < out.size(); first += params_.group)
            read(out.subspan(first, std::min<std::size_t>(params_.group, out.size() - first)), width, reader);
        const std::uint64_t bits = reader.position();
        if (bytes_for(bits) != payload.size())
            throw CorruptStream("shapeshifter: not as many bytes as the groups ask for");
        if (!reader.skip_padding()) throw CorruptStream("shapeshifter: the padding of the last byte is not zero");
        return cost_without_stalls(out.size(), sub_streams, bits);
    }

private:
    bool masks() const { return params_.zeros == GroupZeros::mask; }

    std::uint64_t bits_of(std::span<const Symbol> group, std::uint32_t width) const {
        const std::uint32_t bits = width_of(group);
        if (bits == 0) return prefix_bits(width);
        const auto zeros = masks() ? static_cast<std::uint64_t>(std::ranges::count(group, 0)) : 0;
        return prefix_bits(width) + (masks() ? group.size() : 0) + (group.size() - zeros) * (1 + bits);
    }

    void write(std::span<const Symbol> group, std::uint32_t width, BitWriter& writer) const {
        const std::uint32_t bits = width_of(group);
        writer.put(bits, prefix_bits(width));
        if (bits == 0) return;
        if (masks())
            for (const Symbol symbol : group) writer.put(symbol != 0 ? 1 : 0, 1);
        for (const Symbol symbol : group) {
            if (symbol == 0 && masks()) continue;
            writer.put(symbol < 0 ? 1 : 0, 1);
            writer.put(magnitude(symbol), bits);
        }
    }

    void read(std::span<Symbol> group, std::uint32_t width, BitReader& reader) const {
        const std::uint32_t bits = reader.get(prefix_bits(width));
        // At 32 bits the lowest symbol has a magnitude of 32; below, a magnitude is shorter than the width.
        if (bits > (width < 32 ? width - 1 : 32)) throw CorruptStream("shapeshifter: a group is too wide");
        std::ranges::fill(group, bits == 0 ? 0 : 1);
        if (bits == 0) return;
        if (masks())
            for (Symbol& symbol : group) symbol = static_cast<Symbol>(reader.get(1));
        for (Symbol& symbol : group)
            if (symbol != 0) symbol = read_symbol(bits, reader);
        if (width_of(group) != bits) throw CorruptStream("shapeshifter: a group is wider than its largest symbol");
    }

    Symbol read_symbol(std::uint32_t bits, BitReader& reader) const {
        const bool negative = reader.get(1) != 0;
        const std::uint32_t size = reader.get(bits);
        if (size == 0 && (negative || masks())) throw CorruptStream("shapeshifter: a zero that is none");
        if (size >> 31 != 0 && (!negative || size != 1u << 31))
            throw CorruptStream("shapeshifter: a symbol is out of range");
        return static_cast<Symbol>(negative ? 0 - size : size);
    }

    ShapeShifterParams params_;
};

class ShapeShifterCodec final : public BlockCodec {
public:
    ShapeShifterCodec(const ShapeShifterParams& params, const Framing& framing)
        : BlockCodec(framing, std::make_unique<ShapeShifterCoder>(params)), params_(params) {}

    /// An estimate: as if all of its group were as wide as the symbol.
    std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table*) const override {
        const auto bits = static_cast<std::uint32_t>(std::bit_width(magnitude(symbol)));
        const std::uint32_t mask = params_.zeros == GroupZeros::mask ? 1 : 0;
        return (mask + (bits > 0 ? bits + 1 : 0)) * 256 + prefix_bits(width) * 256 / params_.group;
    }

private:
    ShapeShifterParams params_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const ShapeShifterParams& params, const Framing& framing) {
    return std::make_unique<ShapeShifterCodec>(params, framing);
}

}   // namespace oscar

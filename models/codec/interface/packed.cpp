#include "models/codec/interface/packed.hpp"

#include <stdexcept>
#include <string>

#include "models/codec/bits/bit_stream.hpp"

namespace oscar {

namespace {

// Its highest bit is that of the largest magnitude, which is what fits() asks for.
std::uint32_t union_of_magnitudes(std::span<const Symbol> symbols) {
    std::uint32_t bits = 0;
    for (const Symbol symbol : symbols) bits |= magnitude(symbol);
    return bits;
}

}   // namespace

void require_legal(std::span<const Symbol> symbols, std::uint32_t width) {
    if (width < 1 || width > 32)
        throw std::invalid_argument("context: width " + std::to_string(width) + " is not 1..32");
    if (!fits(union_of_magnitudes(symbols), width))
        throw std::invalid_argument("encode: a symbol does not fit " + std::to_string(width) +
                                    " bits; choose a larger width or clamp the symbols");
}

std::uint64_t packed_bytes(std::uint64_t symbols, std::uint32_t width) { return bytes_for(symbols * width); }

void append_packed(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t width) {
    BitWriter writer(out);
    for (const Symbol symbol : symbols) writer.put(static_cast<std::uint32_t>(symbol) & low_mask(width), width);
    writer.finish();
}

void read_packed(std::span<const std::byte> bytes, std::uint32_t width, std::span<Symbol> out) {
    BitReader reader(bytes);
    for (Symbol& symbol : out) symbol = sign_extend(reader.get(width), width);
    if (!reader.skip_padding()) throw CorruptStream("packed symbols: the padding of the last byte is not zero");
    if (!fits(union_of_magnitudes(out), width)) throw CorruptStream("packed symbols: a symbol is out of range");
}

CodingCost packed_work(std::uint64_t symbols, std::uint32_t width, std::uint32_t sub_streams) {
    return {.values = symbols,
            .sub_stream_slots = (symbols + sub_streams - 1) / sub_streams,
            .stalls = 0,
            .offset_bits = symbols * width};
}

}   // namespace oscar

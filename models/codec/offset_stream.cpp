#include "models/codec/offset_stream.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/codec/bit_stream.hpp"
#include "models/codec/packed.hpp"

namespace oscar {

namespace {

constexpr std::size_t word = 8;   // bytes that are stored or loaded at once

// A word with its first byte highest, from or to bytes in memory.
std::uint64_t big_endian(std::uint64_t value) {
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

// As BitWriter, but stores a word at each put instead of asking whether one is full.
class WordWriter {
public:
    /// `out` has room for a word behind what will be put.
    explicit WordWriter(std::byte* out) : out_(out) {}

    void put(std::uint32_t value, std::uint32_t bits) {
        held_ |= std::uint64_t{value} << (64 - fill_ - bits);
        const std::uint64_t bytes = big_endian(held_);
        std::memcpy(out_, &bytes, word);
        fill_ += bits;
        const std::uint32_t whole = fill_ / 8;   // at most 4 of 7 + 32 bits
        out_ += whole;
        held_ <<= 8 * whole;
        fill_ %= 8;
    }
    const std::byte* end() const { return out_ + (fill_ > 0 ? 1 : 0); }

private:
    std::byte* out_;
    std::uint64_t held_ = 0;   // from the highest bit on, fill_ of them
    std::uint32_t fill_ = 0;   // at most 7 between calls
};

// The next `bits` bits at bit `at`. Precondition: a word lies at that byte.
std::uint32_t bits_at(const std::byte* bytes, std::uint64_t at, std::uint32_t bits) {
    std::uint64_t held = 0;
    std::memcpy(&held, bytes + at / 8, word);
    return static_cast<std::uint32_t>((big_endian(held) << at % 8) >> 1 >> (63 - bits));
}

}   // namespace

LocatedSymbols locate(std::span<const Symbol> symbols, const Table& given) {
    const Table table = given;   // a copy, which no store of bytes below can have changed
    LocatedSymbols result{std::vector<std::uint8_t>(symbols.size()), {}, 0};
    const std::uint64_t longest = *std::ranges::max_element(table.offset_bits);
    result.offsets.resize(bytes_for(symbols.size() * longest) + word);
    WordWriter writer(result.offsets.data());
    std::uint8_t* rows = result.rows.data();
    for (const Symbol symbol : symbols) {
        const auto [row, offset] = table.locate(symbol);
        *rows++ = static_cast<std::uint8_t>(row);
        writer.put(offset, table.offset_bits[row]);
        result.offset_bits += table.offset_bits[row];
    }
    result.offsets.resize(static_cast<std::size_t>(writer.end() - result.offsets.data()));
    return result;
}

std::uint64_t read_offsets(std::span<const std::byte> bytes, std::span<const std::uint8_t> rows, const Table& given,
                           std::uint32_t width, std::span<Symbol> out) {
    const Table table = given;   // a copy, which no store of symbols below can have changed
    std::uint64_t total = 0;
    for (const std::uint8_t row : rows) total += table.offset_bits[row];
    if (bytes_for(total) != bytes.size()) throw CorruptStream("offsets: not as many bytes as the rows ask for");
    std::vector<std::byte> padded(bytes.begin(), bytes.end());
    padded.resize(bytes.size() + word);
    if (bits_at(padded.data(), total, static_cast<std::uint32_t>(-total % 8)) != 0)
        throw CorruptStream("offsets: the filling of the last byte is not zero");
    const std::byte* const from = padded.data();
    std::uint64_t at = 0;
    std::uint32_t magnitudes = 0;
    bool legal = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t bits = table.offset_bits[rows[i]];
        const Located place{rows[i], bits_at(from, at, bits)};
        at += bits;
        const Symbol symbol = table.value(place);
        legal &= table.holds(place);
        magnitudes |= magnitude(symbol);
        out[i] = symbol;
    }
    if (!legal) throw CorruptStream("offsets: an offset is beyond its row");
    if (!fits(magnitudes, width)) throw CorruptStream("offsets: a symbol is out of range");
    return total;
}

}   // namespace oscar

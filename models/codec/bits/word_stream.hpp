// Bit streams written word by word, most significant bit first; the bytes are those of BitWriter, without a test for a
// full word at each put.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace oscar {

inline constexpr std::size_t stream_word = 8;   ///< bytes that are stored or loaded at once

/// A word with its first byte highest, from or to bytes in memory.
inline std::uint64_t big_endian(std::uint64_t value) {
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

class WordWriter {
public:
    /// `out` has room for one more word after all bits that will be put.
    explicit WordWriter(std::byte* out) : out_(out) {}

    /// Precondition: bits <= 56, value < 2^bits.
    void put(std::uint64_t value, std::uint32_t bits) {
        held_ |= value << (63 - fill_ - bits) << 1;
        const std::uint64_t bytes = big_endian(held_);
        std::memcpy(out_, &bytes, stream_word);
        fill_ += bits;
        const std::uint32_t whole = fill_ / 8;   // at most 7
        out_ += whole;
        held_ <<= 8 * whole;
        fill_ %= 8;
    }
    /// Bits put since the writer began at `begin`.
    std::uint64_t bits(const std::byte* begin) const { return 8 * static_cast<std::uint64_t>(out_ - begin) + fill_; }

private:
    std::byte* out_;
    std::uint64_t held_ = 0;   // from the highest bit on, fill_ of them
    std::uint32_t fill_ = 0;   // at most 7 between calls
};

/// The next `bits` bits, at most 32, at bit `at`. Precondition: a word lies at that byte.
inline std::uint32_t bits_at(const std::byte* bytes, std::uint64_t at, std::uint32_t bits) {
    std::uint64_t held = 0;
    std::memcpy(&held, bytes + at / 8, stream_word);
    return static_cast<std::uint32_t>((big_endian(held) << at % 8) >> 1 >> (63 - bits));
}

}   // namespace oscar

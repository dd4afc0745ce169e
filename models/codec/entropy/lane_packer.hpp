// Bit streams of several lanes, written side by side. Vector kernels append to all lanes at once; the scalar functions
// here append long and last codes to one lane. The bytes are those of BitWriter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/bits/word_stream.hpp"

namespace oscar {

/// A number for each of `n` lanes, in the order of a register.
template <std::size_t n>
using LaneWords = std::array<std::uint32_t, n>;

/// Buffer for one stream of each lane.
class StreamBuffer {
public:
    /// Each stream has at most `bits` bits.
    StreamBuffer(std::size_t lanes, std::uint64_t bits)
        : stride_(words_for(bits)), words_(std::make_unique_for_overwrite<std::uint32_t[]>(lanes * stride_)) {}

    std::uint32_t* words() { return words_.get(); }   ///< of all lanes, uninitialised
    /// Index in words() of the lane's first word.
    std::uint32_t begin(std::size_t lane) const { return static_cast<std::uint32_t>(lane * stride_); }
    /// The first byte of the lane's stream.
    const std::byte* bytes(std::size_t lane) const {
        return reinterpret_cast<const std::byte*>(words_.get() + lane * stride_);
    }
    /// Words of 32 bits for a stream: an odd number of cache lines, so that lanes begin in different sets of the cache.
    static std::size_t words_for(std::uint64_t bits) { return ((bits / 512 + 1) | 1) * 16; }

private:
    std::size_t stride_;
    std::unique_ptr<std::uint32_t[]> words_;
};

/// Write positions of the streams of `n` lanes.
template <std::size_t n>
struct alignas(64) PackerState {
    LaneWords<n> word{};   ///< from the highest bit on, `fill` bits that are not yet in memory
    LaneWords<n> fill{};   ///< at most 31
    LaneWords<n> next{};   ///< index of the next word in memory

    /// Appends `value` in `bits` bits to one lane. Precondition: 1 <= bits <= 32, value < 2^bits.
    void put(std::size_t lane, std::uint32_t* words, std::uint32_t value, std::uint32_t bits) {
        const std::uint64_t held = std::uint64_t{word[lane]} << 32 | std::uint64_t{value} << (64 - bits) >> fill[lane];
        word[lane] = static_cast<std::uint32_t>(held >> 32);
        fill[lane] += bits;
        if (fill[lane] < 32) return;
        flush(lane, words);
        word[lane] = static_cast<std::uint32_t>(held);
        fill[lane] -= 32;
    }
    /// Appends a bit and after it its opposite, `follow_bits` times.
    void put_with_follow_bits(std::size_t lane, std::uint32_t* words, std::uint32_t bit, std::uint32_t follow_bits) {
        put(lane, words, bit, 1);
        while (follow_bits > 0) {
            const std::uint32_t size = std::min(follow_bits, 31u);
            put(lane, words, bit != 0 ? 0 : (1u << size) - 1, size);
            follow_bits -= size;
        }
    }
    /// Stores the last word, filled with zeros. Returns the number of bits since word `begin`.
    std::uint32_t finish(std::size_t lane, std::uint32_t* words, std::uint32_t begin) {
        const std::uint32_t bits = 32 * (next[lane] - begin) + fill[lane];
        if (fill[lane] > 0) flush(lane, words);
        return bits;
    }

private:
    void flush(std::size_t lane, std::uint32_t* words) {
        words[next[lane]++] = static_cast<std::uint32_t>(big_endian(word[lane]) >> (little ? 32 : 0));
    }
    static constexpr bool little = std::endian::native == std::endian::little;
};

}   // namespace oscar

// MurmurHash3_x86_32: the hash by which Lossless Homomorphic Compression places its blocks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace oscar {

/// Mixes one block of four bytes before it enters the hash.
constexpr std::uint32_t murmur3_scramble(std::uint32_t word) { return std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u; }

/// Mixes the length in bytes and spreads every bit over the hash.
constexpr std::uint32_t murmur3_finish(std::uint32_t hash, std::uint32_t length) {
    hash ^= length;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    return hash ^ (hash >> 16);
}

/// Hash of the four bytes of `word`, the least significant first. Source: Appleby, SMHasher, MurmurHash3_x86_32.
constexpr std::uint32_t murmur3(std::uint32_t word, std::uint32_t seed) {
    return murmur3_finish(std::rotl(seed ^ murmur3_scramble(word), 13) * 5 + 0xe6546b64u, 4);
}

/// Hash of any number of bytes.
constexpr std::uint32_t murmur3(std::span<const std::byte> bytes, std::uint32_t seed) {
    std::uint32_t hash = seed, word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        word |= static_cast<std::uint32_t>(bytes[i]) << (8 * (i % 4));
        if (i % 4 != 3) continue;
        hash = std::rotl(hash ^ murmur3_scramble(word), 13) * 5 + 0xe6546b64u;
        word = 0;
    }
    return murmur3_finish(hash ^ murmur3_scramble(word), static_cast<std::uint32_t>(bytes.size()));
}

}   // namespace oscar

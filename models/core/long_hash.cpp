// FNV-1a is h' = (h ^ b) * p, each step of which waits for the one before. But h ^ b = h + d, where d = (l ^ b) - l
// depends on the low byte l of h alone, so that after n bytes
//     h = h0 * p^n + sum of d(i) * p^(n - i),
// which vectors can add. The low bytes follow l' = (l ^ b) * 0xB3 mod 256, because p ends in 0xB3. Bit k of l' is bit k
// of l ^ b, xor a function of the lower bits of l ^ b. Hence bit k of all low bytes, a plane, is a prefix xor, once the
// planes below it are known.
#include "models/core/long_hash.hpp"

#include <array>
#include <numeric>

#include "models/core/hash.hpp"
#include "models/core/wide_loops.hpp"

#ifdef OSCAR_HAS_WIDE_LOOPS
#include <immintrin.h>
#endif

namespace oscar {

#ifdef OSCAR_HAS_WIDE_LOOPS

namespace {

static_assert((fnv_prime & 0xFF) == 0xB3);   // = 3 + 11 * 16: what next_planes() multiplies by

constexpr std::size_t bits = 8, words = 8, word_bytes = 64, tile_bytes = words * word_bytes;

/// [bit][word]: bit k of the bytes of a tile, 64 bytes in a word.
using Planes = std::array<std::array<std::uint64_t, words>, bits>;

/// [i]: p^(64 - i), the weight of byte i of 64.
constexpr auto weights = [] {
    std::array<std::uint64_t, word_bytes + 1> result{};
    result[word_bytes] = 1;
    for (std::size_t i = word_bytes; i > 0; --i) result[i - 1] = result[i] * fnv_prime;
    return result;
}();

OSCAR_WIDE __m512i loaded(const void* from) { return _mm512_loadu_si512(from); }

OSCAR_WIDE Planes planes_of(const std::byte* tile) {
    Planes planes;
    for (std::size_t w = 0; w < words; ++w) {
        const __m512i bytes = loaded(tile + w * word_bytes);
        for (std::size_t k = 0; k < bits; ++k)
            planes[k][w] = _mm512_movepi8_mask(_mm512_slli_epi16(bytes, static_cast<unsigned>(bits - 1 - k)));
    }
    return planes;
}

OSCAR_WIDE __m512i either(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }

/// The carry of a + b + carry.
OSCAR_WIDE __m512i carry_of(__m512i a, __m512i b, __m512i carry) {
    return _mm512_or_si512(_mm512_and_si512(a, b), _mm512_and_si512(carry, either(a, b)));
}

/// In each bit the parity of the bits of `flips` before it, xor `first`, which becomes the parity after all of them.
OSCAR_WIDE __m512i parities_before(__m512i flips, unsigned& first) {
    for (const unsigned distance : {1u, 2u, 4u, 8u, 16u, 32u})
        flips = either(flips, _mm512_slli_epi64(flips, distance));
    unsigned of_words = _mm512_movepi64_mask(flips);
    for (const unsigned distance : {1u, 2u, 4u}) of_words ^= of_words << distance;
    const auto inverted = static_cast<__mmask8>(of_words << 1 ^ (0u - first));
    first ^= of_words >> 7 & 1u;
    const __m512i before = _mm512_slli_epi64(flips, 1);
    return _mm512_mask_xor_epi64(before, inverted, before, _mm512_set1_epi64(-1));
}

/// The planes of the low bytes before each byte of a tile. `low`: bits of the low byte before the tile, then behind it.
/// Of x = l ^ b, x * 0xB3 = t + 16 * (t + 8 * x) mod 256 with t = 3 * x = x + 2 * x.
OSCAR_WIDE Planes low_planes(const Planes& bytes, std::array<unsigned, bits>& low) {
    const __m512i none = _mm512_setzero_si512();
    Planes result;
    __m512i x[bits], t[bits], carry = none, upper_carry = none;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < bits; ++k) {
        const __m512i byte = loaded(bytes[k].data()), twice = k > 0 ? x[k - 1] : none;
        const __m512i upper = k < 4 ? none : k < 7 ? t[k - 4] : either(t[3], x[0]);
        const __m512i flips = either(either(byte, either(twice, carry)), either(upper, upper_carry));
        const __m512i before = parities_before(flips, low[k]);
        _mm512_storeu_si512(result[k].data(), before);
        x[k] = either(before, byte);
        t[k] = either(x[k], either(twice, carry));
        carry = carry_of(x[k], twice, carry);
        upper_carry = carry_of(t[k], upper, upper_carry);
    }
    return result;
}

/// The low bytes of one word of their planes.
OSCAR_WIDE std::array<std::byte, word_bytes> bytes_of(const Planes& planes, std::size_t word) {
    __m512i bytes = _mm512_setzero_si512();
    for (std::size_t k = 0; k < bits; ++k)
        bytes = _mm512_mask_add_epi8(bytes, planes[k][word], bytes, _mm512_set1_epi8(static_cast<char>(1u << k)));
    std::array<std::byte, word_bytes> result;
    _mm512_storeu_si512(result.data(), bytes);
    return result;
}

OSCAR_WIDE __m512i eight_of(const std::byte* bytes) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)));
}

/// The sums, which have waited for 64 bytes more, and d(i) * p^(64 - i) of these.
OSCAR_WIDE __m512i sums_after(__m512i sums, const std::byte* bytes, const std::byte* low) {
    sums = _mm512_mullo_epi64(sums, _mm512_set1_epi64(static_cast<long long>(weights[0])));
    for (std::size_t i = 0; i < word_bytes; i += 8) {
        const __m512i before = eight_of(low + i);
        const __m512i d = _mm512_sub_epi64(either(before, eight_of(bytes + i)), before);
        sums = _mm512_add_epi64(sums, _mm512_mullo_epi64(d, loaded(&weights[i])));
    }
    return sums;
}

/// Precondition: bytes.size() is a multiple of tile_bytes.
OSCAR_WIDE std::uint64_t hash_of_tiles(std::span<const std::byte> bytes, std::uint64_t state) {
    std::array<unsigned, bits> low{};
    for (std::size_t k = 0; k < bits; ++k) low[k] = state >> k & 1;
    __m512i sums = _mm512_setzero_si512();
    for (std::size_t at = 0; at < bytes.size(); at += tile_bytes) {
        const Planes before = low_planes(planes_of(&bytes[at]), low);
        for (std::size_t w = 0; w < words; ++w) {
            sums = sums_after(sums, &bytes[at + w * word_bytes], bytes_of(before, w).data());
            state *= weights[0];
        }
    }
    alignas(word_bytes) std::array<std::uint64_t, words> parts;   // modulo 2^64; _mm512_reduce_add_epi64 has signs
    _mm512_store_si512(parts.data(), sums);
    return std::accumulate(parts.begin(), parts.end(), state);
}

}   // namespace

std::uint64_t fnv1a_long(std::span<const std::byte> bytes, std::uint64_t state) {
    const std::size_t tiled = wide_loops_available() ? bytes.size() / tile_bytes * tile_bytes : 0;
    if (tiled > 0) state = hash_of_tiles(bytes.first(tiled), state);
    return fnv1a(bytes.subspan(tiled), state);
}

#else

std::uint64_t fnv1a_long(std::span<const std::byte> bytes, std::uint64_t state) { return fnv1a(bytes, state); }

#endif

}   // namespace oscar

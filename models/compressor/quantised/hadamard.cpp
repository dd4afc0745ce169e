#include "models/compressor/quantised/hadamard.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "models/core/random.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

/// Sums and differences of elements `half` apart.
OSCAR_INLINE inline void butterflies(float* v, std::size_t block, std::size_t half) {
    for (std::size_t begin = 0; begin < block; begin += 2 * half) {
        float *const a = v + begin, *const b = a + half;
        OSCAR_INDEPENDENT   // the halves do not overlap
        for (std::size_t i = 0; i < half; ++i) {
            const float sum = a[i] + b[i], difference = a[i] - b[i];
            a[i] = sum;
            b[i] = difference;
        }
    }
}

/// The butterflies of `half` and then of 2 `half`, in one pass over memory.
OSCAR_INLINE inline void two_butterflies(float* v, std::size_t block, std::size_t half) {
    for (std::size_t begin = 0; begin < block; begin += 4 * half) {
        float *const a = v + begin, *const b = a + half, *const c = b + half, *const d = c + half;
        OSCAR_INDEPENDENT   // the quarters do not overlap
        for (std::size_t i = 0; i < half; ++i) {
            const float ab = a[i] + b[i], a_b = a[i] - b[i], cd = c[i] + d[i], c_d = c[i] - d[i];
            a[i] = ab + cd;
            b[i] = a_b + c_d;
            c[i] = ab - cd;
            d[i] = a_b - c_d;
        }
    }
}

constexpr std::size_t lanes = 16;   // elements of a vector register

// GCC's loops over lanes that meet crosswise are three times as slow as this extension, which Clang has too.
using Vector = float __attribute__((vector_size(lanes * sizeof(float))));
using Numbers = std::int32_t __attribute__((vector_size(lanes * sizeof(float))));

/// The butterflies of elements `half` < lanes apart: each lane plus the one it meets, or from that one.
template <std::int32_t half>
OSCAR_INLINE inline void butterflies_in_register(Vector& v) {
    const Numbers lane{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const Vector sign = 1 + 2 * __builtin_convertvector((lane & half) != 0, Vector);   // true is -1
    const Vector met =
        __builtin_shufflevector(v, v, 0 ^ half, 1 ^ half, 2 ^ half, 3 ^ half, 4 ^ half, 5 ^ half, 6 ^ half, 7 ^ half,
                                8 ^ half, 9 ^ half, 10 ^ half, 11 ^ half, 12 ^ half, 13 ^ half, 14 ^ half, 15 ^ half);
    v = met + sign * v;
}

/// One block of at least `lanes` elements.
OSCAR_INLINE inline void transform_large(float* v, std::size_t block) {
    for (float* lane = v; lane < v + block; lane += lanes) {
        Vector vector;
        std::memcpy(&vector, lane, sizeof vector);
        butterflies_in_register<1>(vector);
        butterflies_in_register<2>(vector);
        butterflies_in_register<4>(vector);
        butterflies_in_register<8>(vector);
        std::memcpy(lane, &vector, sizeof vector);
    }
    std::size_t half = lanes;
    for (; 2 * half < block; half *= 4) two_butterflies(v, block, half);
    if (half < block) butterflies(v, block, half);
}

OSCAR_INLINE inline void transform(float* v, std::size_t block, float scale) {
    if (block >= lanes) transform_large(v, block);
    else
        for (std::size_t half = 1; half < block; half *= 2) butterflies(v, block, half);
    for (std::size_t i = 0; i < block; ++i) v[i] *= scale;
}

float orthonormal(std::size_t block) { return static_cast<float>(1 / std::sqrt(static_cast<double>(block))); }

constexpr std::size_t word_bits = 32;

/// Of up to 32 elements, the first of which is the `word`-th times 32 of a vector.
OSCAR_INLINE inline void flip_word(float* v, std::size_t size, std::uint64_t key, std::size_t word) {
    const auto drawn = static_cast<std::uint32_t>(random_at(key, word) >> 32);
    const auto flip = [&](std::size_t i) OSCAR_INLINE {
        const std::uint32_t sign = drawn << (word_bits - 1 - i) & 0x80000000;
        v[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(v[i]) ^ sign);
    };
    if (size == word_bits)
        for (std::size_t i = 0; i < word_bits; ++i) flip(i);
    else
        for (std::size_t i = 0; i < size; ++i) flip(i);
}

/// Of the elements from begin, a multiple of 32, to end.
OSCAR_INLINE inline void flip_part(std::span<float> values, std::size_t begin, std::size_t end, std::uint64_t key) {
    for (std::size_t i = begin; i < end; i += word_bits)
        flip_word(values.data() + i, std::min(word_bits, end - i), key, i / word_bits);
}

/// step(begin, end) for parts of whole blocks and whole words of signs, so that a part is in the cache for all of it.
template <class Step>
OSCAR_INLINE inline void in_parts(std::size_t size, std::size_t block, const Step& step) {
    const std::size_t part = std::max(block, word_bits);
    for (std::size_t begin = 0; begin < size; begin += part) step(begin, std::min(begin + part, size));
}

}   // namespace

void hadamard(std::span<float> values, std::size_t block) {
    const float scale = orthonormal(block);
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::size_t begin = 0; begin < values.size(); begin += block)
            transform(values.data() + begin, block, scale);
    });
}

void flip_signs(std::span<float> values, std::uint64_t key) {
    in_wide_loops([&]() OSCAR_INLINE { flip_part(values, 0, values.size(), key); });
}

void rotate(std::span<float> values, std::size_t block, std::uint64_t key) {
    const float scale = orthonormal(block);
    in_wide_loops([&]() OSCAR_INLINE {
        in_parts(values.size(), block, [&](std::size_t begin, std::size_t end) OSCAR_INLINE {
            flip_part(values, begin, end, key);
            for (std::size_t b = begin; b < end; b += block) transform(values.data() + b, block, scale);
        });
    });
}

void rotate_back(std::span<float> values, std::size_t block, std::uint64_t key) {
    const float scale = orthonormal(block);
    in_wide_loops([&]() OSCAR_INLINE {
        in_parts(values.size(), block, [&](std::size_t begin, std::size_t end) OSCAR_INLINE {
            for (std::size_t b = begin; b < end; b += block) transform(values.data() + b, block, scale);
            flip_part(values, begin, end, key);
        });
    });
}

}   // namespace oscar

#include "models/compress/lossy/hadamard.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/compress/lossy/wide_loops.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

/// Sums and differences of elements `half` apart.
OSCAR_INLINE inline void butterflies(float* v, std::size_t block, std::size_t half) {
    for (std::size_t begin = 0; begin < block; begin += 2 * half)
        for (std::size_t i = begin; i < begin + half; ++i) {
            const float a = v[i], b = v[i + half];
            v[i] = a + b;
            v[i + half] = a - b;
        }
}

constexpr std::size_t side = 16;   // elements of a vector register

OSCAR_INLINE inline void transpose(float* v) {
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < row; ++column) std::swap(v[row * side + column], v[column * side + row]);
}

/// One block of at least side * side: elements closer than `side` meet as rows of transposed squares, for loops as
/// short as their distance could not be vectorised.
OSCAR_INLINE inline void transform_large(float* v, std::size_t block) {
    for (float* square = v; square < v + block; square += side * side) {
        transpose(square);
        for (std::size_t half = side; half < side * side; half *= 2) butterflies(square, side * side, half);
        transpose(square);
    }
    for (std::size_t half = side; half < block; half *= 2) butterflies(v, block, half);
}

}   // namespace

void hadamard(std::span<float> values, std::size_t block) {
    const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(block)));
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::size_t begin = 0; begin < values.size(); begin += block) {
            float* const v = values.data() + begin;
            if (block >= side * side) transform_large(v, block);
            else
                for (std::size_t half = 1; half < block; half *= 2) butterflies(v, block, half);
            for (std::size_t i = 0; i < block; ++i) v[i] *= scale;
        }
    });
}

void flip_signs(std::span<float> values, std::uint64_t key) {
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::size_t begin = 0; begin < values.size(); begin += 32) {
            const auto word = static_cast<std::uint32_t>(random_at(key, begin / 32) >> 32);
            const std::size_t end = std::min(begin + 32, values.size());
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t sign = word << (31 - (i - begin)) & 0x80000000;
                values[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(values[i]) ^ sign);
            }
        }
    });
}

void rotate(std::span<float> values, std::size_t block, std::uint64_t key) {
    flip_signs(values, key);
    hadamard(values, block);
}

void rotate_back(std::span<float> values, std::size_t block, std::uint64_t key) {
    hadamard(values, block);
    flip_signs(values, key);
}

}   // namespace oscar

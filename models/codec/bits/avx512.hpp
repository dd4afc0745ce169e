// Helpers of the AVX-512 kernels. Scalar loops handle the remainder, with identical output.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Target of the functions of these loops; it cannot be a constant, for attributes take literals only.
#define OSCAR_AVX512 [[gnu::target("avx512f,avx512bw,avx512vl,avx512cd,avx512vbmi,popcnt")]]

namespace oscar::avx512 {

/// Lanes of 32 bits in a register.
inline constexpr std::size_t lanes_per_register = 16;

/// True if this host has the instructions that the loops are compiled for.
inline bool available() {
#if defined(__x86_64__)
    static const bool found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                              __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") &&
                              __builtin_cpu_supports("avx512vbmi");
    return found;
#else
    return false;
#endif
}

#if defined(__x86_64__)

/// A number for each row of a table.
using RowWords = std::array<std::uint32_t, lanes_per_register>;

/// The numbers of rows 0 .. 15, in that order.
OSCAR_AVX512 inline __m512i load(const RowWords& words) { return _mm512_loadu_si512(words.data()); }
/// The number of the row in each lane. Precondition: rows are below 16.
OSCAR_AVX512 inline __m512i at(__m512i rows, __m512i words) { return _mm512_permutexvar_epi32(rows, words); }
/// `value` in every lane.
OSCAR_AVX512 inline __m512i all(std::uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); }

/// In each lane the last row whose number, ascending from 0 over the rows, is at most x.
OSCAR_AVX512 inline __m512i last_row_at_most(__m512i x, __m512i words) {
    __m512i row = _mm512_setzero_si512();
    for (std::uint32_t step = lanes_per_register / 2; step > 0; step /= 2) {
        const __m512i upper = _mm512_or_si512(row, all(step));
        row = _mm512_mask_mov_epi32(row, _mm512_cmple_epu32_mask(at(upper, words), x), upper);
    }
    return row;
}

#endif

}   // namespace oscar::avx512

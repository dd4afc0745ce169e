#include "models/codec/learning/magnitude_counts.hpp"

#include "models/codec/bits/avx512.hpp"

#if defined(__x86_64__)

#include <algorithm>

namespace oscar::avx512 {

namespace {

OSCAR_AVX512 inline __m128i rows_of(const std::int32_t* symbols) {
    const __m512i zeros = _mm512_lzcnt_epi32(_mm512_abs_epi32(_mm512_loadu_si512(symbols)));
    return _mm512_cvtepi32_epi8(_mm512_sub_epi32(all(32), zeros));
}

// Of 64 symbols, a byte each.
OSCAR_AVX512 inline __m512i rows_of_64(const std::int32_t* symbols) {
    __m512i rows = _mm512_castsi128_si512(rows_of(symbols));
    rows = _mm512_inserti32x4(rows, rows_of(symbols + lanes_per_register), 1);
    rows = _mm512_inserti32x4(rows, rows_of(symbols + 2 * lanes_per_register), 2);
    return _mm512_inserti32x4(rows, rows_of(symbols + 3 * lanes_per_register), 3);
}

}   // namespace

OSCAR_AVX512 void count_magnitudes(const std::int32_t* symbols, std::size_t size, std::uint64_t* counts) {
    constexpr std::size_t until_full = 255 * symbols_per_step;   // each lane counts in a byte
    for (std::size_t first = 0; first < size; first += until_full) {
        __m512i found[table_rows] = {};
        for (std::size_t i = first; i < std::min(size, first + until_full); i += symbols_per_step) {
            const __m512i rows = rows_of_64(symbols + i);
#pragma GCC unroll 16
            for (std::size_t row = 0; row < table_rows; ++row)   // minus the -1 of those that are equal
                found[row] = _mm512_sub_epi8(found[row], _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(
                                                             rows, _mm512_set1_epi8(static_cast<char>(row)))));
        }
        for (std::size_t row = 0; row < table_rows; ++row)
            counts[row] += static_cast<std::uint64_t>(
                _mm512_reduce_add_epi64(_mm512_sad_epu8(found[row], _mm512_setzero_si512())));
    }
}

}   // namespace oscar::avx512

#else

namespace oscar::avx512 {

void count_magnitudes(const std::int32_t*, std::size_t, std::uint64_t*) {}

}   // namespace oscar::avx512

#endif

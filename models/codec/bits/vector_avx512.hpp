// Sixteen unsigned integers of 32 bits in an AVX-512 register; vector.hpp describes the operations.
#pragma once

#include "models/codec/bits/avx512.hpp"

#if defined(__x86_64__)

namespace oscar::avx512 {

struct Vector {
    __m512i words;
};
/// A condition for each element.
struct Mask {
    __mmask16 elements;
};
/// A number for each of 16 rows.
struct RowTable {
    __m512i words;
};

/// `value` in every element.
OSCAR_AVX512 inline Vector every(std::uint32_t value) { return {all(value)}; }
/// 0, 1, 2, ... in the order of the elements.
OSCAR_AVX512 inline Vector ascending() {
    return {_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)};
}
/// Loads 16 words, at any alignment.
OSCAR_AVX512 inline Vector load(const std::uint32_t* words) { return {_mm512_loadu_si512(words)}; }
/// Stores 16 words, at any alignment.
OSCAR_AVX512 inline void store(std::uint32_t* words, Vector v) { _mm512_storeu_si512(words, v.words); }
/// Loads the numbers of rows 0 .. 15, at any alignment.
OSCAR_AVX512 inline RowTable load_rows(const std::uint32_t* words) { return {_mm512_loadu_si512(words)}; }

OSCAR_AVX512 inline Vector operator+(Vector a, Vector b) { return {_mm512_add_epi32(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator-(Vector a, Vector b) { return {_mm512_sub_epi32(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator*(Vector a, Vector b) { return {_mm512_mullo_epi32(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator&(Vector a, Vector b) { return {_mm512_and_si512(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator|(Vector a, Vector b) { return {_mm512_or_si512(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator^(Vector a, Vector b) { return {_mm512_xor_si512(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator~(Vector a) { return {_mm512_xor_si512(a.words, _mm512_set1_epi32(-1))}; }
OSCAR_AVX512 inline Vector operator<<(Vector a, Vector b) { return {_mm512_sllv_epi32(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator>>(Vector a, Vector b) { return {_mm512_srlv_epi32(a.words, b.words)}; }
OSCAR_AVX512 inline Vector operator<<(Vector a, unsigned n) { return {_mm512_slli_epi32(a.words, n)}; }
OSCAR_AVX512 inline Vector operator>>(Vector a, unsigned n) { return {_mm512_srli_epi32(a.words, n)}; }
/// Shifts each element right by n as a signed integer: copies of the sign enter.
OSCAR_AVX512 inline Vector shift_signed(Vector a, std::int32_t n) {
    return {_mm512_sra_epi32(a.words, _mm_cvtsi32_si128(n))};
}
/// The lowest `width` bits of each element as a signed integer, 1 <= width <= 32.
OSCAR_AVX512 inline Vector sign_extend(Vector a, std::uint32_t width) {
    const __m128i unused = _mm_cvtsi32_si128(static_cast<int>(32 - width));
    return {_mm512_sra_epi32(_mm512_sll_epi32(a.words, unused), unused)};
}
/// |a| of signed elements; the lowest int32 gives 2^31.
OSCAR_AVX512 inline Vector magnitude(Vector a) { return {_mm512_abs_epi32(a.words)}; }
/// The smaller of each pair, unsigned.
OSCAR_AVX512 inline Vector lesser(Vector a, Vector b) { return {_mm512_min_epu32(a.words, b.words)}; }
/// Leading zeros of each element; 32 for zero.
OSCAR_AVX512 inline Vector leading_zeros(Vector a) { return {_mm512_lzcnt_epi32(a.words)}; }
/// Reverses the four bytes of each element.
OSCAR_AVX512 inline Vector byte_swap(Vector a) {
    return {_mm512_shuffle_epi8(a.words, _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203))};
}

OSCAR_AVX512 inline Mask operator<=(Vector a, Vector b) { return {_mm512_cmple_epu32_mask(a.words, b.words)}; }
OSCAR_AVX512 inline Mask operator<(Vector a, Vector b) { return {_mm512_cmplt_epu32_mask(a.words, b.words)}; }
/// True where a & b is not zero.
OSCAR_AVX512 inline Mask has_any(Vector a, Vector b) { return {_mm512_test_epi32_mask(a.words, b.words)}; }
/// True where the highest bit is 0.
OSCAR_AVX512 inline Mask nonnegative(Vector a) { return {_mm512_cmpge_epi32_mask(a.words, _mm512_setzero_si512())}; }
OSCAR_AVX512 inline Mask operator&(Mask a, Mask b) { return {static_cast<__mmask16>(a.elements & b.elements)}; }
OSCAR_AVX512 inline Mask operator|(Mask a, Mask b) { return {static_cast<__mmask16>(a.elements | b.elements)}; }
/// True if the mask holds for at least one element.
OSCAR_AVX512 inline bool any(Mask mask) { return mask.elements != 0; }
/// Returns element i at bit i.
OSCAR_AVX512 inline std::uint32_t bits_of(Mask mask) { return mask.elements; }
/// Selects the elements before `size`.
OSCAR_AVX512 inline Mask first_elements(std::size_t size) {
    return {static_cast<__mmask16>(size < lanes_per_register ? (1u << size) - 1 : 0xFFFFu)};
}
/// `yes` where the mask holds, `no` elsewhere.
OSCAR_AVX512 inline Vector select(Mask mask, Vector yes, Vector no) {
    return {_mm512_mask_mov_epi32(no.words, mask.elements, yes.words)};
}
/// `a` where the mask holds, 0 elsewhere.
OSCAR_AVX512 inline Vector only(Mask mask, Vector a) { return {_mm512_maskz_mov_epi32(mask.elements, a.words)}; }

/// Loads the words of masked elements; the others are 0, and their memory is not read.
OSCAR_AVX512 inline Vector load(Mask mask, const std::int32_t* words) {
    return {_mm512_maskz_loadu_epi32(mask.elements, words)};
}
/// Stores masked elements; the memory of the others is not written.
OSCAR_AVX512 inline void store(Mask mask, std::int32_t* words, Vector v) {
    _mm512_mask_storeu_epi32(words, mask.elements, v.words);
}
/// Element i is bytes[i] where the mask holds, 0 elsewhere; other bytes are not read.
OSCAR_AVX512 inline Vector load_bytes(Mask mask, const std::uint8_t* bytes) {
    return {_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask.elements, bytes))};
}
/// Element i is words[index[i]]; indices are signed.
OSCAR_AVX512 inline Vector gather(const std::int32_t* words, Vector index) {
    return {_mm512_i32gather_epi32(index.words, words, 4)};
}
/// Element i is the 32 bits from byte index[i] on, little endian, at any alignment.
OSCAR_AVX512 inline Vector gather_at_bytes(const std::byte* bytes, Vector index) {
    return {_mm512_i32gather_epi32(index.words, bytes, 1)};
}
/// words[index[i]] = v[i] for masked elements, in ascending order of i.
OSCAR_AVX512 inline void scatter(Mask mask, std::uint32_t* words, Vector index, Vector v) {
    _mm512_mask_i32scatter_epi32(words, mask.elements, index.words, v.words, 4);
}
/// Element i is the number of row rows[i]. Precondition: rows are below 16.
OSCAR_AVX512 inline Vector at(RowTable table, Vector rows) {
    return {_mm512_permutexvar_epi32(rows.words, table.words)};
}

/// Returns numerator / denominator or one less. Precondition: both are at least 1, the quotient is below 1024. rcp14
/// has a relative error of at most 2^-14; the factor 1 - 2^-13 makes the product too small, by less than one, never too
/// large.
OSCAR_AVX512 inline Vector rough_quotient(Vector numerator, Vector denominator) {
    const __m512 smaller = _mm512_mul_ps(_mm512_cvtepi32_ps(numerator.words), _mm512_set1_ps(1.0f - 0x1p-13f));
    const __m512 reciprocal = _mm512_rcp14_ps(_mm512_cvtepi32_ps(denominator.words));
    return {_mm512_cvttps_epi32(_mm512_mul_ps(smaller, reciprocal))};
}

}   // namespace oscar::avx512

#endif

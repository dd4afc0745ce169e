// Eight unsigned integers of 32 bits in an AVX2 register; vector.hpp describes the operations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)

#include <immintrin.h>

/// Target of the functions that use these vectors.
#define OSCAR_AVX2 [[gnu::target("avx2")]]

namespace oscar::avx2 {

/// Lanes of 32 bits in a register.
inline constexpr std::size_t lanes_per_register = 8;

struct Vector {
    __m256i words;
};
/// A condition for each element, in all of its bits.
struct Mask {
    __m256i elements;
};
/// A number for each of 16 rows.
struct RowTable {
    __m256i lower, upper;
};

/// `value` in every element.
OSCAR_AVX2 inline Vector every(std::uint32_t value) { return {_mm256_set1_epi32(static_cast<int>(value))}; }
/// 0, 1, 2, ... in the order of the elements.
OSCAR_AVX2 inline Vector ascending() { return {_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)}; }
/// Loads 8 words, at any alignment.
OSCAR_AVX2 inline Vector load(const std::uint32_t* words) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words))};
}
/// Stores 8 words, at any alignment.
OSCAR_AVX2 inline void store(std::uint32_t* words, Vector v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), v.words);
}
/// Loads the numbers of rows 0 .. 15, at any alignment.
OSCAR_AVX2 inline RowTable load_rows(const std::uint32_t* words) {
    return {load(words).words, load(words + lanes_per_register).words};
}

OSCAR_AVX2 inline Vector operator+(Vector a, Vector b) { return {_mm256_add_epi32(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator-(Vector a, Vector b) { return {_mm256_sub_epi32(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator*(Vector a, Vector b) { return {_mm256_mullo_epi32(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator&(Vector a, Vector b) { return {_mm256_and_si256(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator|(Vector a, Vector b) { return {_mm256_or_si256(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator^(Vector a, Vector b) { return {_mm256_xor_si256(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator~(Vector a) { return {_mm256_xor_si256(a.words, _mm256_set1_epi32(-1))}; }
OSCAR_AVX2 inline Vector operator<<(Vector a, Vector b) { return {_mm256_sllv_epi32(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator>>(Vector a, Vector b) { return {_mm256_srlv_epi32(a.words, b.words)}; }
OSCAR_AVX2 inline Vector operator<<(Vector a, unsigned n) {
    return {_mm256_sll_epi32(a.words, _mm_cvtsi32_si128(static_cast<int>(n)))};
}
OSCAR_AVX2 inline Vector operator>>(Vector a, unsigned n) {
    return {_mm256_srl_epi32(a.words, _mm_cvtsi32_si128(static_cast<int>(n)))};
}
/// Shifts each element right by n as a signed integer: copies of the sign enter.
OSCAR_AVX2 inline Vector shift_signed(Vector a, std::int32_t n) {
    return {_mm256_sra_epi32(a.words, _mm_cvtsi32_si128(n))};
}
/// The lowest `width` bits of each element as a signed integer, 1 <= width <= 32.
OSCAR_AVX2 inline Vector sign_extend(Vector a, std::uint32_t width) {
    const __m128i unused = _mm_cvtsi32_si128(static_cast<int>(32 - width));
    return {_mm256_sra_epi32(_mm256_sll_epi32(a.words, unused), unused)};
}
/// |a| of signed elements; the lowest int32 gives 2^31.
OSCAR_AVX2 inline Vector magnitude(Vector a) { return {_mm256_abs_epi32(a.words)}; }
/// The smaller of each pair, unsigned.
OSCAR_AVX2 inline Vector lesser(Vector a, Vector b) { return {_mm256_min_epu32(a.words, b.words)}; }
/// Leading zeros of each element, from the exponent of a float. With the bit after the leading one cleared, rounding
/// does not reach the next power of two. The exponent of zero would give more than 32, and that of a number with the
/// highest bit set, which is a sign there, less than 0: both are clamped.
OSCAR_AVX2 inline Vector leading_zeros(Vector a) {
    const __m256 number = _mm256_cvtepi32_ps(_mm256_andnot_si256(_mm256_srli_epi32(a.words, 1), a.words));
    const __m256i zeros =
        _mm256_sub_epi32(_mm256_set1_epi32(127 + 31), _mm256_srli_epi32(_mm256_castps_si256(number), 23));
    return {_mm256_max_epi32(_mm256_min_epi32(zeros, _mm256_set1_epi32(32)), _mm256_setzero_si256())};
}
/// Reverses the four bytes of each element.
OSCAR_AVX2 inline Vector byte_swap(Vector a) {
    const __m256i order = _mm256_setr_epi32(0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F,   //
                                            0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F);
    return {_mm256_shuffle_epi8(a.words, order)};
}

OSCAR_AVX2 inline Mask operator<=(Vector a, Vector b) { return {_mm256_cmpeq_epi32(lesser(a, b).words, a.words)}; }
OSCAR_AVX2 inline Mask operator<(Vector a, Vector b) { return {(~Vector{(b <= a).elements}).words}; }
/// True where a & b is not zero.
OSCAR_AVX2 inline Mask has_any(Vector a, Vector b) {
    return {(~Vector{_mm256_cmpeq_epi32((a & b).words, _mm256_setzero_si256())}).words};
}
/// True where the highest bit is 0.
OSCAR_AVX2 inline Mask nonnegative(Vector a) { return {_mm256_cmpgt_epi32(a.words, _mm256_set1_epi32(-1))}; }
OSCAR_AVX2 inline Mask operator&(Mask a, Mask b) { return {_mm256_and_si256(a.elements, b.elements)}; }
OSCAR_AVX2 inline Mask operator|(Mask a, Mask b) { return {_mm256_or_si256(a.elements, b.elements)}; }
/// True if the mask holds for at least one element.
OSCAR_AVX2 inline bool any(Mask mask) { return _mm256_testz_si256(mask.elements, mask.elements) == 0; }
/// Returns element i at bit i.
OSCAR_AVX2 inline std::uint32_t bits_of(Mask mask) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(mask.elements)));
}
/// Selects the elements before `size`.
OSCAR_AVX2 inline Mask first_elements(std::size_t size) {
    const auto end = static_cast<std::uint32_t>(size < lanes_per_register ? size : lanes_per_register);
    return {_mm256_cmpgt_epi32(every(end).words, ascending().words)};
}
/// `yes` where the mask holds, `no` elsewhere.
OSCAR_AVX2 inline Vector select(Mask mask, Vector yes, Vector no) {
    return {_mm256_blendv_epi8(no.words, yes.words, mask.elements)};
}
/// `a` where the mask holds, 0 elsewhere.
OSCAR_AVX2 inline Vector only(Mask mask, Vector a) { return {_mm256_and_si256(mask.elements, a.words)}; }

/// Loads the words of masked elements; the others are 0, and their memory is not read.
OSCAR_AVX2 inline Vector load(Mask mask, const std::int32_t* words) {
    return {_mm256_maskload_epi32(words, mask.elements)};
}
/// Stores masked elements; the memory of the others is not written.
OSCAR_AVX2 inline void store(Mask mask, std::int32_t* words, Vector v) {
    _mm256_maskstore_epi32(words, mask.elements, v.words);
}
/// Element i is bytes[i] below the number of masked elements, 0 beyond. Precondition: the masked elements are the first
/// ones.
OSCAR_AVX2 inline Vector load_bytes(Mask mask, const std::uint8_t* bytes) {
    std::uint64_t held = 0;
    std::memcpy(&held, bytes, static_cast<std::size_t>(__builtin_popcount(bits_of(mask))));
    return {_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(held)))};
}
/// Element i is words[index[i]]; indices are signed.
OSCAR_AVX2 inline Vector gather(const std::int32_t* words, Vector index) {
    return {_mm256_i32gather_epi32(words, index.words, 4)};
}
/// Element i is the 32 bits from byte index[i] on, little endian, at any alignment.
OSCAR_AVX2 inline Vector gather_at_bytes(const std::byte* bytes, Vector index) {
    return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(bytes), index.words, 1)};
}
/// words[index[i]] = v[i] for masked elements, in ascending order of i.
OSCAR_AVX2 inline void scatter(Mask mask, std::uint32_t* words, Vector index, Vector v) {
    std::uint32_t elements = bits_of(mask);
    if (elements == 0) return;
    std::array<std::uint32_t, lanes_per_register> places{}, given{};
    store(places.data(), index);
    store(given.data(), v);
    for (; elements != 0; elements &= elements - 1) {
        const auto i = static_cast<std::size_t>(__builtin_ctz(elements));
        words[places[i]] = given[i];
    }
}
/// Element i is the number of row rows[i]. Precondition: rows are below 16.
OSCAR_AVX2 inline Vector at(RowTable table, Vector rows) {
    const __m256i lower = _mm256_permutevar8x32_epi32(table.lower, rows.words),
                  upper = _mm256_permutevar8x32_epi32(table.upper, rows.words);
    const __m256i above_7 = _mm256_slli_epi32(rows.words, 28);   // bit 3 as the sign
    return {_mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(lower), _mm256_castsi256_ps(upper), _mm256_castsi256_ps(above_7)))};
}

/// Returns numerator / denominator or one less. Precondition: both are at least 1, the quotient is below 1024. rcp has
/// a relative error of at most 1.5 * 2^-12; the factor 1 - 2^-11 makes the product too small, by less than one, never
/// too large.
OSCAR_AVX2 inline Vector rough_quotient(Vector numerator, Vector denominator) {
    const __m256 smaller = _mm256_mul_ps(_mm256_cvtepi32_ps(numerator.words), _mm256_set1_ps(1.0f - 0x1p-11f));
    const __m256 reciprocal = _mm256_rcp_ps(_mm256_cvtepi32_ps(denominator.words));
    return {_mm256_cvttps_epi32(_mm256_mul_ps(smaller, reciprocal))};
}

}   // namespace oscar::avx2

#endif

#include "models/codec/entropy/rans_vector.hpp"

#include "models/codec/bits/avx512.hpp"
#include "models/codec/entropy/rans_rows.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <bit>

namespace oscar::avx512 {

namespace {

// A column for each thing that is asked of a row.
struct RowColumns {
    RowWords start{}, count{}, factor{}, shift{};

    explicit RowColumns(const Cumulative& cumulative) {
        for (std::size_t row = 0; row < table_rows; ++row) {
            start[row] = cumulative[row];
            count[row] = std::uint32_t{cumulative[row + 1]} - cumulative[row];
            const Reciprocal reciprocal(std::max(1u, count[row]));   // a decoder's table may have rows without counts
            factor[row] = reciprocal.factor;
            shift[row] = reciprocal.shift;
        }
    }
};

// Reciprocal::divide(): the products of even and odd lanes apart, the upper halves together.
OSCAR_AVX512 inline __m512i divide(__m512i x, __m512i factor, __m512i shift) {
    const __m512i twice = _mm512_slli_epi32(x, 1);
    const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(twice, factor), 32);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(twice, 32), _mm512_srli_epi64(factor, 32));
    return _mm512_srlv_epi32(_mm512_mask_blend_epi32(0xAAAA, even, odd), shift);
}

}   // namespace

OSCAR_AVX512 void encode_rounds(const std::uint8_t* rows, std::size_t rounds, std::size_t lanes,
                                const Cumulative& cumulative, std::uint32_t* states, std::uint16_t*& top) {
    const RowColumns table(cumulative);
    const __m512i start = load(table.start), count = load(table.count), factor = load(table.factor),
                  shift = load(table.shift), total = all(probability_total);
    std::uint16_t* place = top;
    for (std::size_t i = rounds * lanes; i > 0;)
        for (std::size_t lane = lanes; lane > 0;) {
            i -= lanes_per_register;
            lane -= lanes_per_register;
            const __m512i row = _mm512_cvtepu8_epi32(_mm_loadu_epi8(rows + i));
            const __m512i counts = at(row, count), x = _mm512_loadu_si512(states + lane);
            const __mmask16 full = _mm512_cmpge_epu32_mask(x, _mm512_slli_epi32(counts, 31 - probability_bits));
            const auto given = static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(full)));
            place -= given;
            _mm256_mask_storeu_epi16(place + 1, static_cast<__mmask16>((1u << given) - 1),
                                     _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(full, x)));
            const __m512i kept = _mm512_mask_srli_epi32(x, full, x, 16);
            const __m512i quotient = divide(kept, at(row, factor), at(row, shift));
            const __m512i moved = _mm512_mullo_epi32(quotient, _mm512_sub_epi32(total, counts));
            _mm512_storeu_si512(states + lane, _mm512_add_epi32(_mm512_add_epi32(kept, at(row, start)), moved));
        }
    top = place;
}

OSCAR_AVX512 void decode_rounds(std::uint8_t* rows, std::size_t rounds, std::size_t lanes, const Cumulative& cumulative,
                                std::uint32_t* states, const std::uint16_t*& next, const std::uint16_t* end) {
    const RowColumns table(cumulative);
    const __m512i start = load(table.start), count = load(table.count), total = all(cumulative.back());
    const std::uint16_t* place = next;
    for (std::size_t round = 0; round < rounds && place <= end; ++round)
        for (std::size_t lane = 0; lane < lanes; lane += lanes_per_register) {
            const __m512i old = _mm512_loadu_si512(states + lane);
            const __m512i slot = _mm512_and_si512(old, all(probability_total - 1)), row = last_row_at_most(slot, start);
            const __m512i scaled = _mm512_mullo_epi32(at(row, count), _mm512_srli_epi32(old, probability_bits));
            const __m512i within = _mm512_sub_epi32(slot, at(row, start));
            const __mmask16 valid = _mm512_cmplt_epu32_mask(slot, total);   // a slot of no row leads to row 0, state 0
            const __m512i x = _mm512_maskz_add_epi32(valid, scaled, within);
            const __mmask16 empty = _mm512_cmplt_epu32_mask(x, all(rans_floor));
            const __m512i words = _mm512_maskz_expand_epi32(empty, _mm512_cvtepu16_epi32(_mm256_loadu_epi16(place)));
            place += std::popcount(static_cast<std::uint32_t>(empty));
            _mm512_storeu_si512(states + lane, _mm512_or_si512(_mm512_mask_slli_epi32(x, empty, x, 16), words));
            _mm_storeu_epi8(rows, _mm512_maskz_cvtepi32_epi8(valid, row));
            rows += lanes_per_register;
        }
    next = place;
}

}   // namespace oscar::avx512

#else

namespace oscar::avx512 {

void encode_rounds(const std::uint8_t*, std::size_t, std::size_t, const Cumulative&, std::uint32_t*, std::uint16_t*&) {}
void decode_rounds(std::uint8_t*, std::size_t, std::size_t, const Cumulative&, std::uint32_t*, const std::uint16_t*&,
                   const std::uint16_t*) {}

}   // namespace oscar::avx512

#endif

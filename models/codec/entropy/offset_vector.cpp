#include "models/codec/entropy/offset_vector.hpp"

#include <algorithm>

#include "models/codec/bits/avx512.hpp"

namespace oscar::avx512 {

bool handles_offsets(const Table& table) {
    constexpr std::uint32_t longest = 14;   // 4 of them are the 56 bits of a put
    // Rows that no legal symbol falls into are longer than that, but below 25 bits: their symbols are found illegal.
    return table.layout == Layout::magnitude ? table.width - 1 <= longest
                                             : *std::ranges::max_element(table.offset_bits) <= longest;
}

}   // namespace oscar::avx512

#if defined(__x86_64__)

#include <array>

namespace oscar::avx512 {

namespace {

// A column for each thing that is asked of a row.
struct OffsetColumns {
    RowWords first{}, last{}, bits{}, half{};
    std::uint32_t width;

    explicit OffsetColumns(const Table& table) : first(table.first), width(table.width) {
        for (std::size_t row = 0; row < table_rows; ++row) {
            bits[row] = table.offset_bits[row];
            half[row] = 1u << row >> 1;
            last[row] = (row + 1 < table_rows ? table.first[row + 1] : 1u << width) - 1;
        }
    }
};

// Table::locate() of layout magnitude and of layout ranges.
struct Places {
    __m512i row, offset;
};
OSCAR_AVX512 inline Places locate_magnitudes(__m512i symbols) {
    const __m512i size = _mm512_abs_epi32(symbols);
    const __m512i row = _mm512_sub_epi32(all(32), _mm512_lzcnt_epi32(size));
    const __m512i half = _mm512_srli_epi32(_mm512_sllv_epi32(all(1), row), 1);
    return {row, _mm512_mask_xor_epi32(size, _mm512_cmpge_epi32_mask(symbols, all(0)), size, half)};
}
OSCAR_AVX512 inline Places locate_ranges(__m512i symbols, __m512i first, __m512i patterns) {
    const __m512i pattern = _mm512_and_si512(symbols, patterns);
    const __m512i row = last_row_at_most(pattern, first);
    return {row, _mm512_sub_epi32(pattern, at(row, first))};
}

// 16 offsets one after the other, 4 to a word: words 0, 2, 4 and 6 of each.
struct Quads {
    __m512i value, bits;
};
OSCAR_AVX512 inline Quads join(__m512i offset, __m512i bits) {
    const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
    const __m512i second_bits = _mm512_srli_epi64(bits, 32);
    const __m512i pair =
        _mm512_or_si512(_mm512_sllv_epi64(_mm512_and_si512(offset, low), second_bits), _mm512_srli_epi64(offset, 32));
    const __m512i pair_bits = _mm512_add_epi64(_mm512_and_si512(bits, low), second_bits);
    const __m512i next_bits = _mm512_unpackhi_epi64(pair_bits, pair_bits);
    return {_mm512_or_si512(_mm512_sllv_epi64(pair, next_bits), _mm512_unpackhi_epi64(pair, pair)),
            _mm512_add_epi64(pair_bits, next_bits)};
}

// Sums of each lane and those before it.
OSCAR_AVX512 inline __m512i running_sum(__m512i x) {
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

// In each lane the 32 bits at bit `place` of a register of bytes, of which the first 25 at least are right.
OSCAR_AVX512 inline __m512i bits_at(__m512i bytes, __m512i place) {
    const __m512i spread = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0x00000000);
    const __m512i index = _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi32(place, 3), spread), all(0x00010203));
    return _mm512_sllv_epi32(_mm512_permutexvar_epi8(index, bytes), _mm512_and_si512(place, all(7)));
}

}   // namespace

OSCAR_AVX512 void locate(const std::int32_t* symbols, std::size_t size, const Table& table, std::uint8_t* rows,
                         WordWriter& given) {
    const OffsetColumns words(table);
    const __m512i first = load(words.first), bits = load(words.bits), patterns = all(low_mask(table.width));
    const bool magnitudes = table.layout == Layout::magnitude;
    WordWriter writer = given;   // so that its state is in registers
    alignas(64) std::array<std::uint64_t, 8> values_of{}, bits_of{};
    for (std::size_t i = 0; i < size; i += lanes_per_register) {
        const __m512i v = _mm512_loadu_si512(symbols + i);
        const auto [row, offset] = magnitudes ? locate_magnitudes(v) : locate_ranges(v, first, patterns);
        _mm_storeu_epi8(rows + i, _mm512_cvtepi32_epi8(row));
        const Quads quads = join(offset, at(row, bits));
        _mm512_store_si512(values_of.data(), quads.value);
        _mm512_store_si512(bits_of.data(), quads.bits);
        for (std::size_t word = 0; word < 8; word += 2)
            writer.put(values_of[word], static_cast<std::uint32_t>(bits_of[word]));
    }
    given = writer;
}

OSCAR_AVX512 void read_offsets(const std::byte* bytes, std::uint64_t limit, const std::uint8_t* rows, std::size_t size,
                               const Table& table, std::int32_t* out, OffsetsRead& found) {
    const OffsetColumns words(table);
    const __m512i first = load(words.first), last = load(words.last), lengths = load(words.bits),
                  halves = load(words.half);
    const __m128i unused = _mm_cvtsi32_si128(static_cast<int>(32 - table.width));
    const bool by_magnitude = table.layout == Layout::magnitude;
    __m512i magnitudes = all(0);
    __mmask16 illegal = 0;
    std::uint64_t bits = found.bits;
    for (std::size_t i = 0; i < size && bits <= limit; i += lanes_per_register) {
        const __m512i row = _mm512_cvtepu8_epi32(_mm_loadu_epi8(rows + i)), length = at(row, lengths);
        const __m512i ends = running_sum(length);
        const __m512i place =
            _mm512_add_epi32(_mm512_sub_epi32(ends, length), all(static_cast<std::uint32_t>(bits % 8)));
        const __m512i offset =
            _mm512_srlv_epi32(bits_at(_mm512_loadu_si512(bytes + bits / 8), place), _mm512_sub_epi32(all(32), length));
        bits += static_cast<std::uint32_t>(_mm_extract_epi32(_mm512_extracti32x4_epi32(ends, 3), 3));
        __m512i symbol = all(0);
        if (by_magnitude) {
            const __m512i half = at(row, halves), size_of = _mm512_or_si512(offset, half);
            symbol = _mm512_mask_sub_epi32(size_of, _mm512_test_epi32_mask(offset, half), all(0), size_of);
        } else {
            const __m512i pattern = _mm512_add_epi32(offset, at(row, first));
            illegal |= _mm512_cmpgt_epu32_mask(pattern, at(row, last));
            symbol = _mm512_sra_epi32(_mm512_sll_epi32(pattern, unused), unused);
        }
        magnitudes = _mm512_or_si512(magnitudes, _mm512_abs_epi32(symbol));
        _mm512_storeu_si512(out + i, symbol);
    }
    found.bits = bits;
    found.magnitudes |= static_cast<std::uint32_t>(_mm512_reduce_or_epi32(magnitudes));
    found.legal &= illegal == 0;
}

}   // namespace oscar::avx512

#else

namespace oscar::avx512 {

void locate(const std::int32_t*, std::size_t, const Table&, std::uint8_t*, WordWriter&) {}
void read_offsets(const std::byte*, std::uint64_t, const std::uint8_t*, std::size_t, const Table&, std::int32_t*,
                  OffsetsRead&) {}

}   // namespace oscar::avx512

#endif

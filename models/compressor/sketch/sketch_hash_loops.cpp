#include "models/compressor/sketch/sketch_hash_loops.hpp"

namespace oscar {
namespace hashing {
namespace {

// a * x + b modulo the prime, for numbers below it.
std::uint64_t multiply_add(std::uint64_t a, std::uint64_t x, std::uint64_t b) { return (a * x + b) % prime; }

std::uint64_t sign_at(const SketchHash::Polynomials& row, std::uint64_t token) {
    std::uint64_t value = 0;
    for (const std::uint32_t coefficient : row.sign) value = multiply_add(value, token, coefficient);
    return value;
}

std::uint64_t column_at(const SketchHash::Polynomials& row, std::uint64_t token) {
    return multiply_add(row.column[0], token, row.column[1]);
}

}   // namespace

void hash_block(const Block& block, std::uint64_t first, std::size_t size, std::uint32_t* columns,
                std::uint32_t* negative) {
    for (std::size_t j = 0; j < size; ++j) {
        const std::uint64_t token = (first + j) % prime;
        const auto column =
            static_cast<std::uint32_t>((column_at(block.row, token) * block.columns) >> 31) + block.offset;
        columns[j] = column >= block.columns ? column - block.columns : column;
        negative[j] = static_cast<std::uint32_t>(sign_at(block.row, token) & 1) ^ block.negative;
    }
}

#if defined(__x86_64__)

namespace avx512 {

using namespace oscar::avx512;   // the vectors

namespace {

using Lanes = std::uint32_t[lanes_per_register];

std::uint32_t difference(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + prime - b) % prime);
}

/// Polynomials at tokens that are `lanes_per_register` apart, lane by lane, by their differences: from one token to the
/// next, a cubic takes three additions. All are residues.
struct Progress {
    Lanes column, sign, first_difference, second_difference;
    std::uint32_t column_difference, third_difference;
};

Progress progress_from(const SketchHash::Polynomials& row, std::uint64_t first) {
    Progress from{};
    for (std::size_t lane = 0; lane < lanes_per_register; ++lane) {
        std::uint64_t column[2], sign[4];
        for (std::size_t step = 0; step < 2; ++step)
            column[step] = hashing::column_at(row, (first + lane + step * lanes_per_register) % prime);
        for (std::size_t step = 0; step < 4; ++step)
            sign[step] = hashing::sign_at(row, (first + lane + step * lanes_per_register) % prime);
        const std::uint32_t d0 = difference(sign[1], sign[0]), d1 = difference(sign[2], sign[1]),
                            d2 = difference(sign[3], sign[2]);
        from.column[lane] = static_cast<std::uint32_t>(column[0]);
        from.sign[lane] = static_cast<std::uint32_t>(sign[0]);
        from.first_difference[lane] = d0;
        from.second_difference[lane] = difference(d1, d0);
        from.column_difference = difference(column[1], column[0]);
        from.third_difference = difference(difference(d2, d1), difference(d1, d0));
    }
    return from;
}

// Sum of residues as a residue: where a + b is below the prime, a + b - prime wraps to more.
OSCAR_AVX512 inline __m512i residue_sum(__m512i a, __m512i b) {
    const __m512i sum = _mm512_add_epi32(a, b);
    return _mm512_min_epu32(sum, _mm512_sub_epi32(sum, all(prime)));
}

// x * factor / 2^31 in each lane.
OSCAR_AVX512 inline __m512i share_of(__m512i x, __m512i factor) {
    const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(x, factor), 31);
    const __m512i odd = _mm512_slli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(x, 32), factor), 1);
    return _mm512_mask_mov_epi32(even, 0xaaaa, odd);
}

OSCAR_AVX512 std::size_t hash_whole_registers(const Block& block, const Progress& from, std::size_t size,
                                              std::uint32_t* columns, std::uint32_t* negative) {
    __m512i column = _mm512_loadu_si512(from.column), sign = _mm512_loadu_si512(from.sign);
    __m512i d1 = _mm512_loadu_si512(from.first_difference), d2 = _mm512_loadu_si512(from.second_difference);
    const __m512i d3 = all(from.third_difference), slope = all(from.column_difference), count = all(block.columns);
    std::size_t j = 0;
    for (; j + lanes_per_register <= size; j += lanes_per_register) {
        const __m512i found = _mm512_add_epi32(share_of(column, count), all(block.offset));
        _mm512_storeu_si512(columns + j, _mm512_min_epu32(found, _mm512_sub_epi32(found, count)));
        _mm512_storeu_si512(negative + j, _mm512_xor_si512(_mm512_and_si512(sign, all(1)), all(block.negative)));
        column = residue_sum(column, slope);
        sign = residue_sum(sign, d1);
        d1 = residue_sum(d1, d2);
        d2 = residue_sum(d2, d3);
    }
    return j;
}

}   // namespace

void hash_block(const Block& block, std::uint64_t first, std::size_t size, std::uint32_t* columns,
                std::uint32_t* negative) {
    constexpr std::size_t worth_it = 8 * lanes_per_register;   // elements that pay for the start of 16 progressions
    const std::size_t done =
        size < worth_it ? 0 : hash_whole_registers(block, progress_from(block.row, first), size, columns, negative);
    hashing::hash_block(block, first + done, size - done, columns + done, negative + done);
}

}   // namespace avx512

#else

namespace avx512 {

void hash_block(const Block& block, std::uint64_t first, std::size_t size, std::uint32_t* columns,
                std::uint32_t* negative) {
    hashing::hash_block(block, first, size, columns, negative);
}

}   // namespace avx512

#endif

}   // namespace hashing
}   // namespace oscar

// AVX-512 kernel that splits 16 symbols into rows and offsets and joins them again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/codec/bits/word_stream.hpp"
#include "models/codec/table/table.hpp"

namespace oscar::avx512 {

/// True if these loops can handle the table: the offsets of 4 legal symbols have to fit one put.
bool handles_offsets(const Table& table);

/// Takes symbols 0 .. size - 1 apart: their rows, and their offsets one after the other.
/// Precondition: available(), handles_offsets(), size is a multiple of `lanes_per_register`, the table can code the
/// symbols.
void locate(const std::int32_t* symbols, std::size_t size, const Table& table, std::uint8_t* rows, WordWriter& writer);

/// Bytes that may be loaded beyond the offsets.
inline constexpr std::size_t offsets_ahead = 128;

/// Findings of read_offsets().
struct OffsetsRead {
    std::uint64_t bits = 0;         ///< from the beginning
    std::uint32_t magnitudes = 0;   ///< bitwise OR of the symbols' magnitudes
    bool legal = true;              ///< every offset lies in its row
};

/// Puts symbols 0 .. size - 1 together, or fewer if the offsets go beyond `limit` bits.
/// Precondition: available(), handles_offsets(), size is a multiple of `lanes_per_register`, offsets_ahead bytes lie
/// after the limit.
void read_offsets(const std::byte* bytes, std::uint64_t limit, const std::uint8_t* rows, std::size_t size,
                  const Table& table, std::int32_t* out, OffsetsRead& found);

}   // namespace oscar::avx512

// Interleaved rANS over the rows of tables: row i belongs to lane i mod lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// States lie in 2^15 .. 2^31-1 between symbols.
inline constexpr std::uint32_t rans_floor = 1u << 15;
/// Bits below the leading one of a state with which an encoder begins, 2^15 .. 2^16-1. The decoder ends with them, so
/// they can carry what it needs no sooner.
inline constexpr std::uint32_t rans_room_bits = 15;

struct RansStreams {
    std::vector<std::uint32_t> states;   ///< per lane
    std::vector<std::uint16_t> words;    ///< in the order of decoding
};

/// x / divisor for x < 2^31 and 1 <= divisor <= 1024, by a multiplication. With s = ceil(log2 divisor), factor =
/// ceil(2^(31+s) / divisor), below 2^32, is too large by less than divisor / divisor <= 2^s / divisor, which x < 2^31
/// cannot carry over.
struct Reciprocal {
    explicit Reciprocal(std::uint32_t divisor);
    /// floor(x / divisor), exact. Precondition: x < 2^31.
    std::uint32_t divide(std::uint32_t x) const {
        return static_cast<std::uint32_t>((std::uint64_t{x} * factor >> 31) >> shift);
    }
    std::uint32_t factor, shift;
};

/// Row i is of the table of symbol i. `states`: with which each lane's encoder begins, 2^15 .. 2^16-1. Precondition: at
/// least one lane, there is a table, and every row has a count.
RansStreams encode_rows(std::span<const std::uint8_t> rows, std::vector<std::uint32_t> states, const Tables& tables);

struct DecodedRows {
    std::vector<std::uint8_t> rows;
    std::vector<std::uint32_t> states;   ///< with which the encoders began
    friend bool operator==(const DecodedRows&, const DecodedRows&) = default;
};
/// Law: decode_rows(encode_rows(r, s)) is r and s. Throws CorruptStream unless the words are used up exactly and all
/// lanes end where an encoder can begin. Precondition: at least one state.
DecodedRows decode_rows(RansStreams streams, std::size_t size, const Tables& tables);

}   // namespace oscar

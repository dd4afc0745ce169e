// Predicted sizes of a block's lane streams, from the costs of their symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Sizes of the streams that encode_lanes() would make: exact but for the symbol streams, whose sizes are expected
/// values.
struct LaneSizes {
    std::uint64_t bytes = 0;          ///< of all streams, each filled to a byte
    std::uint64_t longest_bits = 0;   ///< of any stream
    CodingCost work;                  ///< without packer stalls, which only many improbable rows cause
};

/// A lane whose rows cost I bits has made floor(I) or floor(I) - 1 shifts and two bits more. Where all of its symbols
/// are of one row, which may lead the interval round in a circle, the shifts are counted by moving it; nothing, where
/// that happens with tables by class. Precondition: as encode_lanes() with tables that stay.
std::optional<LaneSizes> size_lanes(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                    const Tables& tables);

/// Bytes of a symbol stream whose rows cost `bits`, in 2^-20 bit; expected, in 1/256 byte.
std::uint64_t expected_stream_bytes(std::uint64_t bits);

}   // namespace oscar

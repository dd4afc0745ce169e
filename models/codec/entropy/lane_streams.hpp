// The streams of the lanes of one block: symbol j goes to lane j mod lanes, and each lane has a symbol stream (rows,
// arithmetically coded) and an offset stream (raw bits). All begin with the same tables, of which the class of a symbol
// chooses one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/bits/instruction_set.hpp"
#include "models/codec/interface/codec.hpp"
#include "models/codec/table/adaptation.hpp"

namespace oscar {

/// Lengths of the two streams of a lane in bits.
struct LaneLengths {
    std::uint32_t symbol_bits = 0, offset_bits = 0;
};

struct LaneStreams {
    std::vector<LaneLengths> lengths;   ///< one per lane
    std::vector<std::byte> bytes;       ///< lane after lane, symbol stream then offset stream, each filled to a byte
    CodingCost work;
};

/// The fastest form of the loops for so many lanes; the results of all forms are the same. A block that a vector form
/// does not take (lane_vector.hpp) is left to the portable one.
InstructionSet best_lane_form(std::size_t lanes);

/// Precondition: 1 <= lanes <= symbols.size(), the tables can code every symbol, and the host has `form`.
LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                         const Adaptation& adaptation, InstructionSet form);
/// The same in the form that best_lane_form() gives.
inline LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                                const Adaptation& adaptation) {
    return encode_lanes(symbols, lanes, tables, adaptation, best_lane_form(lanes));
}

/// Fills `out` and returns the work, equal to the encoder's. Never reads outside `bytes`.
/// Throws CorruptStream unless the streams fill `bytes` exactly, each is used up exactly, its padding is zero, and
/// every symbol is legal at `width` bits. Precondition: 1 <= lengths.size() <= out.size(), and the host has `form`.
CodingCost decode_lanes(std::span<const std::byte> bytes, std::span<const LaneLengths> lengths, const Tables& tables,
                        const Adaptation& adaptation, std::uint32_t width, std::span<Symbol> out, InstructionSet form);
/// The same in the form that best_lane_form() gives.
inline CodingCost decode_lanes(std::span<const std::byte> bytes, std::span<const LaneLengths> lengths,
                               const Tables& tables, const Adaptation& adaptation, std::uint32_t width,
                               std::span<Symbol> out) {
    return decode_lanes(bytes, lengths, tables, adaptation, width, out, best_lane_form(lengths.size()));
}

}   // namespace oscar

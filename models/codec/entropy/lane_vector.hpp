// Vector forms of the lanes' coders: an AVX-512 register holds 16 lanes, an AVX2 register 8. Bytes, lengths and cost
// are identical to those of the portable loops (lane_streams.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/entropy/lane_costs.hpp"
#include "models/codec/entropy/lane_streams.hpp"

namespace oscar {

/// Returns whether the vector forms can code a block: all tables have the same layout and width, adaptive tables have a
/// total of 1024, and indices fit 32 bits.
bool fits_vectors(std::size_t symbols, std::size_t lanes, const Tables& tables, const Adaptation& adaptation);

/// Costs of rows are below 2^this in the vector form of lane_costs().
inline constexpr std::uint32_t vector_cost_bits = 25;

/// The streams of one lane.
struct LaneInput {
    std::span<const std::byte> symbols, offsets;
};
/// State of one lane's decoder after the last symbol.
struct LaneEnd {
    std::uint64_t symbol_bits = 0, offset_bits = 0;
    std::uint32_t magnitudes = 0;   ///< bitwise OR of the symbols' magnitudes
    bool legal = true;              ///< every offset lies in its row
};
struct DecodedLanes {
    CodingCost work;
    std::vector<LaneEnd> ends;   ///< one per lane
};

/// Preconditions: fits_vectors(), the host has the instruction set, and the preconditions of the portable functions.
namespace avx512 {
/// The streams of encode_lanes(), byte for byte.
LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                         const Adaptation& adaptation);
/// Fills `out`. Throws CorruptStream if a stream holds no row; the caller checks `ends`.
DecodedLanes decode_lanes(std::span<const LaneInput> lanes, const Tables& tables, const Adaptation& adaptation,
                          std::span<Symbol> out);
/// The costs of lane_costs(). Precondition: each is below 2^vector_cost_bits, in 2^-20 bit.
std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                                 std::span<const RowBits> bits);
}   // namespace avx512

namespace avx2 {
/// The streams of encode_lanes(), byte for byte.
LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                         const Adaptation& adaptation);
/// Fills `out`. Throws CorruptStream if a stream holds no row; the caller checks `ends`.
DecodedLanes decode_lanes(std::span<const LaneInput> lanes, const Tables& tables, const Adaptation& adaptation,
                          std::span<Symbol> out);
/// The costs of lane_costs(). Precondition: each is below 2^vector_cost_bits, in 2^-20 bit.
std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                                 std::span<const RowBits> bits);
}   // namespace avx2

}   // namespace oscar

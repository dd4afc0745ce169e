// Lane coders compiled for AVX2.
#define OSCAR_VECTORS_AVX2
#include "models/codec/entropy/lane_costs_kernel.hpp"
#include "models/codec/entropy/lane_decoder_kernel.hpp"
#include "models/codec/entropy/lane_encoder_kernel.hpp"

#if defined(__x86_64__)

namespace oscar::avx2 {

LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                         const Adaptation& adaptation) {
    return encode_block(symbols, lanes, tables, adaptation);
}

DecodedLanes decode_lanes(std::span<const LaneInput> lanes, const Tables& tables, const Adaptation& adaptation,
                          std::span<Symbol> out) {
    return decode_block(lanes, tables, adaptation, out);
}

std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                                 std::span<const RowBits> bits) {
    return cost_block(symbols, lanes, tables, bits);
}

}   // namespace oscar::avx2

#endif

// THC: rotated values become levels of a table of integers, which a server, a switch or a ring can sum.
#pragma once

#include <array>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Who sums the table's integers.
enum class ThcCarrier : std::uint8_t { server, ring };
constexpr auto choices(ThcCarrier) {
    return std::array{
        Choice{
            "server", ThcCarrier::server,
            "levels go to the owner of their shard, which looks them up, sums and sends the sums back, as published"},
        Choice{"ring", ThcCarrier::ring, "ranks look up and an all-reduce sums, in the bits of the largest sum"}};
}

/// Per tensor, padded to whole blocks: the norm, of which the largest of all ranks is agreed; the randomised Hadamard
/// transform of each block (a tensor below `block` is one block of the next power of two), its signs drawn anew each
/// step; values in units of norm / sqrt(padded size), nearly normal now, clamped at the table's threshold, rounded at
/// random to the table's levels; the integers that these stand for are summed; the transform undone. Error feedback
/// around it is part of the method. Laws: linear in the integers; right on average where nothing is clamped. Source: Li
/// et al., NSDI 2024; BytePS_THC, whose transform spans 2^10 elements too.
struct ThcParams {
    std::uint32_t bits = 4;
    std::uint32_t granularity = 30;
    double overflow = 1.0 / 32;
    std::uint32_t block = 1024;
    ThcCarrier carrier = ThcCarrier::server;
    static constexpr auto fields() {
        return Entries{
            field("bits", &ThcParams::bits, "bits of a level", 1u, 8u),
            field("granularity", &ThcParams::granularity, "largest integer of the table", 1u, 1023u),
            field("overflow", &ThcParams::overflow, "share of normal values that is clamped"),
            field("block", &ThcParams::block, "elements of a transform, a power of two", 1u, 1u << 23),
            field("carrier", &ThcParams::carrier, "place where the table's integers are summed"),
        };
    }
};
/// Throws std::invalid_argument where make_thc_table does, for a block that is no power of two, and for a granularity
/// above 1023.
std::unique_ptr<Compressor> make_compressor(const ThcParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

// Lossless Homomorphic Compression of the whole gradient.
#pragma once

#include "models/compressor/sketch/lhc_sum.hpp"

namespace oscar {

/// An index of the non-zero elements and a sketch, summed by all-reduce and peeled by every rank. Lossless for sparse
/// gradients: up to 0.818 listed elements per cell on large ones, half a one on small ones; elements that cannot be
/// peeled are estimates. `zeros`, which its authors leave to others, makes a dense gradient sparse first, as TAGC does
/// each shard; what that leaves out stays in the rank's residual. Source: Li et al., arXiv 2402.07529, and
/// lihy0529/lossless_homomorphic_compression.
struct LhcParams : LhcCoding {
    double ratio = 10;
    std::uint32_t lanes = 1024;
    double zeros = 0;
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("ratio", &LhcParams::ratio, "elements per cell of the sketch", 1.0, 1e6),
                field("lanes", &LhcParams::lanes, "number of elements of a block, which share a hash", 1u, 1u << 20),
                field("zeros", &LhcParams::zeros,
                      "share of a gradient that is set to zero and kept for the next step; 0: none", 0.0, 1.0)},
            fields_of<LhcParams>());
    }
};
/// The seed is not used: hashes are fixed. Its step throws where lhc_shape() does.
std::unique_ptr<Compressor> make_compressor(const LhcParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

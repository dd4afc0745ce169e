// QSGD: each value becomes a whole level of its bucket's norm, rounded at random.
#pragma once

#include <array>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The norm of which the levels of a bucket are shares.
enum class BucketNorm : std::uint8_t { l2, max };
constexpr auto choices(BucketNorm) {
    return std::array{Choice{"l2", BucketNorm::l2, "the root of the sum of squares, as in the paper's theorems"},
                      Choice{"max", BucketNorm::max, "the largest magnitude, as in the paper's experiments"}};
}

/// Ranks that share the norm.
enum class NormScope : std::uint8_t { own, shared };
constexpr auto choices(NormScope) {
    return std::array{
        Choice{"own", NormScope::own, "each rank's own, as published: the codes are gathered and decoded one by one"},
        Choice{"shared", NormScope::shared,
               "the largest of all ranks, agreed first: the codes are summed on the way, as integers"}};
}

/// code = sign * level, level in 0 .. levels, at random one of the two next to levels * |v| / norm; a bucket of zeros
/// has norm 0 and codes 0. Laws, over the draws: the mean of what is decoded is v; with the L2 norm and buckets of n
/// elements its squared error is at most min(n / levels^2, sqrt(n) / levels) |v|^2. Not a contraction where that
/// exceeds 1. Buckets do not cross tensors. Codes are packed in ceil(log2(2 levels + 1)) bits, sums over N ranks in
/// ceil(log2 N) more. Source: Alistarh et al., NeurIPS 2017, sections 3.1 and 4; defaults of the GRACE
/// repository.
struct QsgdParams {
    std::uint32_t levels = 127;
    std::uint32_t bucket = 128;
    BucketNorm norm = BucketNorm::l2;
    NormScope scope = NormScope::own;
    static constexpr auto fields() {
        return Entries{
            field("levels", &QsgdParams::levels, "number of levels above zero; 127 and the sign fill 8 bits", 1u,
                  32'767u),
            field("bucket", &QsgdParams::bucket, "number of elements that share a norm", 1u, 4'294'967'295u),
            field("norm", &QsgdParams::norm, "norm that the levels of a bucket divide"),
            field("scope", &QsgdParams::scope, "ranks that share the norm"),
        };
    }
};
/// Throws std::invalid_argument for levels or bucket 0; its step, for a norm beyond fp32.
std::unique_ptr<Compressor> make_compressor(const QsgdParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

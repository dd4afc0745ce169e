// TernGrad: each value becomes -1, 0 or 1 times the largest magnitude of its tensor, at random.
#pragma once

#include <array>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Ranks whose largest magnitude the ternary values are multiples of.
enum class Scaler : std::uint8_t { own, shared };
constexpr auto choices(Scaler) {
    return std::array{Choice{"own", Scaler::own, "each rank's own: the values are gathered and decoded one by one"},
                      Choice{"shared", Scaler::shared,
                             "the largest of all ranks, agreed first: the values are summed on the way, as integers"}};
}

/// Packing of ternary values in the gathered message. Sums take ceil(log2(2N+1)) bits in any case.
enum class TernaryPacking : std::uint8_t { two_bits, five_in_a_byte, byte };
constexpr auto choices(TernaryPacking) {
    return std::array{
        Choice{"two_bits", TernaryPacking::two_bits, "2 bits each, a sixteenth of fp32"},
        Choice{"five_in_a_byte", TernaryPacking::five_in_a_byte, "3^5 = 243 values in a byte, a twentieth of fp32"},
        Choice{"byte", TernaryPacking::byte, "int8, as the GRACE repository sends them"}};
}

/// Values are clipped at `clip` standard deviations of their tensor, s is the largest magnitude then, and +-s is sent
/// with probability |v| / s, else 0. Laws, over the draws: the mean of what is decoded is the clipped value; zeros stay
/// zeros. Where the deviation is 0 nothing is clipped, for that would erase a tensor of equal values. Not a
/// contraction. Source: Wen et al., NeurIPS 2017, sections 3.1 (layer-wise), 3.3 (clipping) and "scaler sharing".
struct TernGradParams {
    double clip = 2.5;
    Scaler scaler = Scaler::own;
    TernaryPacking packing = TernaryPacking::two_bits;
    static constexpr auto fields() {
        return Entries{
            field("clip", &TernGradParams::clip, "standard deviations at which values are clipped; 0: never", 0.0, 1e6),
            field("scaler", &TernGradParams::scaler, "ranks whose largest magnitude scales the ternary values"),
            field("packing", &TernGradParams::packing, "packing of ternary values in the gathered message"),
        };
    }
};
/// Throws std::invalid_argument for a negative clip.
std::unique_ptr<Compressor> make_compressor(const TernGradParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

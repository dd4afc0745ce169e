// Deep Gradient Compression with momentum correction, masking, clipping and warm-up.
#pragma once

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/sparse/momentum.hpp"
#include "models/compressor/sparse/sampled_threshold.hpp"
#include "models/compressor/sparse/sparse_wire.hpp"

namespace oscar {

/// Treatment of tensors that are vectors (biases, normalisation): TensorShape::rows is 0.
enum class VectorTensors : std::uint8_t { dense, compressed };
constexpr auto choices(VectorTensors) {
    return std::array{
        Choice{"dense", VectorTensors::dense, "not compressed, as published: averaged, then momentum"},
        Choice{"compressed", VectorTensors::compressed, "as all others; for gradients that are one flat bucket"}};
}

/// Each rank compresses its accumulated velocity instead of its gradient; the optimiser after it has no momentum. Laws:
/// if all is sent, with masking the mean is that of the gradients, without it the velocity of momentum SGD. It is its
/// own error feedback. Source: Lin et al., ICLR 2018; code of the repository deep-gradient-compression by its first
/// author.
struct DgcParams : DgcSelect, SparseWire {
    double factor = 1000;
    double momentum = 0.9;
    bool nesterov = false;
    bool masking = true;
    double clip_norm = 0;
    std::uint32_t warmup_epochs = 0;
    VectorTensors vectors = VectorTensors::dense;
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("factor", &DgcParams::factor, "compression factor after the warm-up", 1.0, 1e9),
                field("momentum", &DgcParams::momentum, "momentum of the velocity; 0: plain error feedback", 0.0, 1.0),
                field("nesterov", &DgcParams::nesterov, "Nesterov's form of the velocity"),
                field("masking", &DgcParams::masking, "reset of the velocities of sent elements"),
                field("clip_norm", &DgcParams::clip_norm,
                      "largest L2 norm of a rank's gradient, over the square root of the ranks; 0: unclipped", 0.0,
                      1e30),
                field("warmup_epochs", &DgcParams::warmup_epochs, "E: factor^((e+1)/(E+1)) holds in epoch e < E", 0u,
                      1000u),
                field("vectors", &DgcParams::vectors, "treatment of tensors that are vectors")},
            DgcSelect::fields(), SparseWire::fields());
    }
};
/// Throws std::invalid_argument for a factor below 1 or not finite and for sizes that check_wire() refuses; its step,
/// if the length of the gradients changes.
std::unique_ptr<Compressor> make_compressor(const DgcParams& params, std::uint32_t ranks, std::uint64_t seed);

/// The factor in force in an epoch, from 0.
double warmup_factor(const DgcParams& params, std::uint32_t epoch);

}   // namespace oscar

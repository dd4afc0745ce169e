// GraVAC as a compressor: its controller around two levels of selection.
#pragma once

#include "models/compressor/adaptive/gravac_controller.hpp"
#include "models/compressor/base/carrier.hpp"
#include "models/compressor/sparse/momentum.hpp"
#include "models/quantise/error_feedback.hpp"

namespace oscar {

/// GraVAC with error feedback of its own: a dense step leaves no residual. CompressionResult::factors are the factors
/// that were sent; gains belong to the factors that were tried. It listens to completed(); without it, the first
/// factors stay. One exchange before all others makes the ranks agree. With momentum, velocities take the place of
/// gradients, as in DGC; sent elements begin anew, but for those of a dense step, which is a step of momentum SGD.
class Gravac final : public Compressor {
public:
    /// Throws std::invalid_argument for factors that are not ordered, or a compressor whose values are scaled.
    Gravac(const GravacParams& params, std::uint32_t ranks, std::uint64_t seed);

    /// Throws std::runtime_error if each rank decides for itself and they disagree: their collectives would not match.
    CompressionResult step(std::span<const std::span<const float>> gradients, std::span<const TensorShape> tensors,
                           Carrier& carrier) override;
    using Compressor::step;
    bool takes_error_feedback() const override { return false; }
    bool has_momentum() const override { return params_.momentum > 0; }
    void completed(const StepTime& time) override;
    void reset() override;

    /// The controller of all ranks, or of `rank` where each decides for itself.
    const GravacController& controller(std::size_t rank = 0) const { return controllers_[rank % controllers_.size()]; }

private:
    /// One rank's selections of each tensor, and their norms.
    struct Chosen {
        std::vector<Positions> floor, candidate;   ///< per tensor
        GravacNorms norms;
        ComputeCost operations;
    };
    std::vector<float> velocity(std::span<const float> gradient, std::size_t rank);
    Chosen chosen(std::span<const float> gradient, std::span<const float> corrected,
                  std::span<const TensorShape> tensors, std::size_t rank) const;
    GravacLevel decide(const std::vector<Chosen>& of_ranks, StepExchanges traffic);
    CompressionResult sent(GravacLevel level, const std::vector<std::vector<float>>& corrected,
                           std::vector<Chosen>& of_ranks, std::span<const TensorShape> tensors, Carrier& carrier);
    GravacNorms agreed(const std::vector<Chosen>& of_ranks, StepExchanges& traffic) const;

    GravacParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_;
    std::vector<GravacController> controllers_;
    std::vector<VelocityMemory> velocities_;   ///< per rank, where there is momentum
    std::vector<ErrorFeedback> memories_;
    std::uint64_t steps_ = 0;
};

/// Throws where the constructor of Gravac does.
std::unique_ptr<Compressor> make_compressor(const GravacParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

// Sparsified part of all ranks' gradients, whose unsent elements wait for later steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/base/sparsify.hpp"
#include "models/quantise/error_feedback.hpp"

namespace oscar::inline compressor {

/// Sparsification with error feedback, a residual per rank. Source: Polyakov, Dukhanov, Spirin, EuroMLSys 2025,
/// Algorithm 1, lines 3-6.
class SparsePart {
public:
    explicit SparsePart(std::uint32_t ranks) : memories_(ranks) {}

    /// Of each rank gradient + residual, of which a share `zeros` in [0, 1] became zero; what that takes a rank is
    /// added to `work`. Throws std::invalid_argument if the length differs from that of the last step.
    std::vector<std::vector<float>> sparsified(std::span<const std::span<const float>> gradients, double zeros,
                                               Sparsify how, ComputeCost& work);
    /// Keeps of each rank what it did not send of the gradient + residual of this step.
    void keep(std::span<const std::span<const float>> sent);
    /// Empty before the first step.
    std::span<const float> residual(std::uint32_t rank) const { return memories_[rank].residual(); }

private:
    std::vector<ErrorFeedback> memories_;         // per rank
    std::vector<std::vector<float>> corrected_;   // per rank, between the two calls of a step
};

}   // namespace oscar::inline compressor

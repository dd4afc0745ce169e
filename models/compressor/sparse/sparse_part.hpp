// Sparsified part of all ranks' gradients, whose unsent elements wait for later steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/base/sparsify.hpp"
#include "models/quantise/error_feedback.hpp"

namespace oscar {

/// Sparsification with error feedback, a residual per rank. Source: Polyakov, Dukhanov, Spirin, EuroMLSys 2025,
/// Algorithm 1, lines 3-6.
class SparsePart {
public:
    explicit SparsePart(std::uint32_t ranks) : memories_(ranks) {}

    /// Each rank's gradient + residual, a share `zeros` in [0, 1] of which is set to zero; a rank's operations are
    /// added to `work`. Throws std::invalid_argument if the length differs from that of the last step.
    std::vector<std::vector<float>> sparsified(std::span<const std::span<const float>> gradients, double zeros,
                                               Sparsify how, ComputeCost& work);
    /// Keeps the part of each rank's gradient + residual of this step that it did not send.
    void keep(std::span<const std::span<const float>> sent);
    /// The residual of one rank; empty before the first step.
    std::span<const float> residual(std::uint32_t rank) const { return memories_[rank].residual(); }

private:
    std::vector<ErrorFeedback> memories_;         // per rank
    std::vector<std::vector<float>> corrected_;   // per rank, between the two calls of a step
};

}   // namespace oscar

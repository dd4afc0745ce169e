// From captured gradients to the codes that all quantised methods of an experiment carry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/core/parallel.hpp"
#include "models/quantise/error_feedback.hpp"
#include "models/quantise/fidelity.hpp"
#include "models/quantise/shared_scale.hpp"
#include "sim/replay/replay.hpp"

namespace oscar {

/// One iteration of all ranks, in fp32 and as codes.
struct IterationCodes {
    std::uint32_t position = 0;
    bool continues = false;                        ///< it follows the iteration before; otherwise all history is void
    std::vector<std::vector<float>> gradients;     ///< per rank, as captured
    std::vector<std::vector<Symbol>> codes;        ///< per rank, of the gradient and the residual if there is one
    std::vector<Symbol> sum;                       ///< exact, over the ranks
    std::vector<float> reduced;                    ///< the sum, dequantised
    std::vector<std::vector<float>> local_peaks;   ///< per rank and scale group
    std::vector<float> peaks;                      ///< the shared ones, per scale group
    bool exchanged = false;                        ///< the peaks cost an exchange
    std::uint64_t saturated = 0;                   ///< values, over all ranks
    std::uint64_t seed = 0;                        ///< of the random numbers of this iteration
    Fidelity fidelity;                             ///< of the dequantised sum
};

/// An iteration for methods that send no codes: its gradients, and a seed of its own out of that of the experiment.
IterationCodes uncoded(std::uint32_t position, bool continues, std::vector<std::vector<float>> gradients,
                       std::uint64_t seed);

/// Quantises consecutive iterations with scales that the ranks can agree on.
class CodeSource {
public:
    /// `tensors` tile the gradient. `seed` of stochastic rounding. `parallel` runs the ranks.
    CodeSource(std::span<const Segment> tensors, std::uint32_t ranks, const Quantiser& quantiser,
               std::uint64_t seed = 1, ParallelFor parallel = serial_for);
    /// Quantises `gradients`, [ranks][elements] and finite. Scales and residuals are carried over only if the iteration
    /// `continues` the one of the last call.
    IterationCodes next(std::uint32_t position, bool continues, std::vector<std::vector<float>> gradients);
    /// The same of a trace: reads the iteration at `position`, which continues the one before it if that is the step
    /// before; it must then be the one of the last call. TraceError: see Replay::gradients.
    IterationCodes next(const Replay& replay, std::uint32_t position);

private:
    std::vector<float> corrected(std::size_t rank, const IterationCodes& it) const;
    Quantised quantise_rank(std::size_t rank, std::span<const float> values, const IterationCodes& it);

    Quantiser quantiser_;
    std::vector<Segment> groups_;
    SharedScale scale_;
    std::uint64_t seed_;
    ParallelFor parallel_;
    std::vector<ErrorFeedback> feedback_;   ///< per rank
};

}   // namespace oscar

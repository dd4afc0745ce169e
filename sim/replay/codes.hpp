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
    std::vector<std::vector<float>> local_peaks;   ///< per rank and scale group
    std::vector<float> peaks;                      ///< the shared ones, per scale group
    bool exchanged = false;                        ///< the peaks cost an exchange
    std::uint64_t saturated = 0;                   ///< values, over all ranks
    std::uint64_t seed = 0;                        ///< of the random numbers of this iteration
    Fidelity fidelity;                             ///< of the dequantised sum
};

/// Quantises consecutive iterations of a trace with scales that the ranks can agree on.
class CodeSource {
public:
    /// `replay` must outlive the source.
    /// `seed` of stochastic rounding. `parallel` runs the ranks.
    CodeSource(const Replay& replay, const Quantiser& quantiser, std::uint64_t seed = 1,
               ParallelFor parallel = serial_for);
    /// Reads and quantises the iteration at `position`. Scales and residuals are carried over only if it follows the
    /// iteration before it in the trace, which must then be the one of the last call. TraceError: see
    /// Replay::gradients.
    IterationCodes next(std::uint32_t position);

private:
    std::vector<float> corrected(std::size_t rank, const IterationCodes& it) const;
    Quantised quantise_rank(std::size_t rank, std::span<const float> values, const IterationCodes& it);

    const Replay& replay_;
    Quantiser quantiser_;
    std::vector<Segment> groups_;
    SharedScale scale_;
    std::uint64_t seed_;
    ParallelFor parallel_;
    std::vector<ErrorFeedback> feedback_;   ///< per rank
};

}   // namespace oscar

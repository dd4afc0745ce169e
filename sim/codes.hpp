// From captured gradients to the codes that all quantised methods of an experiment carry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/codec.hpp"
#include "models/compress/fidelity.hpp"
#include "models/compress/shared_scale.hpp"
#include "sim/replay.hpp"

namespace oscar {

/// One iteration of all ranks, in fp32 and as codes.
struct IterationCodes {
    std::uint32_t position = 0;
    bool continues = false;                        ///< it follows the iteration before; otherwise all history is void
    std::vector<std::vector<float>> gradients;     ///< per rank
    std::vector<std::vector<Symbol>> codes;        ///< per rank
    std::vector<Symbol> sum;                       ///< exact, over the ranks
    std::vector<std::vector<float>> local_peaks;   ///< per rank and scale group
    std::vector<float> peaks;                      ///< the shared ones, per scale group
    bool exchanged = false;                        ///< the peaks cost an exchange (Q1)
    std::uint64_t saturated = 0;                   ///< values, over all ranks
    Fidelity fidelity;                             ///< of the dequantised sum
};

/// Quantises consecutive iterations of a trace with scales that the ranks can agree on.
class CodeSource {
public:
    /// `replay` must outlive the source.
    CodeSource(const Replay& replay, const Quantiser& quantiser);
    IterationCodes next(std::uint32_t position);

private:
    const Replay& replay_;
    Quantiser quantiser_;
    std::vector<Segment> groups_;
    SharedScale scale_;
};

}   // namespace oscar

// The file of a fitted machine, for `run` and `predict` and as a base of experiments.
#pragma once

#include <cstdint>
#include <string>

#include "sim/fit/machine_fit.hpp"

namespace oscar {

/// A machine as it is written down.
struct FittedMachine {
    std::uint32_t ranks = 0, ranks_per_node = 0;
    FittedFigures figures;
    std::string about;   ///< remarks at the top, one line each: what was fitted to what, and how well
};

/// The YAML text: an AllReduce of 25 MiB on the machine that NCCL's tuner describes, one switch a node.
/// Where nothing but the tuner's latencies and rate takes time, headers, NICs, switches and DMA are ideal.
std::string text_of(const FittedMachine& machine);

}   // namespace oscar

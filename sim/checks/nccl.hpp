// Checks of `collective: nccl`: a machine that NCCL's tuner can choose for, and methods that NCCL sends.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a topology without nodes, GPUs of a node without ports, ranks that do not fill nodes, NICs that add by
/// themselves, messages without a cost, methods of integers or with a coder, or several jobs.
void check_nccl(const Experiment& experiment);

}   // namespace oscar

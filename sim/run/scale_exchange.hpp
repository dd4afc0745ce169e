// The exchange of peaks before an iteration (docs/gradients.md, exact agreement), on the simulated network.
#pragma once

#include "models/machine/machine.hpp"
#include "sim/replay/codes.hpp"
#include "sim/report/metrics.hpp"

namespace oscar {

/// Runs an all-gather of each rank's peaks (4 bytes per scale group) and returns what that took. Throws
/// std::logic_error if any rank does not end with the peaks that the codes were made with.
PriorExchange run_scale_exchange(Machine& machine, const IterationCodes& codes, Issue issue);

}   // namespace oscar

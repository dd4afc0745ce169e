// One method without a trace (payload: synthetic): how long its AllReduce takes, whatever is summed.
#pragma once

#include "models/machine/machine.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/report/metrics.hpp"
#include "sim/run/iteration/progress.hpp"

namespace oscar {

/// One AllReduce of parameters.size at all ranks. With an exact agreement of the scale, codes pay for the exchange of
/// one scale before. Nothing is summed, so there is neither fidelity nor a reference. `progress`: how far the
/// simulation is.
IterationResult run_synthetic(
    const Parameters& parameters, const Method& method, const Routes& routes, Machine& machine,
    const ShareDone& progress = [](double) {});

}   // namespace oscar

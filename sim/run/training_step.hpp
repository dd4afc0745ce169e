// The computation of a training step, from the experiment and its trace.
#pragma once

#include <cstddef>
#include <vector>

#include "models/workload/training_step.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// The training step of an experiment on its machine.
struct StepSetting {
    StepParams params;
    StepCompute compute;
    std::vector<Time> gathers;   ///< per bucket, of its parameters; none unless they are sharded
};

/// `buckets`: layers of each, as positions in the manifest. A bucket is ready with its last layer; the captured
/// backward pass ends with the last layer of the trace, whichever layers are replayed.
/// Precondition: the experiment has a step, and check_ready_times (sim/checks/step.hpp).
StepCompute compute_of(const Parameters& parameters, const TraceManifest& manifest,
                       const std::vector<std::vector<std::size_t>>& buckets);

}   // namespace oscar

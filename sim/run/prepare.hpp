// Preparation of an experiment: its trace, buckets and topology, without reading a gradient.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/network/topology/topology.hpp"
#include "models/workload/training_step.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {

struct Prepared {
    Trace trace;
    std::vector<std::vector<std::size_t>> buckets;   ///< layers of each AllReduce of an iteration
    std::optional<StepCompute> compute;
    Topology topology;
};

/// Prepares an experiment with a trace. Runs all checks that make_experiment (sim/checks/load_experiment.hpp) could not
/// run. Throws ConfigError; InputError for the trace.
Prepared prepare(const Experiment& experiment);

/// The topology of an experiment without a trace. Throws as prepare.
Topology prepare_topology(const Experiment& experiment, std::uint64_t elements = 0);

}   // namespace oscar

// Preparation of an experiment: its buckets and topology, without reading a gradient.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/network/topology/topology.hpp"
#include "models/workload/training_step.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

struct Prepared {
    std::vector<std::vector<std::size_t>> buckets;   ///< layers of each AllReduce of an iteration
    std::optional<StepCompute> compute;
    Topology topology;
};

/// Prepares an experiment on gradients of these layers. Runs all checks that make_experiment
/// (sim/checks/load_experiment.hpp) could not run, but check_iterations. Throws ConfigError.
Prepared prepare(const Experiment& experiment, const TraceManifest& manifest);

/// The topology of an experiment without a trace. Throws as prepare.
Topology prepare_topology(const Experiment& experiment, std::uint64_t elements = 0);

}   // namespace oscar

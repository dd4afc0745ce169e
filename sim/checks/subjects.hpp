// Subjects of the checks: an experiment with what is known of it when they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/network/topology/topology.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

struct CabledExperiment {
    const Experiment& experiment;
    const Topology& topology;
    std::uint64_t elements = 0;   ///< values of a rank in the largest bucket; 0 without values
};

struct CapturedExperiment {
    const Experiment& experiment;
    const TraceManifest& manifest;
    const std::vector<std::vector<std::size_t>>& buckets;   ///< layers of each AllReduce of an iteration
    const Topology& topology;
};

}   // namespace oscar

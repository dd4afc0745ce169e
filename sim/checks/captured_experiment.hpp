// An experiment whose topology and replayed layers are known.
#pragma once

#include <cstddef>
#include <vector>

#include "models/network/topology/topology.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

struct CapturedExperiment {
    const Experiment& experiment;
    const TraceManifest& manifest;
    const std::vector<std::vector<std::size_t>>& buckets;   ///< layers of each AllReduce of an iteration
    const Topology& topology;
};

}   // namespace oscar

// An experiment whose topology is known.
#pragma once

#include <cstdint>

#include "models/network/topology/topology.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

struct CabledExperiment {
    const Experiment& experiment;
    const Topology& topology;
    std::uint64_t elements = 0;   ///< values of a rank in the largest bucket; 0 without values
};

}   // namespace oscar

// The topology of an experiment, with errors where they were written.
#pragma once

#include "models/network/topology/topology.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// A topology with its overrides, as the node `network` tells. ConfigError: sizes that do not fit the ranks, an
/// override that names no link.
Topology cabled_topology(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network);

}   // namespace oscar

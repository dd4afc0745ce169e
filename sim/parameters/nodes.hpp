// The nodes of an experiment, each with its parameters.
#pragma once

#include <vector>

#include "models/nic/node.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::inline parameters {

/// Reads the entries of `nodes` over what holds for all. ConfigError: as read_experiment.
void read_nodes(Experiment& experiment);

/// [rank]. Precondition, here and below: the ranks of each entry of `nodes` are ranks of the experiment.
Nodes nodes_of(const Parameters& parameters);
/// [rank], of its NIC.
std::vector<Time> nic_latencies_of(const Parameters& parameters);
/// [rank], by how much it starts later than it would.
std::vector<Time> start_delays_of(const Parameters& parameters);
/// Of the computation of a step: that of the slowest rank.
double slowdown_of(const Parameters& parameters);

}   // namespace oscar::inline parameters

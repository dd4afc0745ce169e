// The nodes of an experiment, each with its parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nic/node_params.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Reads the entries of `nodes` over what holds for all. ConfigError: as read_experiment.
void read_nodes(Experiment& experiment);

/// The parameters of each node that is simulated, [rank]. Precondition, here and below: the ranks of each entry of
/// `nodes` are ranks of the experiment.
Nodes nodes_of(const Parameters& parameters);
/// The most ranks that share a NIC; 1: each has its own.
std::uint32_t gpus_per_nic(const Parameters& parameters);
/// The ranks of an island, where messages inside islands and messages that cross NICs are two tiers; 1 where there is
/// one: a network without islands, or one island alone.
std::uint32_t island_of_tiers(const Parameters& parameters);
/// The engine as one rank has it: its SRAM is divided equally among the ranks that share it.
EngineParams engine_of_a_rank(const Parameters& parameters);
/// The latency of each NIC, [rank].
std::vector<Time> nic_latencies_of(const Parameters& parameters);
/// The additional start delay of each node, [rank].
std::vector<Time> start_delays_of(const Parameters& parameters);
/// The factor on the times of a step's computation: the largest over the ranks, since the slowest rank decides.
double slowdown_of(const Parameters& parameters);

}   // namespace oscar

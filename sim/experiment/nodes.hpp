// The nodes of an experiment, each with what is said of it.
#pragma once

#include <string>
#include <vector>

#include "models/nic/node.hpp"
#include "models/nic/step_cost.hpp"
#include "sim/experiment/parameters.hpp"

namespace oscar {

/// Reads the entries of `nodes` over what holds for all. ConfigError: no ranks, one that does not exist or stands in
/// two entries, an engine that makes other bytes, a late start with a step, a slowdown without.
void resolve_nodes(Experiment& experiment);

/// [rank]. Precondition, here and below: resolve_nodes.
Nodes nodes_of(const Parameters& parameters);
/// [rank], of its NIC.
std::vector<Time> nic_latencies_of(const Parameters& parameters);
/// [rank], by how much it starts later than it would.
std::vector<Time> lateness_of(const Parameters& parameters);
/// Of the computation of a step: that of the slowest rank.
double slowdown_of(const Parameters& parameters);

/// Which nodes differ, and in what; one line.
std::string note_on_nodes(const Parameters& parameters);

/// Whether the closed form knows the machine. It does not know of background traffic, losses, pauses, marks, nor of
/// input-queued routers: switches have queues at their outputs. Where steps only wait for their data, and ranks differ,
/// a fast rank sends what a slow one has no time for: queues build up, of which the recursion knows nothing.
bool has_closed_form(const Parameters& parameters);

/// [rank], the machine as the closed form sees it. What it refers to must outlive it.
std::vector<NodeView> machines_of(const Nodes& nodes, const Routes& routes, const NetworkParams& network,
                                 const EngineMemoryTraffic& side);

}   // namespace oscar

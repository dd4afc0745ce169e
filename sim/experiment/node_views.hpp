// The nodes of an experiment as the closed form sees them.
#pragma once

#include <vector>

#include "models/network/topology/routes.hpp"
#include "models/nic/step_cost.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar::inline experiment {

/// Whether the closed form covers the machine. It does not include background traffic, losses, pauses, marks or
/// input-queued routers: its switches have queues at their outputs. Where steps only wait for their data and ranks
/// differ, queues build up before a slow rank, which the recursion does not include.
bool has_closed_form(const Parameters& parameters);

/// Whether it also covers the collective: no switch adds, and no links are shared among slices.
bool has_closed_form(const Parameters& parameters, const Schedule& schedule, const Routes& routes);

/// [rank], the machine as the closed form sees it at that node. What it refers to must outlive it.
std::vector<NodeView> node_views_of(const Nodes& nodes, const Routes& routes, const NetworkParams& network,
                                    const EngineMemoryTraffic& side);

}   // namespace oscar::inline experiment

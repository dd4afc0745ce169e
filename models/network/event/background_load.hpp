// The load that background traffic offers to each link.
#pragma once

#include <span>
#include <vector>

#include "models/network/params/network_params.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar {

/// The rate of the fastest link that begins at a rank.
Bandwidth fastest_link_from(Rank rank, const Topology& topology);

/// A link, and the mean rates in Gbit/s, headers included, that it is offered and that it can carry: its own rate or,
/// if that is less, what the credits of its receive buffer let through (models/network/event/credit_loop.hpp).
struct OfferedLoad {
    EdgeId edge;
    double offered = 0, carried = 0;
};

/// The offered load of each link that background traffic takes, in the order of edges. Sprayed packets: the mean over
/// several paths. `nic_latencies`: [rank]. Precondition: every message has a path.
std::vector<OfferedLoad> background_load(const BackgroundParams& params, const NetworkParams& network,
                                         const Routes& routes, std::span<const Time> nic_latencies);

}   // namespace oscar

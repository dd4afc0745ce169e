// Channel load at full injection, an upper bound on the throughput of any router.
#pragma once

#include "models/network/open_loop/destinations.hpp"

namespace oscar {

/// Flits a cycle on the busiest link between routers and on the busiest to a node, when each node sends one a cycle:
/// the mean over packets' coins. Source: Dally & Towles 2004, section 3.3. Laws, for the uniform pattern and even k:
/// k/4 between routers of a k x k mesh, k/8 in a torus; 1 to a node.
struct ChannelLoads {
    double link = 0, node = 0;
};
/// Follows every pair of nodes with each of the four coins that decide directions: O(nodes^2) paths.
ChannelLoads busiest_channel_loads(const RouterGrid& grid, const Destinations& destinations);

/// Flits a cycle that a link between routers can pass: where VCs are given `when_empty`, each passes a packet in a
/// credit loop and a cycle for each further flit.
double link_rate(const VcRouterParams& router, std::uint32_t packet_flits);

/// Flits a cycle and node that no allocation can exceed.
double throughput_bound(const ChannelLoads& loads, double link_rate);

}   // namespace oscar

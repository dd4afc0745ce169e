// Freedom from deadlock: packets that hold buffers must never wait for each other in a circle.
// Source: Dally & Seitz, IEEE Trans. Computers 1987: routing is free of deadlock if the channel-dependency graph has no
// circle.
#pragma once

#include <vector>

#include "models/network/topology/hop.hpp"
#include "models/network/topology/routing.hpp"

namespace oscar {

/// A circle of hops, each of which some packet takes next after the one before it, and the first after the last; empty
/// if there is none. Channels are classes: groups of virtual channels are copies that share no packets. All paths count
/// that the routing may choose between any two ranks.
std::vector<Hop> find_wait_cycle(const Topology& topology, const RoutingParams& routing,
                                 std::uint32_t virtual_channels);

}   // namespace oscar

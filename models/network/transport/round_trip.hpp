// Idle round trip of a repaired packet: the least timeout that repeats nothing without need.
#pragma once

#include <span>

#include "models/network/params/network_params.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// The time from a packet's first bit on the first link of `there` to its acknowledgement, a header, at its sender by
/// `back`, on a network with no other traffic. `wire`: of the packet, header included; `nic_latencies`: [rank]. Exact
/// to the picosecond. Precondition: no input-queued routers; both paths have links.
Time idle_round_trip(std::span<const Hop> there, std::span<const Hop> back, const Topology& topology,
                     const NetworkParams& network, std::span<const Time> nic_latencies, Bytes wire);

}   // namespace oscar

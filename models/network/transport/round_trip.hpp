// Idle round trip of a repaired packet: the least timeout that repeats nothing without need.
#pragma once

#include <array>
#include <span>

#include "models/network/event/idle.hpp"
#include "models/network/params/network_params.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// From the first bit on the first link until the packet has passed its receiver's NIC.
inline Time idle_crossing(std::span<const Hop> path, const Topology& topology, const NetworkParams& network,
                          std::span<const Time> nic_latencies, Bytes wire) {
    const auto crossing = cross_idle(path, topology, network, std::array{Time{}}, std::array{wire});
    return crossing.arrivals.front() + nic_latencies[rank_of(topology.edges[path.back().edge].to).value];
}

/// The time from a packet's first bit on the first link of `there` to its acknowledgement, a header, at its sender by
/// `back`, on a network with no other traffic. `wire`: of the packet, header included; `nic_latencies`: [rank]. Exact
/// to the picosecond. Precondition: no input-queued routers; both paths have links.
inline Time idle_round_trip(std::span<const Hop> there, std::span<const Hop> back, const Topology& topology,
                            const NetworkParams& network, std::span<const Time> nic_latencies, Bytes wire) {
    return idle_crossing(there, topology, network, nic_latencies, wire) +
           idle_crossing(back, topology, network, nic_latencies, network.header);
}

}   // namespace oscar

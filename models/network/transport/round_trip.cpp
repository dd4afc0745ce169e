#include "models/network/transport/round_trip.hpp"

#include <array>

#include "models/network/event/idle.hpp"

namespace oscar {
namespace {

/// From the first bit on the first link until the packet has passed its receiver's NIC.
Time idle_crossing(std::span<const Hop> path, const Topology& topology, const NetworkParams& network,
                   std::span<const Time> nic_latencies, Bytes wire) {
    const auto crossing = cross_idle(path, topology, network, std::array{Time{}}, std::array{wire});
    return crossing.arrivals.front() + nic_latencies[topology.edges[path.back().edge].to];
}

}   // namespace

Time idle_round_trip(std::span<const Hop> there, std::span<const Hop> back, const Topology& topology,
                     const NetworkParams& network, std::span<const Time> nic_latencies, Bytes wire) {
    return idle_crossing(there, topology, network, nic_latencies, wire) +
           idle_crossing(back, topology, network, nic_latencies, network.header);
}

}   // namespace oscar

// The credit loop of a link: how much its receive buffer must hold for credits not to limit its rate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/network/params/network_params.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// The time from the start of a packet of `wire` bytes, header included, on link `h` of `path` until its credit is
/// back, if nothing else is in flight: the packet has left the next link's sender, or passed the receiving NIC
/// (`nic_latency` after its last bit), and the credit has travelled back. Precondition: no input-queued routers.
Time credit_round_trip(std::span<const Hop> path, std::size_t h, const Topology& topology, const NetworkParams& network,
                       Time nic_latency, Bytes wire);

/// A link whose credits come back too late.
struct CreditLimit {
    EdgeId edge;
    Bytes buffer, needed;                ///< of all its virtual channels together
    double offered = 0, sustained = 0;   ///< Gbit/s: of all its flows; through the buffer
};

/// The links of `paths`, one path for each flow, over which packets of `wire` bytes cannot follow each other as fast as
/// the flows could send them, because a channel's share of the receive buffer holds less than rate x round trip. A flow
/// brings no more than the slowest link of its path carries, and a link carries no more than its own rate.
/// Law: with `needed` the link never waits for credits of packets that are not held up further on; with one packet less
/// for a channel it does. `nic_latencies`: [rank].
std::vector<CreditLimit> credit_limits(const Topology& topology, std::span<const std::span<const Hop>> paths,
                                       const NetworkParams& network, std::span<const Time> nic_latencies, Bytes wire);

}   // namespace oscar

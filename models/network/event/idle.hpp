// Times of the packets of a message that is alone on the network.
#pragma once

#include <span>
#include <vector>

#include "models/network/params/network_params.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// First and last bit of a message on one link, at the side of its sender.
struct Occupation {
    Time begin, end;
};

struct IdleCrossing {
    std::vector<Occupation> links;   ///< per hop
    std::vector<Time> arrivals;      ///< per packet: its last bit is at the end of the last link
};

/// Packets of `wires` bytes that may leave their rank at `ready`, in this order, over `route`. Cut-through over links
/// of any rates, with credit for all that comes; exact to the picosecond. Precondition: no input-queued
/// routers.
IdleCrossing cross_idle(std::span<const Hop> route, const Topology& topology, const NetworkParams& network,
                        std::span<const Time> ready, std::span<const Bytes> wires);

/// The latency of an idle path for a packet of `wire` bytes, header included, without the packet's own serialization:
/// propagation, and in each switch its latency and the first flit; in input-queued routers what zero_load_cycles() has
/// beyond a cycle for each flit.
Time idle_latency(std::span<const Hop> route, const Topology& topology, const NetworkParams& network, Bytes wire);

}   // namespace oscar

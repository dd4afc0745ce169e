// Packets of a PacketFabric between two links.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/link/crossing.hpp"
#include "models/network/topology/hop.hpp"

namespace oscar {

/// A packet before a link; at its sender all that is left of a message, of which it is the next.
struct WaitingPacket {
    std::uint32_t transfer = 0, sequence = 0, hop = 0;
    FlitsReady ready;
};

/// A packet as its message and its flow describe it. `path` lives until the next flow is added.
struct PacketFacts {
    std::uint64_t tag = 0;   ///< of its message
    Bytes wire;
    const std::vector<Hop>& path;
    bool background = false;   ///< its flow is counted separately
};

}   // namespace oscar

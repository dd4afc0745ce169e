// Hop: one link of a packet's route, with its virtual channel.
#pragma once

#include <cstdint>

#include "models/network/topology/index.hpp"

namespace oscar {

struct Hop {
    EdgeId edge;                ///< of the topology
    std::uint8_t channel = 0;   ///< virtual channel whose buffer the packet takes at the edge's end
    friend bool operator==(const Hop&, const Hop&) = default;
};

}   // namespace oscar

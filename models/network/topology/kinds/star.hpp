// All ranks at one switch.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

struct StarParams {
    std::uint32_t nodes = 0;
    static constexpr auto fields() {
        return Entries{field("nodes", &StarParams::nodes, "attached ranks; 0: `ranks`", 0u, 65535u)};
    }
};

/// Edge 2r goes up from rank r, edge 2r+1 down to it.
Topology make_topology(const StarParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar

// All ranks at one switch.
#pragma once

#include "models/network/topology/kinds/sizes.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct StarParams {
    std::uint32_t nodes = 0;
    static constexpr auto fields() {
        return Entries{field("nodes", &StarParams::nodes, "attached ranks; 0: `ranks`", 0u, 65535u)};
    }
};

/// Edge 2r goes up from rank r, edge 2r+1 down to it.
inline Topology make_topology(const StarParams& params, std::uint32_t ranks, const LinkParams& link) {
    check_nodes(params.nodes, ranks);
    Topology topology{ranks, 1};
    for (std::uint32_t r = 0; r < ranks; ++r) topology.cable(node_of(Rank{r}), topology.switch_node(0), link);
    return topology;
}

}   // namespace oscar

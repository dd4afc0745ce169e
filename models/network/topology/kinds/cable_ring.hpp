// Each rank cabled to its two neighbours; no switch, and nobody forwards.
#pragma once

#include "models/network/topology/kinds/sizes.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct CableRingParams {
    std::uint32_t nodes = 0;
    static constexpr auto fields() {
        return Entries{field("nodes", &CableRingParams::nodes, "ranks in the ring; 0: `ranks`", 0u, 65535u)};
    }
};

/// A cable has both directions: two ranks have one cable, n have n.
inline Topology make_topology(const CableRingParams& params, std::uint32_t ranks, const LinkParams& link) {
    check_nodes(params.nodes, ranks);
    Topology topology{ranks, 0};
    for (std::uint32_t r = 0; r < (ranks == 2 ? 1 : ranks); ++r)
        topology.cable(node_of(Rank{r}), node_of(Rank{(r + 1) % ranks}), link);
    return topology;
}

}   // namespace oscar

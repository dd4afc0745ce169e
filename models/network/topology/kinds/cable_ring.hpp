// Each rank cabled to its two neighbours; messages to others are forwarded by routers, if there are any.
#pragma once

#include "models/network/topology/kinds/lattice.hpp"
#include "models/network/topology/kinds/sizes.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct CableRingParams {
    std::uint32_t nodes = 0;
    bool forwards = false;
    static constexpr auto fields() {
        using C = CableRingParams;
        return Entries{
            field("nodes", &C::nodes, "ranks in the ring; 0: `ranks`", 0u, 65535u),
            field("forwards", &C::forwards,
                  "each rank has a router, which is in the ring and forwards what others send, the shorter way round; "
                  "needs two virtual channels. false: no switches, and ranks reach their neighbours alone"),
        };
    }
};

/// A cable has both directions: two ranks have one cable, n have n. A ring that forwards is the torus of one dimension:
/// of the two ways to the rank opposite, a rank of even number takes the rising one, and of odd number the falling one.
inline Topology make_topology(const CableRingParams& params, std::uint32_t ranks, const LinkParams& link) {
    check_nodes(params.nodes, ranks);
    if (params.forwards) return make_lattice({{ranks}, Placement::row_major}, ranks, true, link);
    Topology topology{ranks, 0};
    for (std::uint32_t r = 0; r < (ranks == 2 ? 1 : ranks); ++r)
        topology.cable(node_of(Rank{r}), node_of(Rank{(r + 1) % ranks}), link);
    return topology;
}

}   // namespace oscar

#include "models/network/topology/kinds/cable_ring.hpp"

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {

Topology make_topology(const CableRingParams& params, std::uint32_t ranks, const LinkParams& link) {
    check_nodes(params.nodes, ranks);
    Topology topology{ranks, 0};
    for (std::uint32_t r = 0; r < (ranks == 2 ? 1 : ranks); ++r) topology.cable(r, (r + 1) % ranks, link);
    return topology;
}

}   // namespace oscar

#include "models/network/topology/kinds/star.hpp"

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {

Topology make_topology(const StarParams& params, std::uint32_t ranks, const LinkParams& link) {
    check_nodes(params.nodes, ranks);
    Topology topology{ranks, 1};
    for (std::uint32_t r = 0; r < ranks; ++r) topology.cable(r, topology.switch_node(0), link);
    return topology;
}

}   // namespace oscar

#include "models/network/topology/kinds/hierarchical.hpp"

#include <algorithm>

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {
namespace {

/// Dearer than the island's links, which therefore carry all that can stay inside.
constexpr std::uint32_t nic_cost = 2;

}   // namespace

Topology make_topology(const IslandsParams& params, std::uint32_t ranks, const LinkParams& link) {
    const std::uint32_t island = std::min(params.island, ranks), islands = ceil_div(ranks, island);
    const std::uint32_t rails = params.rails ? params.nics_of(island) : 1, spines = rails > 1 ? params.spines : 0;
    Topology topology{ranks, islands + rails + spines};
    topology.island = island;
    topology.gpus_per_nic = std::min(params.gpus_per_nic, island);
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const std::uint32_t nic = r % island / params.gpus_per_nic;
        const NodeId node = node_of(Rank{r}), rail = topology.switch_node(islands + (params.rails ? nic : 0));
        topology.cable(node, topology.switch_node(r / island), params.island_link.of(link));
        if (topology.nic_of(Rank{r}) == Rank{r}) topology.cable(node, rail, {{}, {}, link, nic_cost});
    }
    for (std::uint32_t rail = 0; rail < rails; ++rail)
        for (std::uint32_t spine = 0; spine < spines; ++spine)
            topology.cable(topology.switch_node(islands + rail), topology.switch_node(islands + rails + spine), link);
    return topology;
}

}   // namespace oscar

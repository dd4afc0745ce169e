#include "models/network/topology/kinds/leaf_spine.hpp"

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {
namespace {

/// With a number for each 0. The leaves are as numerous as the ranks of a leaf, where nothing else is said.
LeafSpineParams sized(LeafSpineParams p, std::uint32_t ranks) {
    if (p.leaves == 0 && p.hosts == 0)
        while (p.hosts * p.hosts < ranks) ++p.hosts;
    if (p.leaves == 0) p.leaves = ceil_div(ranks, p.hosts);
    if (p.hosts == 0) p.hosts = ceil_div(ranks, p.leaves);
    if (p.spines == 0) p.spines = ceil_div(p.hosts, p.oversubscription * p.links);
    if (std::uint64_t{p.leaves} * p.hosts < ranks)
        refuse_size(std::uint64_t{p.leaves} * p.hosts, ranks, "raise leaves or hosts, or leave one of them at 0");
    return p;
}

}   // namespace

Topology make_topology(const LeafSpineParams& params, std::uint32_t ranks, const LinkParams& link) {
    const LeafSpineParams p = sized(params, ranks);
    Topology topology{ranks, p.leaves + p.spines};
    for (std::uint32_t r = 0; r < ranks; ++r) topology.cable(node_of(Rank{r}), topology.switch_node(r / p.hosts), link);
    for (std::uint32_t leaf = 0; leaf < p.leaves; ++leaf)
        for (std::uint32_t spine = 0; spine < p.spines; ++spine)
            for (std::uint32_t i = 0; i < p.links; ++i)
                topology.cable(topology.switch_node(leaf), topology.switch_node(p.leaves + spine),
                               p.spine_link.of(link));
    return topology;
}

}   // namespace oscar

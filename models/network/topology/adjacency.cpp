#include "models/network/topology/adjacency.hpp"

#include <algorithm>
#include <numeric>

namespace oscar {

Adjacency::Lists Adjacency::lists(const Topology& topology, NodeId Topology::Edge::*here,
                                  NodeId Topology::Edge::*there) {
    const auto& edges = topology.edges;
    Lists lists{{}, std::vector<std::uint32_t>(topology.nodes() + 1)};
    for (const auto& edge : edges) ++lists.begin[(edge.*here).value + 1];
    std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
    for (const EdgeId e : edges.indices()) lists.edges.push_back(e);
    std::ranges::stable_sort(lists.edges, {}, [&](EdgeId e) { return std::pair{edges[e].*here, edges[e].*there}; });
    return lists;
}

Adjacency::Adjacency(const Topology& topology)
    : topology_(&topology),
      out_(lists(topology, &Topology::Edge::from, &Topology::Edge::to)),
      in_(lists(topology, &Topology::Edge::to, &Topology::Edge::from)) {}

std::span<const EdgeId> Adjacency::to_switches(NodeId node) const {
    const auto all = out(node);
    const auto first =
        std::ranges::lower_bound(all, topology_->switch_node(0), {}, [&](EdgeId e) { return topology_->edges[e].to; });
    return {first, all.end()};
}

std::span<const EdgeId> Adjacency::between(NodeId node, NodeId to) const {
    const auto all = out(node);
    const auto end_of = [&](EdgeId edge) { return topology_->edges[edge].to; };
    return {std::ranges::lower_bound(all, to, {}, end_of), std::ranges::upper_bound(all, to, {}, end_of)};
}

}   // namespace oscar

// Topologies for tests: one of each kind for any number of ranks, and ways found by brute force.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/kinds/topologies.hpp"

namespace oscar::test {

/// The defaults, but for what has none: a graph of two switches that share the ranks.
template <class P>
P sample(std::uint32_t) {
    return {};
}
template <>
inline GraphParams sample<GraphParams>(std::uint32_t ranks) {
    GraphParams graph;
    graph.switches = 2;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        GraphEdge edge;
        edge.from = "rank" + std::to_string(r);
        edge.to = "switch" + std::to_string(r % 2);
        graph.edges.push_back(edge);
    }
    GraphEdge trunk;
    trunk.from = "switch0";
    trunk.to = "switch1";
    graph.edges.push_back(trunk);
    return graph;
}

/// A ring of `n` switches with a rank each, as a graph; `datelines` of its links, from the last on, are such.
inline GraphParams switch_ring(std::uint32_t n, std::uint32_t datelines) {
    GraphParams graph;
    graph.switches = n;
    for (std::uint32_t i = 0; i < n; ++i) {
        GraphEdge down, along;
        down.from = "rank" + std::to_string(i);
        down.to = along.from = "switch" + std::to_string(i);
        along.to = "switch" + std::to_string((i + 1) % n);
        along.dateline = i + datelines >= n;
        graph.edges.push_back(down);
        graph.edges.push_back(along);
    }
    return graph;
}

/// Calls f(name, topology) for each kind of the family.
template <class F>
void for_each_topology(std::uint32_t ranks, F&& f) {
    for_each_kind(topologies, [&]<class P>(const Kind<P>& kind) {
        f(kind.name, make_topology(TopologyKind{sample<P>(ranks)}, ranks, LinkParams{}));
    });
}

inline constexpr std::uint32_t no_way = std::numeric_limits<std::uint32_t>::max();

/// To each node the least cost from rank `from`, by relaxing every link until nothing changes; ranks forward nothing.
inline IndexedVector<NodeId, std::uint32_t> least_costs(const Topology& topology, Rank from) {
    IndexedVector<NodeId, std::uint32_t> costs(topology.nodes(), no_way);
    costs[node_of(from)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& edge : topology.edges) {
            if (costs[edge.from] == no_way || (edge.from != node_of(from) && !topology.is_switch(edge.from))) continue;
            if (costs[edge.from] + edge.cost >= costs[edge.to]) continue;
            costs[edge.to] = costs[edge.from] + edge.cost;
            changed = true;
        }
    }
    return costs;
}

inline std::uint32_t cost_of(const Topology& topology, std::span<const Hop> path) {
    std::uint32_t cost = 0;
    for (const Hop& hop : path) cost += topology.edges[hop.edge].cost;
    return cost;
}

/// Whether the hops lead from one rank to another through switches alone.
inline bool connects(const Topology& topology, std::span<const Hop> path, Rank from, Rank to) {
    if (path.empty() || topology.edges[path.front().edge].from != node_of(from) ||
        topology.edges[path.back().edge].to != node_of(to))
        return false;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const NodeId node = topology.edges[path[i].edge].from;
        if (node != topology.edges[path[i - 1].edge].to || !topology.is_switch(node)) return false;
    }
    return true;
}

}   // namespace oscar::test

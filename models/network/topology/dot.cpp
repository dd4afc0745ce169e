#include "models/network/topology/dot.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "models/core/quantity.hpp"

namespace oscar {
namespace {

/// More ranks than this are drawn below each other, because a page is not that wide.
constexpr std::uint32_t most_in_a_row = 16;

/// For each link whether it is drawn, and whether it stands for its opposite too.
enum class Drawn : std::uint8_t { arrow, line, elsewhere };

IndexedVector<EdgeId, Drawn> merge_directions(const Topology& topology) {
    using Link = std::tuple<NodeId, NodeId, std::uint64_t, std::int64_t, std::uint64_t>;
    const auto key = [](NodeId from, NodeId to, const LinkParams& link) {
        return Link{from, to, link.bandwidth.mbps, link.propagation.ps, link.buffer.count};
    };
    IndexedVector<EdgeId, Drawn> drawn(topology.edges.size(), Drawn::arrow);
    std::multimap<Link, EdgeId> single;   // links that have not met their opposite
    for (const EdgeId e : topology.edges.indices()) {
        const auto& edge = topology.edges[e];
        if (const auto opposite = single.find(key(edge.to, edge.from, edge.link)); opposite != single.end()) {
            drawn[opposite->second] = Drawn::line;
            drawn[e] = Drawn::elsewhere;
            single.erase(opposite);
        } else {
            single.emplace(key(edge.from, edge.to, edge.link), e);
        }
    }
    return drawn;
}

/// The bandwidth that most links have; of several the lowest.
Bandwidth usual_bandwidth(const Topology& topology) {
    std::map<std::uint64_t, std::size_t> links;
    for (const auto& edge : topology.edges) ++links[edge.link.bandwidth.mbps];
    const auto most = std::ranges::max_element(links, {}, [](const auto& entry) { return entry.second; });
    return most == links.end() ? Bandwidth{} : Bandwidth{most->first};
}

std::string attributes(const LinkParams& link, Bandwidth usual, Drawn drawn) {
    std::string text = link.bandwidth == usual ? "" : "label=\"" + to_text(link.bandwidth) + "\"";
    if (drawn == Drawn::line) text += text.empty() ? "dir=none" : ", dir=none";
    return text.empty() ? "" : " [" + text + "]";
}

/// Of each node, hops to the nearest rank: 0 for ranks, 1 for the switches that they are cabled to.
IndexedVector<NodeId, std::uint32_t> tiers(const Topology& topology) {
    IndexedVector<NodeId, std::uint32_t> tier(topology.nodes(), Topology::none);
    std::fill_n(tier.begin(), topology.ranks, 0U);
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& edge : topology.edges) {
            if (tier[edge.from] == Topology::none || tier[edge.to] <= tier[edge.from] + 1) continue;
            tier[edge.to] = tier[edge.from] + 1;
            changed = true;
        }
    }
    return tier;
}

/// Ranks are boxes, switches circles in a blue that darkens from tier to tier.
std::string node_attributes(std::uint32_t tier) {
    static constexpr std::uint32_t darkest = 6;   // below which Brewer's blues leave black text readable
    if (tier == 0) return "shape=box";
    return "shape=circle, style=filled, fillcolor=\"/blues9/" + std::to_string(std::min(2 * tier, darkest)) + "\"";
}

/// Of each node, the number of the island that it belongs to: of a rank, and of a switch that is cabled to ranks of one
/// island alone; none for others, and where there are no islands.
IndexedVector<NodeId, std::uint32_t> islands_of_nodes(const Topology& topology) {
    IndexedVector<NodeId, std::uint32_t> island(topology.nodes(), Topology::none);
    if (topology.island <= 1) return island;
    for (std::uint32_t rank = 0; rank < topology.ranks; ++rank) island[node_of(Rank{rank})] = rank / topology.island;
    IndexedVector<NodeId, bool> is_shared(topology.nodes());
    for (const auto& edge : topology.edges) {
        if (!topology.is_switch(edge.to)) continue;
        const bool is_first = island[edge.to] == Topology::none;
        if (topology.is_switch(edge.from) || (!is_first && island[edge.to] != island[edge.from]))
            is_shared[edge.to] = true;
        else island[edge.to] = island[edge.from];
    }
    for (const NodeId node : topology.node_ids())
        if (is_shared[node]) island[node] = Topology::none;
    return island;
}

/// The nodes; the nodes of an island are in a frame of their own.
std::string drawn_nodes(const Topology& topology, const IndexedVector<NodeId, std::uint32_t>& island) {
    const IndexedVector<NodeId, std::uint32_t> tier = tiers(topology);
    std::string alone;
    std::map<std::uint32_t, std::string> framed;
    for (const NodeId node : topology.node_ids()) {
        std::string& text = island[node] == Topology::none ? alone : framed[island[node]];
        text += (island[node] == Topology::none ? "    " : "        ") + topology.node_name(node) + " [" +
                node_attributes(tier[node]) + "];\n";
    }
    std::string text;
    for (const auto& [number, nodes] : framed) {
        const std::string name = std::to_string(number);
        text += "    subgraph cluster_" + name + " {\n        label=\"island " + name + "\";\n" + nodes + "    }\n";
    }
    return text + alone;
}

/// The ends of a link. A line inside an island begins at its switch, so that ranks lie between that and their rails.
std::string drawn_edge(const Topology& topology, EdgeId number, const IndexedVector<NodeId, std::uint32_t>& island,
                       Drawn drawn) {
    const auto& edge = topology.edges[number];
    const bool is_inside = island[edge.from] != Topology::none && island[edge.from] == island[edge.to];
    if (drawn == Drawn::line && is_inside && !topology.is_switch(edge.from))
        return topology.node_name(edge.to) + "->" + topology.node_name(edge.from);
    return topology.edge_name(number);
}

}   // namespace

// Boost.Graph would write a copy of the topology in a graph of its own, and not one line for two directions.
std::string to_dot(const Topology& topology) {
    const Bandwidth usual = usual_bandwidth(topology);
    std::string text = "digraph topology {\n    label=\"links of " + to_text(usual) + "\";\n";
    if (topology.ranks > most_in_a_row) text += "    rankdir=LR;\n";
    const IndexedVector<NodeId, std::uint32_t> island = islands_of_nodes(topology);
    text += drawn_nodes(topology, island);
    const IndexedVector<EdgeId, Drawn> drawn = merge_directions(topology);
    for (const EdgeId e : drawn.indices()) {
        if (drawn[e] == Drawn::elsewhere) continue;
        text += "    " + drawn_edge(topology, e, island, drawn[e]) +
                attributes(topology.edges[e].link, usual, drawn[e]) + ";\n";
    }
    return text + "}\n";
}

}   // namespace oscar

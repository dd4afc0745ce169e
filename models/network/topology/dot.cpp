#include "models/network/topology/dot.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "models/core/quantity.hpp"

namespace oscar::inline network {
namespace {

/// For each link whether it is drawn, and whether it stands for its opposite too.
enum class Drawn : std::uint8_t { arrow, line, elsewhere };

std::vector<Drawn> merge_directions(const Topology& topology) {
    using Link = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::int64_t, std::uint64_t>;
    const auto key = [](std::uint32_t from, std::uint32_t to, const LinkParams& link) {
        return Link{from, to, link.bandwidth.mbps, link.propagation.ps, link.buffer.count};
    };
    std::vector<Drawn> drawn(topology.edges.size(), Drawn::arrow);
    std::multimap<Link, std::size_t> single;   // links that have not met their opposite
    for (std::size_t e = 0; e < topology.edges.size(); ++e) {
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

/// [node], hops to the nearest rank: 0 for ranks, 1 for the switches that they are cabled to.
std::vector<std::uint32_t> tiers(const Topology& topology) {
    std::vector<std::uint32_t> tier(topology.nodes(), Topology::none);
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

}   // namespace

// Boost.Graph would write a copy of the topology in a graph of its own, and not one line for two directions.
std::string to_dot(const Topology& topology) {
    const Bandwidth usual = usual_bandwidth(topology);
    std::string text = "digraph topology {\n    label=\"links of " + to_text(usual) + "\";\n";
    const std::vector<std::uint32_t> tier = tiers(topology);
    for (std::uint32_t node = 0; node < topology.nodes(); ++node)
        text += "    " + topology.node_name(node) + " [" + node_attributes(tier[node]) + "];\n";
    const std::vector<Drawn> drawn = merge_directions(topology);
    for (std::size_t e = 0; e < drawn.size(); ++e) {
        if (drawn[e] == Drawn::elsewhere) continue;
        text += "    " + topology.edge_name(static_cast<std::uint32_t>(e)) +
                attributes(topology.edges[e].link, usual, drawn[e]) + ";\n";
    }
    return text + "}\n";
}

}   // namespace oscar::inline network

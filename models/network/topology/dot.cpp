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

}   // namespace

// Boost.Graph would write a copy of the topology in a graph of its own, and not one line for two directions.
std::string to_dot(const Topology& topology) {
    const Bandwidth usual = usual_bandwidth(topology);
    std::string text = "digraph topology {\n    label=\"links of " + to_text(usual) + "\";\n";
    for (std::uint32_t node = 0; node < topology.nodes(); ++node)
        text += "    " + topology.node_name(node) + " [shape=" + (topology.is_switch(node) ? "circle" : "box") + "];\n";
    const std::vector<Drawn> drawn = merge_directions(topology);
    for (std::size_t e = 0; e < drawn.size(); ++e) {
        if (drawn[e] == Drawn::elsewhere) continue;
        text += "    " + topology.edge_name(static_cast<std::uint32_t>(e)) +
                attributes(topology.edges[e].link, usual, drawn[e]) + ";\n";
    }
    return text + "}\n";
}

}   // namespace oscar::inline network

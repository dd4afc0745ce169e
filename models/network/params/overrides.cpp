#include "models/network/params/overrides.hpp"

#include <algorithm>
#include <stdexcept>

namespace oscar {
namespace {

bool chosen(const LinkOverride& change, const Topology& topology, EdgeId e) {
    const Topology::Edge& edge = topology.edges[e];
    if (change.link.empty() && change.node.empty()) return false;
    if (!change.link.empty() && !matches(change.link, topology.edge_name(e))) return false;
    return change.node.empty() || matches(change.node, topology.node_name(edge.from)) ||
           matches(change.node, topology.node_name(edge.to));
}

}   // namespace

bool matches(std::string_view pattern, std::string_view name) {
    std::size_t p = 0, n = 0, star = std::string_view::npos, behind = 0;   // `behind`: what the last star takes
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            behind = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++behind;
        } else {
            return false;
        }
    }
    return std::ranges::all_of(pattern.substr(p), [](char c) { return c == '*'; });
}

std::optional<std::size_t> apply_overrides(const std::vector<LinkOverride>& overrides, Topology& topology) {
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        bool any = false;
        for (const EdgeId e : topology.edges.indices()) {
            if (!chosen(overrides[i], topology, e)) continue;
            any = true;
            topology.edges[e].link = overrides[i].of(topology.edges[e].link);
        }
        if (!any) return i;
    }
    return std::nullopt;
}

Topology make_topology(const NetworkParams& network, std::uint32_t ranks) {
    Topology topology = make_topology(network.topology, ranks, network.link);
    if (const auto unmatched = apply_overrides(network.overrides, topology))
        throw std::invalid_argument("overrides." + std::to_string(*unmatched) + " names no link");
    return topology;
}

}   // namespace oscar

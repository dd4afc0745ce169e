#include "models/network/topology/kinds/graph.hpp"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "models/network/topology/lines.hpp"

namespace oscar {
namespace {

/// The number after `word` in `name`, if it is below `count`.
std::optional<std::uint32_t> number_behind(std::string_view word, std::string_view name, std::uint32_t count) {
    if (!name.starts_with(word)) return std::nullopt;
    name.remove_prefix(word.size());
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || stop != name.data() + name.size() || number >= count) return std::nullopt;
    return number;
}

std::string names(std::string_view word, std::uint32_t count) {
    if (count == 0) return "no " + std::string(word);
    return std::string(word) + "0 to " + std::string(word) + std::to_string(count - 1);
}

NodeId node_named(const Topology& topology, const std::string& name, std::size_t edge) {
    if (const auto rank = number_behind("rank", name, topology.ranks)) return node_of(Rank{*rank});
    if (const auto number = number_behind("switch", name, topology.switches)) return topology.switch_node(*number);
    throw std::invalid_argument("edges." + std::to_string(edge) + ": no node '" + name + "'; there are " +
                                names("rank", topology.ranks) + " and " + names("switch", topology.switches));
}

}   // namespace

Topology make_topology(const GraphParams& params, std::uint32_t ranks, const LinkParams& link) {
    Topology topology{ranks, params.switches};
    for (std::size_t i = 0; i < params.edges.size(); ++i) {
        const GraphEdge& edge = params.edges[i];
        const NodeId from = node_named(topology, edge.from, i), to = node_named(topology, edge.to, i);
        if (from == to)
            throw std::invalid_argument("edges." + std::to_string(i) + ": leads from " + edge.from +
                                        " to itself; name two nodes");
        topology.cable(from, to, {from, to, edge.of(link), edge.cost, edge.dateline});
        if (edge.one_way) topology.edges.pop_back();
    }
    if (const auto lines = find_lines(topology))
        for (const EdgeId e : topology.edges.indices()) {
            topology.edges[e].line = lines->line[e];
            topology.edges[e].dimension = lines->dimension[e];
            if (const auto ends = lines->rising[e]) topology.place(e, *lines->back[e], ends->from, ends->to);
        }
    return topology;
}

}   // namespace oscar

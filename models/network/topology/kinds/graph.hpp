// Any graph, written as a list of its links.
#pragma once

#include <string>

#include "models/network/topology/topology.hpp"

namespace oscar {

struct GraphEdge : LinkChange {
    std::string from = {}, to = {};
    bool one_way = false;
    std::uint32_t cost = 1;
    bool dateline = false;
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("from", &GraphEdge::from, "name of a node, like rank0 or switch0"),
                field("to", &GraphEdge::to, "name of a node, like rank0 or switch0"),
                field("one_way", &GraphEdge::one_way, "link from `from` to `to` only; else in both directions"),
                field("cost", &GraphEdge::cost, "cost in hops; packets take the cheapest path", 1u, 1000u),
                field("dateline", &GraphEdge::dateline,
                      "dateline: packets that cross it use the second class of virtual channels, which breaks a cycle "
                      "of waits; in a torus, until they turn into another dimension"),
            },
            LinkChange::fields());
    }
};

struct GraphParams {
    std::uint32_t switches = 0;
    std::vector<GraphEdge> edges = {};
    static constexpr auto fields() {
        return Entries{
            field("switches", &GraphParams::switches, "number of switches, named from switch0 on", 0u, 65535u),
            field("edges", &GraphParams::edges, "list of links; ranks are named from rank0 on"),
        };
    }
};

/// Where datelines close lines (models/network/topology/lines.hpp), each link between switches has its line and
/// dimension. Throws std::invalid_argument for an edge with an unknown end or from a node to itself.
Topology make_topology(const GraphParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar

#include "models/network/topology/topology.hpp"

namespace oscar {

std::string node_name(NodeId node, std::uint32_t ranks) {
    return node.value < ranks ? "rank" + std::to_string(node.value) : "switch" + std::to_string(node.value - ranks);
}

std::string Topology::edge_name(EdgeId edge) const {
    return node_name(edges[edge].from) + "->" + node_name(edges[edge].to);
}

void Topology::cable(NodeId a, NodeId b, const Edge& edge) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        edges.push_back(edge);
        edges.back().from = from;
        edges.back().to = to;
    }
}

void Topology::place(EdgeId rising, EdgeId falling, std::uint32_t i, std::uint32_t j) {
    edges[rising].place = i;
    edges[rising].rises = true;
    edges[falling].place = j;
}

}   // namespace oscar

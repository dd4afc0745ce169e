#include "models/network/topology/topology.hpp"

namespace oscar {

std::string node_name(std::uint32_t node, std::uint32_t ranks) {
    return node < ranks ? "rank" + std::to_string(node) : "switch" + std::to_string(node - ranks);
}

std::string Topology::edge_name(EdgeId edge) const {
    return node_name(edges[edge].from) + "->" + node_name(edges[edge].to);
}

void Topology::cable(std::uint32_t a, std::uint32_t b, const Edge& edge) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        edges.push_back(edge);
        edges.back().from = from;
        edges.back().to = to;
    }
}

}   // namespace oscar

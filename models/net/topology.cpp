#include "models/net/topology.hpp"

#include "models/net/packet.hpp"

namespace oscar {
namespace {

void check_nodes(std::uint32_t nodes, std::uint32_t ranks) {
    if (nodes != 0 && nodes != ranks)
        throw std::invalid_argument("the topology has " + std::to_string(nodes) + " nodes, the run " +
                                    std::to_string(ranks) + " ranks; make them equal, or leave nodes at 0");
}

Topology unconnected(std::uint32_t ranks, std::uint32_t switches) {
    Topology topology{ranks, switches, {}, {}};
    topology.next.assign(topology.nodes(), std::vector<std::optional<std::uint32_t>>(ranks));
    return topology;
}

std::uint32_t connect(Topology& topology, std::uint32_t from, std::uint32_t to) {
    topology.edges.push_back({from, to});
    return static_cast<std::uint32_t>(topology.edges.size() - 1);
}

}   // namespace

std::string Topology::node_name(std::uint32_t node) const {
    return is_switch(node) ? "switch" + std::to_string(node - ranks) : "rank" + std::to_string(node);
}

std::string Topology::edge_name(std::uint32_t edge) const {
    return node_name(edges[edge].from) + "->" + node_name(edges[edge].to);
}

std::vector<std::uint32_t> Topology::path(Rank from, Rank to) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t node = from.value; node != to.value; node = edges[result.back()].to) {
        const auto edge = next[node][to.value];
        if (!edge || (node != from.value && !is_switch(node))) return {};   // a rank forwards nothing
        result.push_back(*edge);
    }
    return result;
}

Topology make_topology(const StarParams& params, std::uint32_t ranks) {
    check_nodes(params.nodes, ranks);
    Topology topology = unconnected(ranks, 1);
    const std::uint32_t hub = ranks;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const std::uint32_t up = connect(topology, r, hub);
        for (std::uint32_t to = 0; to < ranks; ++to)
            if (to != r) topology.next[r][to] = up;
        topology.next[hub][r] = connect(topology, hub, r);
    }
    return topology;
}

Topology make_topology(const CableRingParams& params, std::uint32_t ranks) {
    check_nodes(params.nodes, ranks);
    Topology topology = unconnected(ranks, 0);
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const std::uint32_t right = (r + 1) % ranks;
        topology.next[r][right] = connect(topology, r, right);
        if (ranks > 2) topology.next[right][r] = connect(topology, right, r);
    }
    return topology;
}

Topology make_topology(const TopologyKind& kind, std::uint32_t ranks) {
    return std::visit([&](const auto& params) { return make_topology(params, ranks); }, kind.params);
}

Time idle_transit(std::size_t links, const NetworkParams& network, Bytes wire) {
    const auto hops = static_cast<std::int64_t>(links);
    const Time flit = serialization(first_flit(wire, network.flit), network.link.bandwidth);
    return hops * network.link.propagation + (hops - 1) * (network.router.latency + flit);
}

Time idle_transit(const Topology& topology, const NetworkParams& network, Rank from, Rank to, Bytes wire) {
    return idle_transit(topology.path(from, to).size(), network, wire);
}

}   // namespace oscar

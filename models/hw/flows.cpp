#include "models/hw/flows.hpp"

namespace oscar {

FabricParams fabric_of(const Topology& topology, const NetworkParams& network, Time nic_latency) {
    FabricParams params{{}, network.flit, 1};
    for (const Topology::Edge& edge : topology.edges)
        params.links.push_back(
            {edge.from, edge.to, network.link, topology.is_switch(edge.to) ? network.router.latency : nic_latency});
    return params;
}

const Flows::Flow& Flows::between(Rank from, Rank to) {
    const auto [found, added] = flows_.try_emplace((std::uint64_t{from.value} << 32) + to.value);
    Flow& flow = found->second;
    if (!added) return flow;
    for (const std::uint32_t edge : topology_.path(from, to)) flow.path.push_back({edge});
    flow.id = fabric_.add_flow(flow.path, to.value);
    return flow;
}

std::vector<Hop> Flows::way_back(std::span<const Hop> path) const {
    std::vector<Hop> back;
    const Rank from{topology_.edges[path.back().edge].to}, to{topology_.edges[path.front().edge].from};
    for (const std::uint32_t edge : topology_.path(from, to)) back.push_back({edge});
    return back;
}

}   // namespace oscar

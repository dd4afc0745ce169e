#include "models/nic/wire/flow_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace oscar {

FabricParams fabric_of(const Topology& topology, const NetworkParams& network, std::span<const Time> nic_latencies) {
    FabricParams params{{}, network.flit, network.virtual_channels, topology.grid};
    for (const Topology::Edge& edge : topology.edges) {
        LinkParams link = edge.link;
        link.buffer.count /= network.virtual_channels;
        params.links.push_back(
            {edge.from, edge.to, link,
             topology.is_switch(edge.to) ? network.switches.latency : nic_latencies[rank_of(edge.to).value]});
    }
    return params;
}

std::span<const Hop> FlowTable::path_between(Rank from, Rank to, std::uint32_t sequence) const {
    if (std::max(from, to).value >= topology().ranks) return tree_->path_between(from, to);
    const std::span<const Hop> path = routes_.path(from, to, sequence);
    if (!path.empty()) return path;
    throw std::invalid_argument("no path from rank " + std::to_string(from.value) + " to rank " +
                                std::to_string(to.value) + "; choose another topology");
}

/// At the first link of a path: one of each receiver, of each channel and of each rank that shares the NIC.
std::uint32_t FlowTable::queue_of(Rank from, Rank to, std::uint32_t channel) const {
    if (queue_) return *queue_;
    const std::uint32_t sharing = topology().gpus_per_nic, at_nic = from.value % topology().island % sharing;
    return (channel * sharing + at_nic) * topology().nodes() + to.value;
}

const FlowTable::Flow& FlowTable::of(Rank from, Rank to, std::uint32_t channel, std::uint32_t sequence) {
    const std::span<const Hop> path = path_between(from, to, sequence);
    const auto [found, added] = flows_.try_emplace({from, to, channel, path.data()});
    if (!added) return found->second;
    found->second = {fabric_.add_flow(path, queue_of(from, to, channel)), path};
    if (queue_) fabric_.count_separately(found->second.id);
    return found->second;
}

Rank FlowTable::participant_at(NodeId node) const {
    if (!topology().is_switch(node)) return rank_of(node);
    const auto number = std::ranges::find(tree_->switches, node) - tree_->switches.begin();
    return Rank{topology().ranks + static_cast<std::uint32_t>(number)};
}

std::vector<Hop> FlowTable::reverse_path(std::span<const Hop> path) const {
    const auto& edges = topology().edges;
    const auto back =
        path_between(participant_at(edges[path.back().edge].to), participant_at(edges[path.front().edge].from), 0);
    return {back.begin(), back.end()};
}

}   // namespace oscar

#include "sim/parameters/nodes.hpp"

#include <algorithm>

#include "models/core/rank_ranges.hpp"
#include "sim/config/read.hpp"
#include "sim/parameters/nccl.hpp"

namespace oscar {

void read_nodes(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
        NodeChange& change = p.nodes[i];
        change.gpu = p.gpu;
        change.nic = p.nic;
        change.engine = p.engine;
        read(experiment.source.child("nodes").child(std::to_string(i)), change);
    }
}

Nodes nodes_of(const Parameters& p) {
    Nodes nodes(simulated_ranks(p), NodeParams{p.gpu, p.nic, p.engine});
    for (const NodeChange& change : p.nodes)
        for (const Rank rank : ranks_in(change.ranks)) nodes[rank.value] = {change.gpu, change.nic, change.engine};
    if (nccl_in(p) != nullptr)
        for (NodeParams& node : nodes) node = with_kernels_of_nccl(node, p);
    return nodes;
}

std::uint32_t gpus_per_nic(const Parameters& p) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    return islands != nullptr ? std::min(islands->gpus_per_nic, islands->island) : 1;
}

std::uint32_t island_of_tiers(const Parameters& p) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    return islands != nullptr && islands->island < p.ranks ? islands->island : 1;
}

EngineParams engine_of_a_rank(const Parameters& p) {
    EngineParams engine = p.engine;
    engine.table_sram.count /= gpus_per_nic(p);
    engine.mask_sram.count /= gpus_per_nic(p);
    return engine;
}

std::vector<Time> nic_latencies_of(const Parameters& p) {
    std::vector<Time> latencies;
    for (const NodeParams& node : nodes_of(p)) latencies.push_back(node.nic.latency);
    return latencies;
}

std::vector<Time> start_delays_of(const Parameters& p) {
    std::vector<Time> late(p.ranks);
    for (const NodeChange& change : p.nodes)
        for (const Rank rank : ranks_in(change.ranks)) late[rank.value] = change.start_delay;
    return late;
}

double slowdown_of(const Parameters& p) {
    std::vector<double> slowdown(p.ranks, 1);
    for (const NodeChange& change : p.nodes)
        for (const Rank rank : ranks_in(change.ranks)) slowdown[rank.value] = change.slowdown;
    return *std::ranges::max_element(slowdown);
}

}   // namespace oscar

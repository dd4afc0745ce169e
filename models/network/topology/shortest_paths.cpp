#include "models/network/topology/shortest_paths.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace oscar {

ShortestPaths::ShortestPaths(const Topology& topology)
    : topology_(&topology), adjacency_(topology), costs_to_(topology.ranks) {}

/// Dijkstra from the rank backwards, over switches alone.
std::vector<std::uint32_t> ShortestPaths::search(const Attachment& attachment) const {
    std::vector<std::uint32_t> costs(topology_->switches, none);
    using Reached = std::pair<std::uint32_t, NodeId>;   // at this cost
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    const auto reach = [&](NodeId node, std::uint32_t cost) {
        if (!topology_->is_switch(node) || costs[topology_->switch_number(node)] <= cost) return;
        costs[topology_->switch_number(node)] = cost;
        next.emplace(cost, node);
    };
    for (const auto& [node, cost] : attachment) reach(node, cost);
    while (!next.empty()) {
        const auto [cost, node] = next.top();
        next.pop();
        if (costs[topology_->switch_number(node)] < cost) continue;
        for (const EdgeId e : adjacency_.in(node)) reach(topology_->edges[e].from, cost + topology_->edges[e].cost);
    }
    return costs;
}

const std::vector<std::uint32_t>& ShortestPaths::costs_to(Rank to) const {
    if (const auto* cached = costs_to_[to.value]) return *cached;
    Attachment attachment;
    for (const EdgeId e : adjacency_.in(node_of(to)))
        attachment.emplace_back(topology_->edges[e].from, topology_->edges[e].cost);
    std::ranges::sort(attachment);
    const auto found = costs_.find(attachment);
    const auto& costs = found != costs_.end() ? found->second : costs_[attachment] = search(attachment);
    costs_to_[to.value] = &costs;
    return costs;
}

std::uint32_t ShortestPaths::cost_over(EdgeId edge, const std::vector<std::uint32_t>& costs) const {
    const std::uint32_t rest = costs[topology_->switch_number(topology_->edges[edge].to)];
    return rest == none ? none : rest + topology_->edges[edge].cost;
}

std::uint32_t ShortestPaths::cost(Rank from, Rank to) const {
    if (from == to) return 0;
    const auto& costs = costs_to(to);
    std::uint32_t least = none;
    for (const EdgeId e : adjacency_.between(node_of(from), node_of(to)))
        least = std::min(least, topology_->edges[e].cost);
    for (const EdgeId e : adjacency_.to_switches(node_of(from))) least = std::min(least, cost_over(e, costs));
    return least;
}

std::span<const EdgeId> ShortestPaths::choices(NodeId node, Rank to) const {
    choices_.clear();
    const auto& costs = costs_to(to);
    const std::uint32_t least =
        topology_->is_switch(node) ? costs[topology_->switch_number(node)] : cost(rank_of(node), to);
    if (least == none) return {};
    for (const EdgeId e : adjacency_.between(node, node_of(to)))
        if (topology_->edges[e].cost == least) choices_.push_back(e);
    for (const EdgeId e : adjacency_.to_switches(node))
        if (cost_over(e, costs) == least) choices_.push_back(e);
    return choices_;
}

}   // namespace oscar

#include "models/network/topology/aggregation_tree.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "models/network/topology/adjacency.hpp"

namespace oscar {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
    throw std::invalid_argument("in_network adds in switches, and " + reason +
                                "; choose star, fat_tree, leaf_spine, hierarchical or a graph with such switches");
}

/// Every node that a switch reaches and that reaches it, over switches alone.
struct Spanning {
    struct Place {
        std::optional<NodeId> parent;
        EdgeId up, down;   ///< the links to it and from it
        std::uint32_t depth = 0;
    };
    std::vector<NodeId> order;   ///< by depth
    IndexedVector<NodeId, Place> places;
};

Spanning spanning_from(NodeId root, const Topology& topology, const Adjacency& adjacency) {
    Spanning tree{{root}, IndexedVector<NodeId, Spanning::Place>(topology.nodes())};
    for (std::size_t next = 0; next < tree.order.size(); ++next) {
        const NodeId node = tree.order[next];
        if (!topology.is_switch(node)) continue;   // ranks forward nothing
        for (const EdgeId up : adjacency.in(node)) {
            const NodeId child = topology.edges[up].from;
            const auto down = adjacency.between(node, child);
            Spanning::Place& place = tree.places[child];
            if (child == root || place.parent || down.empty()) continue;
            place = {node, up, down.front(), tree.places[node].depth + 1};
            tree.order.push_back(child);
        }
    }
    return tree;
}

/// How far the ranks are: the farthest, all together; nothing if one is not there.
std::optional<std::pair<std::uint32_t, std::uint64_t>> distance(const Spanning& tree, std::uint32_t ranks) {
    std::pair<std::uint32_t, std::uint64_t> result;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const auto& place = tree.places[node_of(Rank{r})];
        if (!place.parent) return std::nullopt;
        result.first = std::max(result.first, place.depth);
        result.second += place.depth;
    }
    return result;
}

Spanning nearest_to_all(const Topology& topology) {
    const Adjacency adjacency(topology);
    std::optional<std::tuple<std::uint32_t, std::uint64_t, NodeId>> best;
    for (std::uint32_t s = 0; s < topology.switches; ++s)
        if (const auto far = distance(spanning_from(topology.switch_node(s), topology, adjacency), topology.ranks)) {
            const std::tuple candidate{far->first, far->second, topology.switch_node(s)};
            best = best ? std::min(*best, candidate) : candidate;
        }
    if (!best) refuse("no switch has a way to and from all ranks over switches alone");
    return spanning_from(std::get<2>(*best), topology, adjacency);
}

/// Of each node, the number of its links to children that lead to ranks.
IndexedVector<NodeId, std::uint32_t> branches(const Spanning& tree, const Topology& topology) {
    IndexedVector<NodeId, std::uint32_t> count(tree.places.size());
    for (std::size_t i = tree.order.size(); i-- > 1;) {
        const NodeId node = tree.order[i];
        if (!topology.is_switch(node) || count[node] > 0) ++count[*tree.places[node].parent];
    }
    return count;
}

}   // namespace

std::span<const Hop> AggregationTree::path_between(Rank from, Rank to) const {
    if (parents.at(from.value) == to) return up[from.value];
    return down.at(to.value);
}

AggregationTree aggregation_tree(const Topology& topology) {
    if (topology.switches == 0) refuse("this topology has none");
    if (topology.gpus_per_nic > 1) refuse("GPUs that share a NIC have no links of their own to them");
    if (topology.grid) refuse("the routers of a mesh or torus each belong to one rank");
    const Spanning spanning = nearest_to_all(topology);
    const IndexedVector<NodeId, std::uint32_t> branch = branches(spanning, topology);
    AggregationTree tree;
    IndexedVector<NodeId, std::optional<Rank>> participant(topology.nodes());
    IndexedVector<Rank, NodeId> nodes;   // of the participants
    for (std::uint32_t r = 0; r < topology.ranks; ++r) nodes.push_back(node_of(Rank{r}));
    for (const NodeId node : spanning.order)
        if (topology.is_switch(node) && branch[node] > 1) {
            participant[node] = nodes.next();
            tree.switches.push_back(node);
            nodes.push_back(node);
        }
    for (const NodeId node : nodes) {
        auto& up = tree.up.emplace_back();
        auto& down = tree.down.emplace_back();
        NodeId at = node;
        while (node != tree.switches.front() && (at == node || !participant[at])) {
            up.push_back({spanning.places[at].up});
            down.insert(down.begin(), Hop{spanning.places[at].down});
            at = *spanning.places[at].parent;
        }
        tree.parents.push_back(*participant[at]);
    }
    return tree;
}

AggregationTree island_trees(const Topology& topology) {
    const Adjacency adjacency(topology);
    AggregationTree trees;
    trees.of_islands = true;
    for (std::uint32_t r = 0; r < topology.ranks; ++r) {
        const NodeId rank = node_of(Rank{r}), at = topology.switch_node(r / topology.island);
        if (r % topology.island == 0) trees.switches.push_back(at);
        trees.parents.push_back(Rank{topology.ranks + r / topology.island});
        trees.up.push_back({Hop{adjacency.between(rank, at).front()}});
        trees.down.push_back({Hop{adjacency.between(at, rank).front()}});
    }
    for (std::uint32_t i = 0; i < trees.switches.size(); ++i) trees.parents.push_back(Rank{topology.ranks + i});
    trees.up.resize(trees.parents.size());
    trees.down.resize(trees.parents.size());
    return trees;
}

}   // namespace oscar

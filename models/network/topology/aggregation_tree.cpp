#include "models/network/topology/aggregation_tree.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "models/network/topology/adjacency.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

[[noreturn]] void refuse(const std::string& reason) {
    throw std::invalid_argument("in_network adds in switches, and " + reason +
                                "; choose star, fat_tree, leaf_spine, hierarchical or a graph with such switches");
}

/// Every node that a switch reaches and that reaches it, over switches alone.
struct Spanning {
    struct Place {
        std::uint32_t parent = none;   ///< a node
        EdgeId up, down;               ///< the links to it and from it
        std::uint32_t depth = 0;
    };
    std::vector<std::uint32_t> order;   ///< of nodes, by depth
    std::vector<Place> places;          ///< per node
};

Spanning spanning_from(std::uint32_t root, const Topology& topology, const Adjacency& adjacency) {
    Spanning tree{{root}, std::vector<Spanning::Place>(topology.nodes())};
    for (std::size_t next = 0; next < tree.order.size(); ++next) {
        const std::uint32_t node = tree.order[next];
        if (!topology.is_switch(node)) continue;   // ranks forward nothing
        for (const EdgeId up : adjacency.in(node)) {
            const std::uint32_t child = topology.edges[up].from;
            const auto down = adjacency.between(node, child);
            Spanning::Place& place = tree.places[child];
            if (child == root || place.parent != none || down.empty()) continue;
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
        const auto& place = tree.places[r];
        if (place.parent == none) return std::nullopt;
        result.first = std::max(result.first, place.depth);
        result.second += place.depth;
    }
    return result;
}

Spanning nearest_to_all(const Topology& topology) {
    const Adjacency adjacency(topology);
    std::optional<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> best;
    for (std::uint32_t s = 0; s < topology.switches; ++s)
        if (const auto far = distance(spanning_from(topology.switch_node(s), topology, adjacency), topology.ranks)) {
            const std::tuple candidate{far->first, far->second, topology.switch_node(s)};
            best = best ? std::min(*best, candidate) : candidate;
        }
    if (!best) refuse("no switch has a way to and from all ranks over switches alone");
    return spanning_from(std::get<2>(*best), topology, adjacency);
}

/// Per node, the number of its links to children that lead to ranks.
std::vector<std::uint32_t> branches(const Spanning& tree, std::uint32_t ranks) {
    std::vector<std::uint32_t> count(tree.places.size());
    for (std::size_t i = tree.order.size(); i-- > 1;) {
        const std::uint32_t node = tree.order[i];
        if (node < ranks || count[node] > 0) ++count[tree.places[node].parent];
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
    if (topology.grid) refuse("the routers of a mesh or torus each belong to one rank");
    const Spanning spanning = nearest_to_all(topology);
    const std::vector<std::uint32_t> branch = branches(spanning, topology.ranks);
    AggregationTree tree;
    std::vector<std::uint32_t> participant(topology.nodes(), none), nodes;
    for (std::uint32_t r = 0; r < topology.ranks; ++r) nodes.push_back(r);
    for (const std::uint32_t node : spanning.order)
        if (topology.is_switch(node) && branch[node] > 1) {
            participant[node] = static_cast<std::uint32_t>(nodes.size());
            tree.switches.push_back(node);
            nodes.push_back(node);
        }
    for (const std::uint32_t node : nodes) {
        auto& up = tree.up.emplace_back();
        auto& down = tree.down.emplace_back();
        std::uint32_t at = node;
        while (node != tree.switches.front() && (at == node || participant[at] == none)) {
            up.push_back({spanning.places[at].up});
            down.insert(down.begin(), Hop{spanning.places[at].down});
            at = spanning.places[at].parent;
        }
        tree.parents.push_back(Rank{participant[at]});
    }
    return tree;
}

}   // namespace oscar

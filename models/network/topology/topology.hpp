// Topology: nodes and the cables between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/network/link/link_params.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// Routers in rows and columns: switch number row * columns + column, each with the rank of the same number.
struct SwitchGrid {
    std::uint32_t rows, columns;
    bool wraps;   ///< lines of three and more routers close to rings
};

/// The name of a node of a network with `ranks` ranks: rank3, or switch0 for the first node after the ranks. Reports,
/// overrides, graphs, modules and waveforms all use it.
std::string node_name(NodeId node, std::uint32_t ranks);

/// A graph of ranks (nodes 0 .. ranks-1) and switches (the nodes from `ranks` on), of unidirectional links. Ranks
/// forward nothing. models/network/topology/routes.hpp finds the routes.
struct Topology {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Edge {
        NodeId from, to;
        LinkParams link;
        std::uint32_t cost = 1;   ///< that it adds to a path, in hops
        bool dateline = false;    ///< packets take the second class of virtual channels from here on
        /// The number of the link's line, and the dimension along which that runs, for links between switches on lines.
        /// Where links have dimensions, dimension_order takes the lowest first.
        std::uint32_t line = none, dimension = none;
        /// The place on the line at which the link begins, from 0 behind the dateline on, and whether it leads to the
        /// next place, or over the dateline to 0.
        std::uint32_t place = 0;
        bool rises = false;
    };
    std::uint32_t ranks = 0, switches = 0;
    IndexedVector<EdgeId, Edge> edges = {};
    std::optional<SwitchGrid> grid = {};   ///< of a mesh or torus
    std::uint32_t island = 1;   ///< neighbouring ranks on a fast switch of their own; the last may have fewer
    std::uint32_t gpus_per_nic =
        1;   ///< neighbouring ranks of an island that have one NIC, cabled at the first of them

    std::uint32_t nodes() const { return ranks + switches; }
    IndexRange<NodeId> node_ids() const { return IndexRange<NodeId>(nodes()); }
    /// The node of the switch of this number: switches follow the ranks.
    NodeId switch_node(std::uint32_t number) const { return {ranks + number}; }
    /// The number of the switch at a node. Precondition: is_switch(node).
    std::uint32_t switch_number(NodeId node) const { return node.value - ranks; }
    bool is_switch(NodeId node) const { return node.value >= ranks; }
    std::string node_name(NodeId node) const { return oscar::node_name(node, ranks); }
    std::string edge_name(EdgeId edge) const;   ///< "rank0->switch0"

    /// The rank at which the NIC of a rank is cabled: the rank itself, where each has its own.
    Rank nic_of(Rank rank) const { return {rank.value - rank.value % island % gpus_per_nic}; }
    /// The number of ranks that have the NIC of this one.
    std::uint32_t sharing(Rank rank) const {
        const std::uint32_t nic = nic_of(rank).value, end = std::min(ranks, (nic / island + 1) * island);
        return std::min(gpus_per_nic, end - nic);
    }
    bool same_island(Rank a, Rank b) const { return a.value / island == b.value / island; }

    /// Adds both directions of a cable, first that from `a` to `b`. `edge` has everything but the nodes.
    void cable(NodeId a, NodeId b, const Edge& edge);
    /// Adds a cable of cost 1, without dateline and line.
    void cable(NodeId a, NodeId b, const LinkParams& link) { cable(a, b, Edge{a, b, link}); }
    /// Says of the two directions of a cable on a line, of which `rising` leads from place `i` to place `j`, where they
    /// begin.
    void place(EdgeId rising, EdgeId falling, std::uint32_t i, std::uint32_t j);
};

}   // namespace oscar

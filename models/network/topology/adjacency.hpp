// Edges of a topology by the node where they begin or end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/network/topology/topology.hpp"

namespace oscar {

/// Flat lists of edges, for each node in the order of the node at the other end, parallel edges in the order of the
/// topology.
class Adjacency {
public:
    explicit Adjacency(const Topology& topology);

    /// The edges that begin at a node.
    std::span<const EdgeId> out(NodeId node) const { return out_.of(node); }
    /// The edges that end at a node.
    std::span<const EdgeId> in(NodeId node) const { return in_.of(node); }
    /// The edges from a node to switches.
    std::span<const EdgeId> to_switches(NodeId node) const;
    /// The edges from a node to `to`.
    std::span<const EdgeId> between(NodeId node, NodeId to) const;

private:
    struct Lists {
        std::vector<EdgeId> edges;          ///< of all nodes, one after another
        std::vector<std::uint32_t> begin;   ///< among those: [node], and one more
        std::span<const EdgeId> of(NodeId node) const {
            return std::span(edges).subspan(begin[node.value], begin[node.value + 1] - begin[node.value]);
        }
    };
    static Lists lists(const Topology& topology, NodeId Topology::Edge::*here, NodeId Topology::Edge::*there);

    const Topology* topology_;
    Lists out_, in_;
};

}   // namespace oscar

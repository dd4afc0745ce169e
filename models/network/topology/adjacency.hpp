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
    std::span<const EdgeId> out(std::uint32_t node) const { return out_.of(node); }
    /// The edges that end at a node.
    std::span<const EdgeId> in(std::uint32_t node) const { return in_.of(node); }
    /// The edges from a node to switches.
    std::span<const EdgeId> to_switches(std::uint32_t node) const;
    /// The edges from a node to `to`.
    std::span<const EdgeId> between(std::uint32_t node, std::uint32_t to) const;

private:
    struct Lists {
        std::vector<std::uint32_t> begin;   ///< [node], and one more: of its edges
        std::vector<EdgeId> edges;          ///< of all nodes, one after another
        std::span<const EdgeId> of(std::uint32_t node) const {
            return std::span(edges).subspan(begin[node], begin[node + 1] - begin[node]);
        }
    };
    static Lists lists(const Topology& topology, std::uint32_t Topology::Edge::*here,
                       std::uint32_t Topology::Edge::*there);

    const Topology* topology_;
    Lists out_, in_;
};

}   // namespace oscar

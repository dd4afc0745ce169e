// Aggregation tree: the switches of a topology that add what the ranks send.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// Participants are the ranks, then the switches that add, in the order of `switches`. A root is its own parent. One
/// tree has all ranks, or each island has one of its switch alone.
struct AggregationTree {
    std::vector<NodeId> switches;             ///< the root first, parents before their children; or those of islands
    std::vector<Rank> parents;                ///< per participant
    std::vector<std::vector<Hop>> up, down;   ///< per participant, the path to its parent and back; none for a root
    bool of_islands = false;

    /// The path from one participant to another, one of which is the other's parent.
    std::span<const Hop> path_between(Rank from, Rank to) const;
};

/// A breadth-first tree over switches alone, from the switch to which the farthest rank is nearest; of several, that to
/// which all are nearest together, then the first. So the root is the switch of a star, a spine, a core. Between
/// equally near switches the first is the parent. A switch with ranks behind one of its links only does not add:
/// packets pass through it. Throws std::invalid_argument for a topology whose switches cannot; the text is the whole
/// sentence.
AggregationTree aggregation_tree(const Topology& topology);

/// The switch of each island, whose ranks are its children. Precondition: the topology has islands, of two ranks or
/// more.
AggregationTree island_trees(const Topology& topology);

}   // namespace oscar

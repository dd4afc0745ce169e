// Typed indices of a network: its nodes and its edges.
#pragma once

#include "models/core/indexed_vector.hpp"

namespace oscar {

using NodeId = Index<struct NodeTag>;   ///< a rank or a switch, 0 .. nodes-1; the ranks come first
using EdgeId = Index<struct EdgeTag>;   ///< a position in Topology::edges: one direction of a cable

/// The node of a rank, which has the same number.
constexpr NodeId node_of(Rank rank) { return {rank.value}; }
/// The rank at a node. Precondition: it is no switch.
constexpr Rank rank_of(NodeId node) { return {node.value}; }

}   // namespace oscar

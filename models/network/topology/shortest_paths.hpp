// Shortest paths to each rank: the links that lead nearer to it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/adjacency.hpp"

namespace oscar {

/// The switches at which a rank is attached, each with the cost of its link to the rank. Ranks with equal lists share
/// their paths.
using Attachment = std::vector<std::pair<NodeId, std::uint32_t>>;

/// Costs are found when first asked for, once for each attachment: a fat tree of 1024 ranks has 128 of them.
/// The topology must outlive it.
class ShortestPaths {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    explicit ShortestPaths(const Topology& topology);

    const Adjacency& adjacency() const { return adjacency_; }
    /// [switch]: the cost from there to rank `to`; `none` without a path.
    const std::vector<std::uint32_t>& costs_to(Rank to) const;
    /// The cost from one rank to another; 0 from a rank to itself.
    std::uint32_t cost(Rank from, Rank to) const;
    /// The links with which cheapest paths from `node` to `to` begin, in the order of the nodes at their ends, `to`
    /// first. Valid until the next call.
    std::span<const EdgeId> choices(NodeId node, Rank to) const;

    /// The cost over `edge` where `costs` lead from its end.
    std::uint32_t cost_over(EdgeId edge, const std::vector<std::uint32_t>& costs) const;

private:
    std::vector<std::uint32_t> search(const Attachment& attachment) const;

    const Topology* topology_;
    Adjacency adjacency_;
    mutable std::map<Attachment, std::vector<std::uint32_t>> costs_;
    mutable std::vector<const std::vector<std::uint32_t>*> costs_to_;   ///< [rank], once they are known
    mutable std::vector<EdgeId> choices_;
};

}   // namespace oscar

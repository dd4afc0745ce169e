// Route of each packet.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/routing.hpp"
#include "models/network/topology/shortest_paths.hpp"

namespace oscar {

/// Classes of virtual channels: 2 where there are datelines, else 1. Virtual channels are dealt to groups that have one
/// of each class; a flow keeps to the group that its hash chooses. With fewer channels than classes, all share the
/// last.
struct ChannelClasses {
    std::uint32_t classes, groups;
    ChannelClasses(const Topology& topology, std::uint32_t virtual_channels);
    /// The class of a packet that has crossed `datelines` datelines.
    std::uint8_t clamp(std::uint32_t datelines) const {
        return static_cast<std::uint8_t>(datelines < classes ? datelines : classes - 1);
    }
    /// The class of a packet on link `next`, which it takes after `hop`. Each line begins with the first class, and so
    /// does the way that leads from it to a rank.
    std::uint8_t class_after(const Hop& hop, EdgeId next, const Topology& topology) const {
        const Topology::Edge &from = topology.edges[hop.edge], &to = topology.edges[next];
        return clamp(to.line != from.line ? 0 : hop.channel + from.dateline);
    }
};

/// Moves the links along the lowest dimension to the front and returns them; all links where none has a dimension.
std::span<EdgeId> lowest_dimension(std::span<EdgeId> edges, const Topology& topology);

/// Paths through a topology, which must outlive them. They are made when first asked for and kept; a span stays valid
/// as long as the routes. Not to be shared by threads.
///
/// Among equally cheap links at a node, the hash h chooses number floor(h * links / 2^32), h the upper half of
/// random_at(flow, node), flow = random_at(random_at(seed, from), to); with spray, of random_at(flow, entropy) instead
/// of the flow. random_at: models/core/random.hpp. In dimension order, only links along the lowest dimension are chosen
/// from, and of the two ways round a ring that are equally short only those of one (dimension_order.hpp).
class Routes {
public:
    /// Throws std::invalid_argument for a routing that the topology has no use for.
    Routes(const Topology& topology, const RoutingParams& routing, std::uint32_t virtual_channels = 1);

    /// The hops from one rank to another; empty if there is no path. `entropy`: with spray, the number of the packet.
    std::span<const Hop> path(Rank from, Rank to, std::uint64_t entropy = 0) const;
    /// True if packets of a flow may take different paths, and overtake each other.
    bool sprays() const { return std::holds_alternative<SprayParams>(routing_.params); }
    const Topology& topology() const { return *topology_; }
    /// Distinct paths made so far.
    std::size_t kept() const { return kept_.size(); }

private:
    struct HashOfHops {
        std::size_t operator()(const std::vector<Hop>& hops) const;
    };
    std::vector<Hop> find(Rank from, Rank to, std::uint64_t entropy) const;
    std::span<EdgeId> in_dimension_order(std::span<EdgeId> links, std::span<const Hop> hops, Rank to) const;
    std::vector<Hop> cheapest(Rank from, Rank to, std::uint64_t key) const;

    const Topology* topology_;
    RoutingParams routing_;
    ChannelClasses classes_;
    ShortestPaths shortest_paths_;
    mutable std::unordered_set<std::vector<Hop>, HashOfHops> kept_;
    mutable std::unordered_map<std::uint64_t, std::span<const Hop>> of_flow_;
};

}   // namespace oscar

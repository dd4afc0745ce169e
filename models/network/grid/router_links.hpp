// The mapping between the links of a network and the ports of a grid of routers.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "models/network/event/fabric.hpp"
#include "models/network/grid/grid.hpp"

namespace oscar {

/// The grid of routers that stands where a topology has its switches. Throws std::invalid_argument beyond 64 rows or
/// columns.
RouterGridKind router_grid(const SwitchGrid& grid);

/// Nodes 0 .. n-1, which are the ranks, each cabled to its router, which is node n + number; routers to their
/// neighbours. A line of two in a torus is cabled once: its routers have no link where the line would close.
class RouterLinks {
public:
    /// Throws std::invalid_argument if one of `links` belongs to no port of the grid.
    RouterLinks(const RouterGrid& grid, const IndexedVector<EdgeId, FabricLink>& links);

    /// The link into a router from its node.
    EdgeId into(RouterId router) const { return into_[router]; }
    /// The link out of a port of a router; one beyond all links if there is none.
    EdgeId out_of(RouterId router, Port port) const { return out_of_[router][index_of(port)]; }
    /// True if a link leads out of the port.
    bool leads_out(RouterId router, Port port) const { return out_of(router, port) < links_.next(); }

    /// The node that sends on the first link of a path, and the one that receives from the last.
    struct Ends {
        NodeId from, to;
    };
    /// The two ends of a path. Precondition: it is not empty.
    Ends ends_of(std::span<const Hop> path) const;
    /// Coins (bits 0 and 1 of RouterGrid::route) with which packets take exactly this path; nothing if they never do.
    std::optional<std::uint8_t> coins_for(std::span<const Hop> path) const;

private:
    Port port_to(RouterId router, RouterId neighbour) const;
    bool leads_along(std::span<const Hop> path, std::uint8_t coins) const;

    RouterGrid grid_;
    IndexedVector<EdgeId, FabricLink> links_;
    IndexedVector<RouterId, EdgeId> into_;
    IndexedVector<RouterId, std::array<EdgeId, router_ports>> out_of_;   ///< per port
};

}   // namespace oscar

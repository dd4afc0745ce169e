// Meshes and tori of routers, one node at each, and dimension-order routes in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/core/kinds.hpp"
#include "models/network/params/router_params.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

struct RouterMeshParams {
    std::uint32_t rows = 8, columns = 8;
    static constexpr auto fields() {
        return Entries{field("rows", &RouterMeshParams::rows, "routers along y", 1u, 64u),
                       field("columns", &RouterMeshParams::columns, "routers along x", 1u, 64u)};
    }
};
struct RouterTorusParams {
    std::uint32_t rows = 8, columns = 8;
    static constexpr auto fields() {
        return Entries{field("rows", &RouterTorusParams::rows, "routers along y", 1u, 64u),
                       field("columns", &RouterTorusParams::columns, "routers along x", 1u, 64u)};
    }
};
inline constexpr auto router_grids = Entries{
    kind<RouterMeshParams>("mesh", "rows and columns of routers"),
    kind<RouterTorusParams>("torus", "rows and columns of routers whose ends are cabled; VCs in two dateline classes"),
};
using RouterGridKind = OneOf<router_grids>;

using RouterId = Index<struct RouterTag>;   ///< a router of a grid: y * columns + x

/// The node at a router, which has the same number.
constexpr NodeId node_at(RouterId router) { return {router.value}; }
/// The router of a node.
constexpr RouterId router_at(NodeId node) { return {node.value}; }

/// Ports. Port east leads to x+1, and what comes from there comes in at it. The node is at port `node`.
enum class Port : std::uint8_t { node, east, west, north, south };
constexpr std::uint8_t index_of(Port port) { return static_cast<std::uint8_t>(port); }
/// The port at the other end of a port's link; the node's is its own.
constexpr Port opposite(Port port) {
    constexpr Port back[router_ports] = {Port::node, Port::west, Port::east, Port::south, Port::north};
    return back[index_of(port)];
}
std::string to_text(Port port);

/// The port by which a head flit goes on; `vc_class` says which VCs of the next buffer it may take; nothing: all.
struct RouteStep {
    Port port;
    std::optional<std::uint8_t> vc_class;
};

/// Routers at (x, y), and routes along x first, then y.
class RouterGrid {
public:
    /// Without `dateline`, VCs of a torus are in one class, and it can deadlock: for tests of what happens then.
    explicit RouterGrid(const RouterGridKind& kind, bool dateline = true);

    std::uint32_t routers() const { return rows_ * columns_; }
    IndexRange<RouterId> router_ids() const { return x_.indices(); }
    /// Of the nodes at the routers.
    IndexRange<NodeId> node_ids() const { return IndexRange<NodeId>(routers()); }
    /// The node of a router itself, in a network whose routers follow the nodes that they serve.
    NodeId switch_node(RouterId router) const { return {routers() + router.value}; }
    std::uint32_t rows() const { return rows_; }
    std::uint32_t columns() const { return columns_; }
    /// Classes of VCs: 2 in a torus with dateline, whose VCs are halved between them, else 1.
    std::uint32_t vc_classes() const { return classes_; }
    /// The class of virtual channel `vc` of `vcs`: 1 in the upper half where there are two classes, else 0.
    std::uint8_t class_of(std::uint32_t vc, std::uint32_t vcs) const { return classes_ == 2 && 2 * vc >= vcs; }

    /// The router at the other end of a port's link; none at the node's port and at the edges of a mesh.
    std::optional<RouterId> neighbour(RouterId router, Port port) const;

    /// The next step in dimension order, by the shorter direction. `coins`: four random bits of the packet, which
    /// decide where both directions round x or y are equally long (bits 0 and 1), and the class in x and y of a packet
    /// that does not cross the dateline (bits 2 and 3). A packet that has a dateline before it is in class 0, and in
    /// class 1 on the link that crosses it and after that; one that has none keeps its class. So in each class of a
    /// ring the waits end at the dateline. Source: Dally & Seitz, IEEE Trans. Computers 36(5), 1987, section 3.
    RouteStep route(RouterId router, NodeId to, Port in, std::uint8_t in_class, std::uint8_t coins) const;

    /// The number of routers on the path from one node to another, both ends included.
    std::uint32_t routers_between(NodeId from, NodeId to) const;

    /// "(x, y)".
    std::string name(RouterId router) const;

private:
    std::uint32_t distance(std::uint32_t a, std::uint32_t b, std::uint32_t length) const;
    RouteStep step(std::uint32_t at, std::uint32_t to, std::uint32_t length, bool entering, bool vertical,
                   std::uint8_t in_class, std::uint8_t coins) const;

    std::uint32_t rows_ = 0, columns_ = 0, classes_ = 1;
    bool wraps_ = false;
    IndexedVector<RouterId, std::uint8_t> x_, y_;
};

/// True if routers with these VCs can deadlock in the grid: a torus needs a class of VCs on each side of the dateline.
bool can_deadlock(const RouterGridKind& kind, const InputQueuedParams& params);

}   // namespace oscar

// What all routers of a grid have in common: parameters, and the numbers and sets of their virtual channels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/network/grid/grid.hpp"
#include "models/network/grid/masks.hpp"

namespace oscar {

/// A virtual channel in the grid, input or output: 64 * router + local VC. A local VC is port * vcs + vc.
using Vc = std::uint32_t;

struct RouterLayout {
    RouterLayout(const RouterGrid& grid, const VcRouterParams& params);

    /// The local number of a VC of a port.
    std::uint32_t local(std::uint32_t port, std::uint32_t vc) const { return port * params.vcs + vc; }
    static constexpr Vc number(RouterId router, std::uint32_t local) { return 64 * router.value + local; }
    static constexpr RouterId router_of(Vc vc) { return {vc / 64}; }
    static constexpr std::uint32_t local_of(Vc vc) { return vc % 64; }
    /// True if the port has a link: the node's always has, the others towards neighbours.
    bool has_link(RouterId router, Port port) const { return port == Port::node || grid.neighbour(router, port); }
    /// True if a local VC is one of the node's port.
    bool is_node(std::uint32_t local) const { return port_of[local] == index_of(Port::node); }
    /// "router (x, y) port west VC 0".
    std::string name_of(Vc vc) const;

    /// Calls f(vc) for all VCs of all ports with links, in order.
    template <class F>
    void for_each_vc(F&& f) const {
        for (const RouterId r : grid.router_ids())
            for (std::uint32_t p = 0; p < router_ports; ++p)
                if (has_link(r, static_cast<Port>(p)))
                    for (std::uint32_t v = 0; v < params.vcs; ++v) f(number(r, local(p, v)));
    }

    RouterGrid grid;
    VcRouterParams params;
    std::array<Mask, router_ports> port_vcs{};            ///< local VCs of each port
    std::vector<Mask> switch_vcs;                         ///< and of each input of the switch
    std::array<Mask, 2> class_vcs{};                      ///< of each class
    std::array<std::uint8_t, 64> port_of{}, class_of{};   ///< of local VCs
    std::vector<Vc> across;   ///< the VC at the other end of the link of an input or output VC; its own towards a node
};

}   // namespace oscar

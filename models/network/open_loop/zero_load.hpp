// Zero-load latency of a packet.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/fields.hpp"
#include "models/network/grid/router_network.hpp"

namespace oscar {

/// Cycles from creation to the arrival of the tail, over all pairs of nodes whose packets pass the same number of
/// routers.
struct ZeroLoad {
    std::uint32_t routers = 0, pairs = 0;
    Cycles least = 0, most = 0;
    static constexpr auto fields() {
        using Z = ZeroLoad;
        return Entries{
            field("routers", &Z::routers, "that a packet passes, both ends' included"),
            field("pairs", &Z::pairs, "of nodes that are as far apart"),
            field("least", &Z::least, "cycles of the quickest pair"),
            field("most", &Z::most, "cycles of the slowest pair"),
        };
    }
};

/// Simulates one packet between each two nodes, one after the other; in the order of distances. Law: least and most
/// are zero_load_cycles(). Throws RouterDeadlock.
std::vector<ZeroLoad> measure_zero_load(const RouterGrid& grid, const VcRouterParams& params,
                                        std::uint32_t packet_flits);

}   // namespace oscar

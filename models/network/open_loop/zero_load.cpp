#include "models/network/open_loop/zero_load.hpp"

#include <algorithm>
#include <map>

namespace oscar {
namespace {

constexpr Cycles patience = 2048;

/// Steps until the tail has arrived, and on until no credit is in flight.
Cycles cycles_alone(RouterNetwork& network, NodeId from, NodeId to, Cycles settle) {
    const Cycles created = network.now();
    network.begin(from, to, created, 0);
    Cycles arrived = 0;
    while (network.in_flight() > 0 || !network.idle(from)) {
        network.step();
        if (!network.arrived().empty()) arrived = network.now() - 1 - created;
        network.check_progress(patience);
    }
    for (Cycles i = 0; i < settle; ++i) network.step();
    return arrived;
}

}   // namespace

std::vector<ZeroLoad> measure_zero_load(const RouterGrid& grid, const VcRouterParams& params,
                                        std::uint32_t packet_flits) {
    RouterNetwork network(grid, params, packet_flits);
    std::map<std::uint32_t, ZeroLoad> by_routers;
    for (const NodeId from : grid.node_ids())
        for (const NodeId to : grid.node_ids()) {
            if (from == to) continue;
            const Cycles cycles = cycles_alone(network, from, to, params.credit_loop());
            const std::uint32_t routers = grid.routers_between(from, to);
            ZeroLoad& z = by_routers.try_emplace(routers, ZeroLoad{routers, 0, cycles, cycles}).first->second;
            ++z.pairs;
            z.least = std::min(z.least, cycles);
            z.most = std::max(z.most, cycles);
        }
    std::vector<ZeroLoad> result;
    result.reserve(by_routers.size());
    for (const auto& [routers, z] : by_routers) result.push_back(z);
    return result;
}

}   // namespace oscar

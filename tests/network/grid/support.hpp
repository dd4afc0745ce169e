// Grids, routers and packets for tests of the router.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/core/random.hpp"
#include "models/network/grid/router_network.hpp"
#include "models/network/open_loop/destinations.hpp"

namespace oscar::test {

/// The router of the published case: 4 VCs of one flit, a stage a cycle, credits of 2 cycles.
inline VcRouterParams small_buffers() {
    VcRouterParams params;
    params.vcs = 4;
    params.vc_flits = 1;
    return params;
}

/// Steps until a packet's tail has arrived; the cycles from `created` to then.
inline Cycles cycles_to_arrival(RouterNetwork& network, Cycles created) {
    for (;;) {
        network.step();
        for (const RouterFlit& flit : network.arrived())
            if (flit.tail) return network.now() - 1 - created;
        network.check_progress(2048);
    }
}

/// Tails that arrive in `cycles` steps, the first `warm_up` aside, when `from` always has a packet for `to`.
inline std::uint64_t stream(RouterNetwork& network, NodeId from, NodeId to, Cycles warm_up, Cycles cycles) {
    std::uint64_t tails = 0;
    while (network.now() < warm_up + cycles) {
        if (network.idle(from)) network.begin(from, to, network.now(), 0);
        network.step();
        for (const RouterFlit& flit : network.arrived()) tails += flit.tail && network.now() > warm_up;
    }
    return tails;
}

/// Numbers of one random configuration, in the order of drawing.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : seed_(seed) {}
    std::uint32_t from(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(random_at(seed_, next_++) % (high - low + 1));
    }

private:
    std::uint64_t seed_, next_ = 0;
};

}   // namespace oscar::test

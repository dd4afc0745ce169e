#include "models/network/open_loop/channel_load.hpp"

#include <algorithm>
#include <array>

namespace oscar {

ChannelLoads busiest_channel_loads(const RouterGrid& grid, const Destinations& destinations) {
    constexpr std::uint8_t ways = 4;   // coins that decide between directions of equal length
    IndexedVector<RouterId, std::array<double, router_ports>> load(grid.routers());   // per output port
    for (const RouterId first : grid.router_ids())
        for (const RouterId last : grid.router_ids()) {
            const NodeId to = node_at(last);
            const double share = destinations.probability(node_at(first), to) / ways;
            for (std::uint8_t coins = 0; share > 0 && coins < ways; ++coins) {
                RouterId at = first;
                for (Port in = Port::node;;) {
                    const Port out = grid.route(at, to, in, 0, coins).port;
                    load[at][index_of(out)] += share;
                    if (out == Port::node) break;
                    at = *grid.neighbour(at, out);
                    in = opposite(out);
                }
            }
        }
    ChannelLoads busiest;
    for (const auto& ports : load)
        for (std::size_t p = 0; p < router_ports; ++p) {
            double& most = p == index_of(Port::node) ? busiest.node : busiest.link;
            most = std::max(most, ports[p]);
        }
    return busiest;
}

double link_rate(const VcRouterParams& router, std::uint32_t packet_flits) {
    if (router.reuse == VcReuse::when_sent) return 1;
    return std::min(1.0, static_cast<double>(router.vcs * packet_flits) / (router.credit_loop() + packet_flits - 1));
}

double throughput_bound(const ChannelLoads& loads, double link_rate) {
    const double by_links = loads.link > 0 ? link_rate / loads.link : 1;
    return std::min({1.0, by_links, 1 / loads.node});
}

}   // namespace oscar

#include "models/network/open_loop/channel_load.hpp"

#include <algorithm>
#include <vector>

namespace oscar {

ChannelLoads busiest_channel_loads(const RouterGrid& grid, const Destinations& destinations) {
    constexpr std::uint8_t ways = 4;   // coins that decide between directions of equal length
    std::vector<double> load(std::size_t{grid.routers()} * router_ports);   // per output port
    for (std::uint32_t from = 0; from < grid.routers(); ++from)
        for (std::uint32_t to = 0; to < grid.routers(); ++to) {
            const double share = destinations.probability(from, to) / ways;
            for (std::uint8_t coins = 0; share > 0 && coins < ways; ++coins) {
                std::uint32_t at = from;
                for (Port in = Port::node;;) {
                    const Port out = grid.route(at, to, in, 0, coins).port;
                    load[at * router_ports + index_of(out)] += share;
                    if (out == Port::node) break;
                    at = *grid.neighbour(at, out);
                    in = opposite(out);
                }
            }
        }
    ChannelLoads busiest;
    for (std::size_t i = 0; i < load.size(); ++i) {
        double& most = i % router_ports == index_of(Port::node) ? busiest.node : busiest.link;
        most = std::max(most, load[i]);
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

#include "sim/traffic/run.hpp"

#include <cmath>

#include "models/network/open_loop/channel_load.hpp"
#include "models/network/open_loop/destinations.hpp"
#include "sim/describe/echo.hpp"
#include "sim/report/host_clock.hpp"

namespace oscar {
namespace {

TrafficBounds bounds_of(const TrafficParameters& p, const RouterGrid& grid) {
    const Destinations destinations(p.traffic.pattern, grid);
    TrafficBounds bounds;
    bounds.mean_routers = mean_routers(destinations, grid);
    bounds.zero_load_latency = p.router.hop_cycles() * bounds.mean_routers +
                               static_cast<double>(zero_load_cycles(p.router, 0, p.traffic.packet_flits));
    const ChannelLoads loads = busiest_channel_loads(grid, destinations);
    bounds.link_load = loads.link;
    bounds.node_load = loads.node;
    bounds.link_rate = link_rate(p.router, p.traffic.packet_flits);
    bounds.throughput = throughput_bound(loads, bounds.link_rate);
    bounds.credit_loop = p.router.credit_loop();
    return bounds;
}

/// Loads to measure, the search for the saturation halving its range each time.
double planned_loads(const TrafficParameters& p) {
    const double searched = p.saturation ? 1 + std::ceil(std::log2(1 / p.saturation->resolution)) : 0;
    return static_cast<double>(p.traffic.loads.size()) + searched;
}

}   // namespace

TrafficReport run_traffic(const TrafficParameters& p, const Progress& progress) {
    const HostClock clock;
    const RouterGrid grid(p.topology);
    std::uint64_t flit_hops = 0;
    const double planned = planned_loads(p);
    double measured = 0;
    const auto measure = [&](const TrafficParams& traffic, double load) {
        const auto tell = [&](double done) { progress("load " + number_text(load), (measured + done) / planned); };
        tell(0);
        const LoadPoint point = measure_load(grid, p.router, traffic, load, p.seed, tell);
        ++measured;
        flit_hops += point.flit_hops;
        return point;
    };
    TrafficReport report{p.experiment, OSCAR_VERSION, to_json(p), p.seed, bounds_of(p, grid), {}, {}, {}, {}};
    if (p.zero_load) report.zero_load = measure_zero_load(grid, p.router, p.traffic.packet_flits);
    for (const double load : p.traffic.loads) report.points.push_back(measure(p.traffic, load));
    if (p.saturation) {
        TrafficParams without_drain = p.traffic;   // only what arrives in the measured cycles counts
        without_drain.drain = 0;
        report.saturation = find_saturation(*p.saturation, [&](double load) { return measure(without_drain, load); });
    }
    report.host = clock.stop(flit_hops, flit_hops);
    return report;
}

}   // namespace oscar

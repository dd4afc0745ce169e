// One load of synthetic traffic on a router network: warm-up, measurement, drain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/network/grid/router_network.hpp"
#include "models/network/traffic/patterns.hpp"

namespace oscar {

/// Nodes create packets by independent Bernoulli trials, a trial each cycle, and keep them in endless queues until
/// their routers take them.
struct TrafficParams {
    TrafficPattern pattern;
    std::vector<double> loads = {0.05, 0.1, 0.2, 0.3, 0.4};
    std::uint32_t packet_flits = 1;
    std::uint32_t warm_up = 1000;
    std::uint32_t most_warm_ups = 20;
    double steady = 0.05;
    std::uint32_t measure = 20'000;
    std::uint32_t drain = 100'000;
    std::uint32_t watchdog = 10'000;
    static constexpr auto fields() {
        using T = TrafficParams;
        return Entries{
            field("pattern", &T::pattern, "pattern of senders and receivers"),
            field("loads", &T::loads, "offered loads in flits a cycle and node, each above 0 and at most 1"),
            field("packet_flits", &T::packet_flits, "flits of a packet", 1u, 1024u),
            field("warm_up", &T::warm_up, "cycles between two samples of the mean latency during warm-up", 1u,
                  10'000'000u),
            field("most_warm_ups", &T::most_warm_ups, "samples after which measurement begins without a steady state",
                  1u, 100'000u),
            field("steady", &T::steady, "relative change of the mean latency between samples that ends warm-up", 0.,
                  1.),
            field("measure", &T::measure, "cycles whose packets are measured", 100u, 100'000'000u),
            field("drain", &T::drain, "most cycles until the measured packets have arrived, under the same load", 0u,
                  100'000'000u),
            field("watchdog", &T::watchdog, "cycles without movement after which a deadlock is reported", 2048u,
                  100'000'000u),
        };
    }
};

/// The measurements at one load. Latencies are in cycles, from a packet's creation to the arrival of its tail.
struct LoadPoint {
    double offered = 0;                   ///< as configured
    double created = 0, accepted = 0;     ///< in the measured cycles: flits of packets created, flits arrived
    std::optional<double> mean_latency;   ///< of the packets created in them; none if not all arrived
    std::optional<std::uint64_t> p50_latency, p99_latency, max_latency;
    std::uint64_t packets = 0;         ///< measured, and arrived
    std::uint64_t backlog_flits = 0;   ///< created, but not arrived when the measurement ended
    bool steady = false;               ///< the warm-up ended by its rule
    Cycles cycles = 0;                 ///< simulated in all
    std::uint64_t flit_hops = 0;
    static constexpr auto fields() {
        using P = LoadPoint;
        return Entries{
            field("offered", &P::offered, "load asked for, flits a cycle and node"),
            field("created", &P::created, "flits of packets created in the measured cycles, a cycle and node"),
            field("accepted", &P::accepted, "flits arrived in the measured cycles, a cycle and node"),
            field("mean_latency", &P::mean_latency,
                  "cycles from creation to the tail's arrival; null: not all arrived"),
            field("p50_latency", &P::p50_latency, "its median"),
            field("p99_latency", &P::p99_latency, "its 99th percentile by nearest rank"),
            field("max_latency", &P::max_latency, "its largest"),
            field("packets", &P::packets, "measured that arrived"),
            field("backlog_flits", &P::backlog_flits, "created, not arrived when the measured cycles ended"),
            field("steady", &P::steady, "the warm-up ended by its rule"),
            field("cycles", &P::cycles, "simulated, with warm-up and drain"),
            field("flit_hops", &P::flit_hops, "links crossed by flits"),
        };
    }
};

/// Offers `load` flits a cycle and node. A function of its arguments. `done`, where there is one, is told now and then
/// which share is done, 0..1, of the cycles before the drain. Throws RouterDeadlock.
LoadPoint measure_load(const RouterGrid& grid, const VcRouterParams& router, const TrafficParams& traffic, double load,
                       std::uint64_t seed, const std::function<void(double)>& done = {});

}   // namespace oscar

// A collective on a network without congestion: hops, latency and bandwidth, and time in whole nanoseconds. It answers
// what ASTRA-sim's analytical network answers, to the nanosecond; it is no part of the simulated machine.
// Source: ASTRA-sim 2.0 (Won et al., ISPASS 2023), analytical network and system layer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/collective/schedule/schedule.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/predict/predicted.hpp"

namespace oscar {

using namespace literals;

enum class AnalyticalTopology : std::uint8_t { ring, star, fully_connected };
constexpr auto choices(AnalyticalTopology) {
    return std::array{Choice{"ring", AnalyticalTopology::ring, "hops of the shorter direction round the ring"},
                      Choice{"star", AnalyticalTopology::star, "two hops, by one switch"},
                      Choice{"fully_connected", AnalyticalTopology::fully_connected, "one hop"}};
}

enum class Forwarding : std::uint8_t { cut_through, store_and_forward };
constexpr auto choices(Forwarding) {
    return std::array{
        Choice{"cut_through", Forwarding::cut_through, "hops * latency + bytes / bandwidth"},
        Choice{"store_and_forward", Forwarding::store_and_forward, "each hop takes latency + bytes / bandwidth"}};
}

struct AnalyticalParams {
    AnalyticalTopology topology = AnalyticalTopology::ring;
    Forwarding forwarding = Forwarding::cut_through;
    Time latency = 500_ns;
    Bytes bandwidth = 50_GiB, memory{50'000'000'000};
    std::uint32_t memory_passes = 3, splits = 1;
    Time endpoint_delay = 10_ns;
    static constexpr auto fields() {
        return Entries{
            field("topology", &AnalyticalParams::topology, "topology that gives the hops of a message"),
            field("forwarding", &AnalyticalParams::forwarding, "forwarding of a message with several hops"),
            field("latency", &AnalyticalParams::latency, "latency of one hop", 0_ps, 1_ms),
            field("bandwidth", &AnalyticalParams::bandwidth,
                  "bandwidth of a hop, bytes per second; ASTRA-sim's 50 GB/s are 50GiB", 1_MiB, 65536_GiB),
            field("memory", &AnalyticalParams::memory, "memory bandwidth of a rank for additions, bytes per second",
                  1_MiB, 1048576_GiB),
            field("memory_passes", &AnalyticalParams::memory_passes,
                  "passes through memory per addition: two reads, a write", 0u, 100u),
            field("splits", &AnalyticalParams::splits, "number of parts of the data, sent one after another", 1u,
                  65536u),
            field("endpoint_delay", &AnalyticalParams::endpoint_delay,
                  "delay when a rank begins a split and after each message", 0_ps, 1_ms),
        };
    }
};

/// The links from one rank to another: on a ring by the shorter direction, on a star two.
std::uint32_t hops(AnalyticalTopology topology, std::uint32_t ranks, Rank from, Rank to);

/// The time from a message's start to its arrival, rounded down to a whole nanosecond; with store and forward at each
/// hop. Throws OutOfRange beyond 106 days.
Time transit(const AnalyticalParams& params, std::uint32_t hops, Bytes message);

/// The time at which the last rank has ended `schedule` over `size` bytes, each chunk floor(size / splits / chunks) of
/// them. What a rank sends another in one timestep is one message, and starts when all it waits for has come; links are
/// never busy. To add it costs `memory_passes` times floor(message / memory), to take it the endpoint delay. Law: on a
/// ring schedule of n ranks with h hops,
///   m = floor(size/splits/n), time = splits ((2(n-1)+1) delay + 2(n-1) floor(h latency + m/bandwidth)
///                                            + (n-1) passes floor(m/memory)).
/// Exact for every size. Throws OutOfRange if a time exceeds 106 days.
Time analytical_time(const AnalyticalParams& params, const Schedule& schedule, Bytes size);

}   // namespace oscar

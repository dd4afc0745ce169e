#include "sim/checks/effort/round_trips.hpp"

#include <algorithm>

#include "models/network/traffic/background_pattern.hpp"
#include "models/network/transport/round_trip.hpp"
#include "sim/checks/effort/tasks.hpp"
#include "sim/parameters/jobs.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {

Bytes least_full_packet(const Parameters& p, std::uint64_t elements) {
    double largest = 0;
    for (const Task& task : tasks_of(p)) {
        const double size = p.payload == Payload::synthetic ? task.size : static_cast<double>(elements) / 8;
        largest = std::max(largest, size / task.ranks / slices_of(task.collective) / channels_of(task.collective));
    }
    return std::min(p.network.packet, Bytes{static_cast<std::uint64_t>(largest) + 1});
}

LongestRoundTrip longest_round_trip(const Parameters& p, const Routes& routes, Bytes payload) {
    const Topology& topology = routes.topology();
    const std::vector<Time> nics = nic_latencies_of(p);
    LongestRoundTrip longest;
    const auto add = [&](Rank from, Rank to, Bytes size) {
        const auto there = routes.path(from, to), back = routes.path(to, from);
        const Time time = idle_round_trip(there, back, topology, p.network, nics, size + p.network.header);
        if (time <= longest.time) return;
        const auto slowest = std::ranges::min_element(
            there, {}, [&](const Hop& hop) { return topology.edges[hop.edge].link.bandwidth; });
        const LinkParams& link = topology.edges[slowest->edge].link;
        longest = {from, to, time, link.buffer, link.bandwidth};
    };
    for (const auto& [from, to] : flows_of(p, topology)) add(from, to, payload);
    if (!has_background(p)) return longest;
    const BackgroundParams& background = *p.network.background;
    for (const auto& [from, to] : BackgroundReceivers(background, p.ranks).pairs())
        add(from, to, std::min(background.message, p.network.packet));
    return longest;
}

}   // namespace oscar

#include "models/network/event/credit_loop.hpp"

#include <algorithm>
#include <map>

#include "models/network/link/crossing.hpp"

namespace oscar {
namespace {

/// What the flows of a channel of a link ask of its credits.
struct Loop {
    std::uint64_t mbps = 0;   ///< that they bring
    Time round_trip;          ///< the longest
};

std::uint64_t slowest_mbps(std::span<const Hop> path, const Topology& topology) {
    std::uint64_t slowest = most_bandwidth.mbps;
    for (const Hop& hop : path) slowest = std::min(slowest, topology.edges[hop.edge].link.bandwidth.mbps);
    return slowest;
}

double gbps(Bytes size, Time time) { return 8000 * static_cast<double>(size.count) / static_cast<double>(time.ps); }

}   // namespace

Time credit_round_trip(std::span<const Hop> path, std::size_t h, const Topology& topology, const NetworkParams& network,
                       Time nic_latency, Bytes wire) {
    const LinkParams& link = topology.edges[path[h].edge].link;
    const auto over = [&](const LinkParams& cable, Time begin, const FlitsReady& ready) {
        return cross(cable.propagation + network.switches.latency, ExactTime::of_byte(cable.bandwidth), network.flit,
                     wire, begin, ready);
    };
    const Crossing first = over(link, {}, {});
    if (h + 1 == path.size()) return first.end + link.propagation + nic_latency + link.propagation;
    const LinkParams& next = topology.edges[path[h + 1].edge].link;
    return over(next, first.next.first, first.next).end + link.propagation;
}

std::vector<CreditLimit> credit_limits(const Topology& topology, std::span<const std::span<const Hop>> paths,
                                       const NetworkParams& network, std::span<const Time> nic_latencies, Bytes wire) {
    std::map<std::pair<EdgeId, std::uint8_t>, Loop> loops;
    for (const auto path : paths) {
        const std::uint64_t mbps = slowest_mbps(path, topology);
        for (std::size_t h = 0; h < path.size(); ++h) {
            const Topology::Edge& edge = topology.edges[path[h].edge];
            const Time nic = topology.is_switch(edge.to) ? Time{} : nic_latencies[rank_of(edge.to).value];
            Loop& loop = loops[{path[h].edge, path[h].channel}];
            loop.mbps = std::min(loop.mbps + mbps, edge.link.bandwidth.mbps);
            loop.round_trip = std::max(loop.round_trip, credit_round_trip(path, h, topology, network, nic, wire));
        }
    }
    std::vector<CreditLimit> limits;
    for (const auto& [hop, loop] : loops) {
        const Bytes buffer = topology.edges[hop.first].link.buffer;
        const auto held = static_cast<std::int64_t>(buffer.count / network.virtual_channels / wire.count);
        const Time each = serialization(wire, Bandwidth{loop.mbps});
        if (held * each >= loop.round_trip) continue;
        const auto packets = static_cast<std::uint64_t>((loop.round_trip.ps + each.ps - 1) / each.ps);
        const CreditLimit limit{hop.first, buffer, Bytes{packets * wire.count * network.virtual_channels},
                                gbps(wire, each),
                                gbps(Bytes{static_cast<std::uint64_t>(held) * wire.count}, loop.round_trip)};
        if (limits.empty() || limits.back().edge != limit.edge) limits.push_back(limit);
        else if (limits.back().needed < limit.needed) limits.back() = limit;
    }
    return limits;
}

}   // namespace oscar

#include "models/network/event/idle.hpp"

#include <algorithm>

#include "models/network/link/crossing.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/params/input_queued_params.hpp"

namespace oscar {

IdleCrossing cross_idle(std::span<const Hop> route, const Topology& topology, const NetworkParams& network,
                        std::span<const Time> ready, std::span<const Bytes> wires) {
    IdleCrossing result;
    std::vector<FlitsReady> flits;   // at the sender of the next link
    for (const Time at : ready) flits.push_back({at, {}, {}});
    for (const Hop& hop : route) {
        const LinkParams& link = topology.edges[hop.edge].link;
        const ExactTime byte = ExactTime::of_byte(link.bandwidth);
        const Time on_the_way = link.propagation + network.switches.latency;
        Occupation use{flits.front().first, {}};
        for (std::size_t p = 0; p < wires.size(); ++p) {
            const Time begin = std::max(flits[p].first, use.end);
            const Crossing crossing = cross(on_the_way, byte, network.flit, wires[p], begin, flits[p]);
            use.end = crossing.end;
            flits[p] = crossing.next;
        }
        result.links.push_back(use);
    }
    for (const FlitsReady& packet : flits)
        result.arrivals.push_back(packet.last.rounded_up() - network.switches.latency);
    return result;
}

Time idle_latency(std::span<const Hop> route, const Topology& topology, const NetworkParams& network, Bytes wire) {
    if (const InputQueuedParams* params = input_queued(network)) {
        const auto flits = static_cast<std::uint32_t>(packet_flits(wire, network.flit));
        const std::uint64_t cycles = zero_load_cycles(vc_router(*params, network), route.size() - 1, flits);
        return static_cast<std::int64_t>(cycles - flits) * router_cycle(network);   // the sender sends one a cycle
    }
    Time sum;
    for (std::size_t h = 0; h < route.size(); ++h) {
        const LinkParams& link = topology.edges[route[h].edge].link;
        sum += link.propagation;
        if (h + 1 < route.size())
            sum += network.switches.latency + serialization(first_flit(wire, network.flit), link.bandwidth);
    }
    return sum;
}

}   // namespace oscar

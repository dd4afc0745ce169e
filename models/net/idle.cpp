#include "models/net/idle.hpp"

#include <algorithm>

#include "models/net/packet.hpp"

namespace oscar {

IdleCrossing cross_idle(std::span<const Hop> route, const Topology& topology, const NetworkParams& network,
                        std::span<const Time> ready, std::span<const Bytes> wires) {
    IdleCrossing result;
    std::vector<Time> eligible(ready.begin(), ready.end()), tails(ready.size());   // at the sender of the next link
    for (const Hop& hop : route) {
        const LinkParams& link = topology.edges[hop.edge].link;
        Occupation use{eligible.front(), {}};
        for (std::size_t p = 0; p < wires.size(); ++p) {
            const Time begin = std::max(eligible[p], use.end);
            use.end = std::max(begin + serialization(wires[p], link.bandwidth),
                               tails[p] + serialization(last_flit(wires[p], network.flit), link.bandwidth));
            const Time past = link.propagation + network.router.latency;
            eligible[p] = begin + serialization(first_flit(wires[p], network.flit), link.bandwidth) + past;
            tails[p] = use.end + past;
        }
        result.links.push_back(use);
    }
    for (const Time tail : tails) result.arrivals.push_back(tail - network.router.latency);
    return result;
}

Time idle_latency(std::span<const Hop> route, const Topology& topology, const NetworkParams& network, Bytes wire) {
    Time sum;
    for (std::size_t h = 0; h < route.size(); ++h) {
        const LinkParams& link = topology.edges[route[h].edge].link;
        sum += link.propagation;
        if (h + 1 < route.size())
            sum += network.router.latency + serialization(first_flit(wire, network.flit), link.bandwidth);
    }
    return sum;
}

}   // namespace oscar

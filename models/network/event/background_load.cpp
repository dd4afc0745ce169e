#include "models/network/event/background_load.hpp"

#include <algorithm>
#include <map>

#include "models/network/event/credit_loop.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/traffic/background_pattern.hpp"

namespace oscar {
namespace {

/// Gbit/s that the credits of all channels of link `h` let through.
double by_credits(std::span<const Hop> path, std::size_t h, const Topology& topology, const NetworkParams& network,
                  std::span<const Time> nic_latencies, Bytes wire) {
    const Topology::Edge& edge = topology.edges[path[h].edge];
    const Time nic = topology.is_switch(edge.to) ? Time{} : nic_latencies[rank_of(edge.to).value];
    const std::uint64_t packets = edge.link.buffer.count / network.virtual_channels / wire.count;
    return 8000 * static_cast<double>(packets * network.virtual_channels * wire.count) /
           static_cast<double>(credit_round_trip(path, h, topology, network, nic, wire).ps);
}

double gbps(Bandwidth rate) { return static_cast<double>(rate.mbps) / 1000; }

}   // namespace

Bandwidth fastest_link_from(Rank rank, const Topology& topology) {
    Bandwidth fastest{0};
    for (const Topology::Edge& edge : topology.edges)
        if (edge.from == node_of(rank)) fastest = std::max(fastest, edge.link.bandwidth);
    return fastest;
}

std::vector<OfferedLoad> background_load(const BackgroundParams& params, const NetworkParams& network,
                                         const Routes& routes, std::span<const Time> nic_latencies) {
    const Topology& topology = routes.topology();
    const auto pairs = BackgroundReceivers(params, topology.ranks).pairs();
    std::map<Rank, double> of_each;   // what a sender offers each of its receivers
    for (const auto& [from, to] : pairs) ++of_each[from];
    for (auto& [from, receivers] : of_each)
        receivers = params.load * gbps(fastest_link_from(from, topology)) / receivers;

    const Bytes wire = std::min(params.message, network.packet) + network.header;
    const bool waits = std::holds_alternative<CreditParams>(network.flow_control.params) && !input_queued(network);
    const std::uint32_t samples = routes.sprays() ? 16 : 1;
    std::map<EdgeId, OfferedLoad> loads;
    for (const auto& [from, to] : pairs)
        for (std::uint32_t sample = 0; sample < samples; ++sample) {
            const auto path = routes.path(from, to, sample);
            for (std::size_t h = 0; h < path.size(); ++h) {
                const EdgeId edge = path[h].edge;
                const auto [found, fresh] =
                    loads.try_emplace(edge, OfferedLoad{edge, 0, gbps(topology.edges[edge].link.bandwidth)});
                OfferedLoad& load = found->second;
                load.offered += of_each[from] / samples;
                if (fresh && waits)   // what follows it makes next to no difference
                    load.carried = std::min(load.carried, by_credits(path, h, topology, network, nic_latencies, wire));
            }
        }
    std::vector<OfferedLoad> result;
    result.reserve(loads.size());
    for (const auto& [edge, load] : loads) result.push_back(load);
    return result;
}

}   // namespace oscar

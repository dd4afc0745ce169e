#include "models/machine/make_machine_network.hpp"

#include <algorithm>
#include <utility>

#include "models/machine/flit_machine.hpp"
#include "models/machine/router/router_machine.hpp"
#include "models/network/grid/input_queued.hpp"
#include "models/nic/wire/flow_table.hpp"

namespace oscar {
namespace {

std::vector<Time> nic_latencies(const Nodes& nodes) {
    std::vector<Time> latencies;
    for (const NodeParams& node : nodes) latencies.push_back(node.nic.latency);
    return latencies;
}

/// The links of a machine; true if some of them are held.
bool hold_back(FabricParams& params, const Topology& topology, const Nodes& nodes) {
    for (FabricLink& link : params.links)
        link.held = !topology.is_switch(link.to) && nodes[rank_of(link.to).value].nic.staging_memory.has_value();
    return std::ranges::any_of(params.links, &FabricLink::held);
}

}   // namespace

std::unique_ptr<Fabric> make_machine_network(TimingFidelity fidelity, const Topology& topology,
                                             const NetworkParams& network, const Nodes& nodes,
                                             const MachineParts& parts, const MakeNode& make_node, FabricClient& client,
                                             ReversePath reverse_path, PacketFilter passes) {
    FabricParams params = fabric_of(topology, network, nic_latencies(nodes));
    if (hold_back(params, topology, nodes) && fidelity == TimingFidelity::message) fidelity = TimingFidelity::packet;
    if (fidelity == TimingFidelity::flit && is_plain(network))
        return std::make_unique<FlitMachine>(params,
                                             FlitMachineParams{.ranks = topology.ranks,
                                                               .make_switch = parts.make_switch,
                                                               .make_node = make_node,
                                                               .waveform = parts.waveform},
                                             client);
    const InputQueuedParams* routers = input_queued(network);
    if (fidelity == TimingFidelity::flit && routers != nullptr)
        return std::make_unique<RouterMachine>(params, grid_of(params), vc_router(*routers, network),
                                               RouterMachineParams{parts.make_router, make_node, parts.waveform},
                                               client);
    return make_network(fidelity, params, network, client, std::move(reverse_path), std::move(passes));
}

}   // namespace oscar

#include "models/machine/make_machine_network.hpp"

#include <utility>

#include "models/machine/flit_machine.hpp"
#include "models/machine/router/router_machine.hpp"
#include "models/network/grid/input_queued.hpp"
#include "models/nic/wire/flow_table.hpp"

namespace oscar {

std::unique_ptr<Fabric> make_machine_network(TimingFidelity fidelity, const Topology& topology,
                                             const NetworkParams& network, std::span<const Time> nic_latencies,
                                             const MachineParts& parts, const MakeNode& make_node, FabricClient& client,
                                             ReversePath reverse_path, PacketFilter passes) {
    const FabricParams params = fabric_of(topology, network, nic_latencies);
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

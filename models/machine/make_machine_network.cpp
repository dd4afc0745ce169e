#include "models/machine/make_machine_network.hpp"

#include <utility>

#include "models/nic/wire/flow_table.hpp"

namespace oscar {

std::unique_ptr<Fabric> make_machine_network(TimingFidelity fidelity, const Topology& topology,
                                             const NetworkParams& network, std::span<const Time> nic_latencies,
                                             const MachineParts& parts, const MakeNicPort& make_nic_port,
                                             FabricClient& client, ReversePath reverse_path, PacketFilter passes) {
    const FabricParams params = fabric_of(topology, network, nic_latencies);
    if (fidelity == TimingFidelity::flit && is_plain(network))
        return std::make_unique<FlitMachine>(params,
                                             FlitMachineParams{.ranks = topology.ranks,
                                                               .make_switch = parts.make_switch,
                                                               .make_nic_port = make_nic_port,
                                                               .waveform = parts.waveform},
                                             client);
    return make_network(fidelity, params, network, client, std::move(reverse_path), std::move(passes));
}

}   // namespace oscar

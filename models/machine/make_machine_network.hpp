// The network of a machine, at each fidelity.
#pragma once

#include <memory>
#include <vector>

#include "models/machine/flit/flit_machine.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "models/network/core/fabric.hpp"
#include "models/network/topology/topology.hpp"
#include "models/network/transport/network.hpp"

namespace oscar {

/// At fidelity flit, modules in the hierarchy of the module under construction (models/machine/flit/flit_machine.hpp);
/// else, and for input-queued routers, as make_network(). `nic_latencies`: [rank].
/// Precondition: !find_problem(network, ...).
std::unique_ptr<Fabric> make_machine_network(TimingFidelity fidelity, const Topology& topology,
                                             const NetworkParams& network, std::span<const Time> nic_latencies,
                                             const MachineParts& parts, const MakeNicPort& make_nic_port,
                                             FabricClient& client, ReversePath reverse_path, PacketFilter passes);

}   // namespace oscar

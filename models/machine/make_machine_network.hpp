// The network of a machine, at each fidelity.
#pragma once

#include <memory>
#include <vector>

#include "models/machine/base/make_node.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "models/network/event/fabric.hpp"
#include "models/network/topology/topology.hpp"
#include "models/network/transport/make_network.hpp"
#include "models/nic/node_params.hpp"

namespace oscar {

/// The network of a machine: at fidelity flit, modules in the hierarchy of the module under construction
/// (models/machine/flit_machine.hpp, for input-queued routers models/machine/router/router_machine.hpp); else as
/// make_network(). `nodes`: [rank]; NICs with limited staging memory hold packets in buffers, packet by packet where
/// `message` is asked for. Precondition: !find_problem(network, ...).
std::unique_ptr<Fabric> make_machine_network(TimingFidelity fidelity, const Topology& topology,
                                             const NetworkParams& network, const Nodes& nodes,
                                             const MachineParts& parts, const MakeNode& make_node, FabricClient& client,
                                             ReversePath reverse_path, PacketFilter passes);

}   // namespace oscar

// Factory of the network of a fidelity, with its flow control, congestion control, loss and recovery.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/network/params/network_problem.hpp"
#include "models/network/transport/end_to_end_transport.hpp"

namespace oscar {

/// True if packets do nothing but wait for credits and links, as a whole: then all fidelities are exact.
bool is_plain(const NetworkParams& network);

/// True if receivers answer, so that each flow needs a path back.
bool answers(const NetworkParams& network);

/// The first contradictory or unsupported parameter of the network; nothing if there is none. `links`: of the topology;
/// virtual channels divide their buffers.
std::optional<NetworkProblem> find_problem(const NetworkParams& network, std::span<const LinkParams> links,
                                           TimingFidelity fidelity);

/// A network that goes packet by packet, with Ethernet's links and an end-to-end transport, even if it is plain.
/// `passes`: of packets at the end of their path; none: all pass. Precondition: !find_problem(network, ...).
std::unique_ptr<PacketFabric> make_ethernet(const FabricParams& params, const NetworkParams& network,
                                            FabricClient& client, ReversePath reverse_path, PacketFilter passes = {});

/// A network that is not plain goes packet by packet, also where `message` is asked for; one of input-queued routers
/// goes flit by flit in one event core.
/// `passes`: of packets at the end of their path, where the network has faults; none: all pass.
/// Precondition: !find_problem(network, ...).
std::unique_ptr<Fabric> make_network(TimingFidelity fidelity, const FabricParams& params, const NetworkParams& network,
                                     FabricClient& client, ReversePath reverse_path, PacketFilter passes = {});

}   // namespace oscar

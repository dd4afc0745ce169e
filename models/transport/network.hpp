// The network of a fidelity, with what its parameters say of flow control, congestion, loss and repair.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "models/transport/transport_fabric.hpp"

namespace oscar {

/// Whether packets do nothing but wait for credits and links: then all fidelities are exact.
bool is_plain(const NetworkParams& network);

/// Whether receivers answer, so that each flow needs a way back.
bool answers(const NetworkParams& network);

/// What cannot be simulated, or cannot work.
struct NetworkProblem {
    std::string key;    ///< of NetworkParams
    std::string text;   ///< what is wrong and how to write it right
};
/// `links` are those of the topology; virtual channels divide their buffers.
std::optional<NetworkProblem> why_not(const NetworkParams& network, std::span<const LinkParams> links,
                                      TimingFidelity fidelity);

/// A network that is not plain goes packet by packet, also where `message` is asked for.
/// Precondition: !why_not(network, ...).
std::unique_ptr<Fabric> make_network(TimingFidelity fidelity, const FabricParams& params, const NetworkParams& network,
                                     FabricClient& client, WayBack way_back);

}   // namespace oscar

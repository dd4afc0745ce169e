// The event core of a fidelity.
#pragma once

#include <memory>
#include <stdexcept>

#include "models/network/event/fabric.hpp"
#include "models/network/event/message_fabric.hpp"
#include "models/network/event/packet_fabric.hpp"

namespace oscar {

/// Throws std::invalid_argument for fidelity flit, which is SystemC: models/machine/flit_machine.hpp.
inline std::unique_ptr<Fabric> make_fabric(TimingFidelity fidelity, const FabricParams& params, FabricClient& client) {
    switch (fidelity) {
        case TimingFidelity::flit:
            throw std::invalid_argument("fidelity flit is a machine of SystemC modules: models/machine");
        case TimingFidelity::packet:
            return std::make_unique<PacketFabric>(params, client);
        case TimingFidelity::message:
            break;
    }
    return std::make_unique<MessageFabric>(params, client);
}

}   // namespace oscar

#include "models/network/event/make_fabric.hpp"

#include <stdexcept>

#include "models/network/event/message_fabric.hpp"
#include "models/network/event/packet_fabric.hpp"

namespace oscar {

std::unique_ptr<Fabric> make_fabric(TimingFidelity fidelity, const FabricParams& params, FabricClient& client) {
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

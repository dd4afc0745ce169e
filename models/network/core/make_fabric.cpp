#include "models/network/core/make_fabric.hpp"

#include "models/network/core/flit_fabric.hpp"
#include "models/network/core/message_fabric.hpp"
#include "models/network/core/packet_fabric.hpp"

namespace oscar {

std::unique_ptr<Fabric> make_fabric(TimingFidelity fidelity, const FabricParams& params, FabricClient& client) {
    switch (fidelity) {
        case TimingFidelity::flit:
            return std::make_unique<FlitFabric>(params, client);
        case TimingFidelity::packet:
            return std::make_unique<PacketFabric>(params, client);
        case TimingFidelity::message:
            break;
    }
    return std::make_unique<MessageFabric>(params, client);
}

}   // namespace oscar

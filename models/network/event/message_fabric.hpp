// A network with one event per packet that the client wants to know of, for flows that share no link.
#pragma once

#include "models/network/event/packet_fabric.hpp"
#include "models/network/event/uncontended_flow.hpp"

namespace oscar {

/// Computes all times of a message when it is sent, if no other declared flow uses any link of its flow; the others go
/// packet by packet.
class MessageFabric : public PacketFabric {
public:
    using PacketFabric::PacketFabric;

    void declare(std::span<const FlowId> flows, Bytes largest) override;
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> reported) override;

private:
    bool has_room(FlowId flow, Bytes largest) const;
    void send_alone(UncontendedFlow& lone, FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                    std::span<const std::uint32_t> reported);
    void count(const Flow& flow, const FabricMessage& message);

    IndexedVector<FlowId, bool> declared_;
    IndexedVector<FlowId, std::unique_ptr<UncontendedFlow>> lone_;   ///< null: it shares a link
    Bytes largest_;
};

}   // namespace oscar

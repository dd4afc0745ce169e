// Which packet: what the network knows of it by a number.
#pragma once

#include "models/net/packet.hpp"

namespace oscar {

struct PacketName {
    StepId step;
    PacketKind kind = PacketKind::message;
    std::uint32_t sequence = 0;

    /// Of the packets of one kind of a step.
    std::uint64_t tag() const { return std::uint64_t{step.value} * packet_kinds + static_cast<std::uint64_t>(kind); }
    static PacketName of(std::uint64_t tag, std::uint32_t sequence) {
        return {StepId{static_cast<std::uint32_t>(tag / packet_kinds)}, static_cast<PacketKind>(tag % packet_kinds),
                sequence};
    }
};

}   // namespace oscar

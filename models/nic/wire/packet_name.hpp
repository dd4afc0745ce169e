// Packet name: the numbers by which the network knows a packet.
#pragma once

#include "models/network/link/packet.hpp"

namespace oscar {

struct PacketName {
    StepId step;
    PacketKind kind = PacketKind::message;
    std::uint32_t sequence = 0;

    /// The tag of the packets of one kind of a step from this one on; steps below 2^32, packets below 2^30.
    std::uint64_t tag() const {
        return (std::uint64_t{sequence} << 34) + std::uint64_t{step.value} * packet_kinds +
               static_cast<std::uint64_t>(kind);
    }
    /// The packet that is number `sequence` of those that the tag names.
    static PacketName of(std::uint64_t tag, std::uint32_t sequence) {
        const std::uint64_t first = tag >> 34, name = tag & ((std::uint64_t{1} << 34) - 1);
        return {StepId{static_cast<std::uint32_t>(name / packet_kinds)}, static_cast<PacketKind>(name % packet_kinds),
                static_cast<std::uint32_t>(first) + sequence};
    }
};

}   // namespace oscar

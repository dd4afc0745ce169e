// Packet name: the numbers by which the network knows a packet.
#pragma once

#include "models/network/link/packet.hpp"

namespace oscar {

/// A packet of a job. On the network its step is known by a number among those of all jobs in flight: `base`, the
/// number of the job's first step, and its own.
struct PacketName {
    StepId step;
    PacketKind kind = PacketKind::message;
    std::uint32_t sequence = 0;

    static constexpr int sequence_shift = 34;

    /// The tag of the packets of one kind of a step from this one on; steps of all jobs below 2^32, packets below 2^30.
    std::uint64_t tag(std::uint32_t base) const {
        return (std::uint64_t{sequence} << sequence_shift) + (std::uint64_t{base} + step.value) * packet_kinds +
               static_cast<std::uint64_t>(kind);
    }
    /// The number of a tag's step among those of all jobs.
    static std::uint32_t step_number(std::uint64_t tag) {
        return static_cast<std::uint32_t>((tag & ((std::uint64_t{1} << sequence_shift) - 1)) / packet_kinds);
    }
    /// The packet that is number `sequence` of those that the tag names.
    static PacketName of(std::uint64_t tag, std::uint32_t sequence, std::uint32_t base) {
        const std::uint64_t name = tag & ((std::uint64_t{1} << sequence_shift) - 1);
        return {StepId{step_number(tag) - base}, static_cast<PacketKind>(name % packet_kinds),
                static_cast<std::uint32_t>(tag >> sequence_shift) + sequence};
    }
};

}   // namespace oscar

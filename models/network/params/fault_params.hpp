// Injected faults of packets, for tests of error detection and repair.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// The check of a receiving port before it takes a packet.
enum class PacketCheck : std::uint8_t { crc32, none };
constexpr auto choices(PacketCheck) {
    return std::array{
        Choice{"crc32", PacketCheck::crc32, "the CRC-32 of Ethernet over the payload; a packet that fails is dropped"},
        Choice{"none", PacketCheck::none,
               "nothing: damaged payload reaches the receiver, to test the checks after the CRC"}};
}

/// Each packet of the collective suffers each fault independently, between its last link and its receiver. A packet
/// that is sent again may be hit again. Headers are not damaged: a packet always comes under its own number.
struct FaultParams {
    double flip = 0, drop = 0, duplicate = 0, reorder = 0;
    PacketCheck check = PacketCheck::crc32;
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return Entries{
            field("flip", &FaultParams::flip, "probability that one random bit of a packet's payload is inverted", 0.0,
                  1.0),
            field("drop", &FaultParams::drop, "probability that a packet is lost", 0.0, 1.0),
            field("duplicate", &FaultParams::duplicate, "probability that a packet comes twice", 0.0, 1.0),
            field("reorder", &FaultParams::reorder,
                  "probability that a packet arrives after the next packet of its message", 0.0, 1.0),
            field("check", &FaultParams::check, "integrity check of each packet's payload at its receiver"),
            field("seed", &FaultParams::seed, "which packets and which bits"),
        };
    }
    /// True if any fault has a probability above 0.
    bool any() const { return flip > 0 || drop > 0 || duplicate > 0 || reorder > 0; }
    friend bool operator==(const FaultParams&, const FaultParams&) = default;
};

}   // namespace oscar

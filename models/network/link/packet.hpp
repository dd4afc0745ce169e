// Packets: views on the shared immutable bytes of a message.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/core/index.hpp"
#include "models/core/units.hpp"

namespace oscar {

inline constexpr std::size_t packet_kinds = 3;
enum class PacketKind : std::uint8_t {
    message,
    refusal,   ///< from the receiver of a step: it holds other tables than the message needs (NACK); header only
    resent,    ///< of the message that answers a refusal
};

/// A part of the message of one step, or a refusal of it. The message lives until its last packet has been taken.
struct Packet {
    Rank from, to;
    StepId step;
    std::uint32_t sequence = 0;           ///< 0, 1, … within the message
    std::uint64_t offset = 0;             ///< of the payload in the message
    std::span<const std::byte> payload;   ///< may be empty: an empty message still is one packet
    Bytes header;
    bool last = false;   ///< of its message
    PacketKind kind = PacketKind::message;

    /// The size on the wire, header included.
    Bytes wire() const { return Bytes{payload.size()} + header; }
};

/// What packets of a message take of the wire: payload and header, and, where a link carries them at a share of its
/// rate only, what their protocol takes beside them.
struct PacketFormat {
    Bytes header;
    double link_share = 1;   ///< above 0, at most 1
    Bytes wire(Bytes payload) const {
        const auto bytes = static_cast<double>((payload + header).count);   // exact: below 2^53
        return Bytes{static_cast<std::uint64_t>(std::ceil(bytes / link_share))};
    }
};

/// The number of packets that a message needs: at least one.
constexpr std::uint64_t packets_of(std::uint64_t message_bytes, Bytes packet) {
    return std::max<std::uint64_t>(1, (message_bytes + packet.count - 1) / packet.count);
}

/// The number of flits that carry `wire` bytes; the last one may be short.
constexpr std::uint64_t flits_of(Bytes wire, Bytes flit) { return (wire.count + flit.count - 1) / flit.count; }
/// The size of the first flit of `wire` bytes.
constexpr Bytes first_flit(Bytes wire, Bytes flit) { return std::min(wire, flit); }
/// The size of the last flit of `wire` bytes; 0 of 0.
constexpr Bytes last_flit(Bytes wire, Bytes flit) {
    return wire.count == 0 ? wire : Bytes{(wire.count - 1) % flit.count + 1};
}

/// Flits of a packet, which has a head though it be empty.
constexpr std::uint64_t packet_flits(Bytes wire, Bytes flit) {
    return std::max<std::uint64_t>(1, flits_of(wire, flit));
}

}   // namespace oscar

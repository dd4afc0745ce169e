// Unsupported or contradictory network parameters, as data; sim/checks/network_problem.hpp has the words for them.
#pragma once

#include <cstdint>
#include <variant>

#include "models/core/units.hpp"

namespace oscar {

/// Features that only a network of packets has: pauses and drops, marks, retransmission, loss, injected faults.
enum class PacketFeature : std::uint8_t { flow_control, congestion, reliability, loss, faults };

/// Fidelity flit, or input-queued routers, with a feature of networks of packets.
struct CreditsOnly {
    PacketFeature feature;
    bool input_queued = false;
};
/// The buffer of a link, divided among virtual channels, has no room for the largest packet with its header.
struct BufferBelowPacket {
    Bytes buffer;
};
/// Packets are damaged and nothing repairs that.
struct UnrepairedLoss {};
/// Link retry repairs what a link damages, not what a full buffer drops.
struct UnrepairedDrops {};
/// Without thresholds of its own, PFC pauses only with more buffer than this headroom.
struct BufferBelowHeadroom {
    Bytes buffer, headroom;
};
struct XonAboveXoff {
    Bytes xon, xoff;
};
/// The replay buffer of a link holds no packet of this size.
struct ReplayBelowPacket {
    Bytes packet;
};
/// Packets of a sprayed flow overtake each other, and its receiver answers in order.
struct OvertakenAnswers {};
/// DCQCN marks all packets from a queue that is shorter than the one from which it marks any.
struct MarksReversed {
    Bytes mark_all_from;
};

// Input-queued routers:

/// Input-queued routers at fidelity message.
struct RoutersByMessage {};
struct RoutersWithoutGrid {};
/// A torus needs two virtual channels, one on each side of the dateline.
struct RoutersWithoutDateline {};
struct RoutersOutOfDimensionOrder {};
/// Virtual channels of the network beside the routers' own.
struct RoutersWithOtherChannels {};
struct RoutersWithUnequalLinks {};
/// A flit on a link takes no whole number of picoseconds.
struct RoutersWithFractionalCycle {};
/// A propagation of more than most_delay_cycles.
struct RoutersBehindLongLinks {};
/// A latency of switches of more than most_delay_cycles.
struct RoutersWithLongSwitching {};
/// Packets of more than most_packet_flits.
struct RoutersWithLongPackets {};

using NetworkProblem =
    std::variant<CreditsOnly, BufferBelowPacket, UnrepairedLoss, UnrepairedDrops, BufferBelowHeadroom, XonAboveXoff,
                 ReplayBelowPacket, OvertakenAnswers, MarksReversed, RoutersByMessage, RoutersWithoutGrid,
                 RoutersWithoutDateline, RoutersOutOfDimensionOrder, RoutersWithOtherChannels, RoutersWithUnequalLinks,
                 RoutersWithFractionalCycle, RoutersBehindLongLinks, RoutersWithLongSwitching, RoutersWithLongPackets>;

}   // namespace oscar

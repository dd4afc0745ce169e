// One flow of a network with end-to-end transport: its messages as numbered packets.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "models/network/core/fabric.hpp"
#include "models/network/transport/dcqcn.hpp"
#include "models/network/transport/protocols.hpp"

namespace oscar {

/// The messages of a flow that are not done with: packets are numbered through all of them.
class FlowMessages {
public:
    struct Packet {
        std::uint64_t tag = 0;        ///< of its message
        std::uint32_t sequence = 0;   ///< within the message
        Bytes wire;
        Time eligible;
    };

    void add(const FabricMessage& message, std::span<const TimeRun> eligible);
    /// Precondition: added, and not forgotten.
    Packet at(std::uint64_t number) const;
    /// Messages all of whose packets are below `number` are not asked for again.
    void forget_below(std::uint64_t number);
    /// Of packets added so far.
    std::uint64_t end() const { return end_; }

private:
    struct Entry {
        std::uint64_t first;   ///< number of its first packet
        FabricMessage message;
        TimeRuns eligible = {};
    };
    std::deque<Entry> entries_;
    std::uint64_t end_ = 0;
};

/// Packets before a first link, of which one at a time is handed to it. Flows without answers that share the queue of
/// a link (those of a sprayed message, those of a host's background traffic) leave in the order in which they were sent
/// over all of them; a flow that is answered decides alone what it sends next, and has a queue of its own.
struct SendQueue {
    struct Due {
        std::uint32_t flow;
        std::uint64_t packets;
    };
    std::deque<Due> due;        ///< whose packets leave, the next one first; of an answered flow always itself
    bool handed_over = false;   ///< a packet is before the link
};

/// Both ends of a flow.
struct TransportFlow {
    FlowId data, signals;   ///< of the fabric: there, and back
    Protocol ends;
    std::optional<ReactionPoint> rate = {};
    std::optional<NotificationPoint> notifier = {};
    FlowMessages messages = {};
    std::uint32_t queue = 0;       ///< its packets leave by this SendQueue
    Time paced = {};               ///< earliest begin of the next packet
    std::uint64_t fresh = 0;       ///< number of the first packet that was never sent
    std::uint64_t delivered = 0;   ///< packets
    std::uint64_t losses = 0;
    std::uint64_t last_tag = 0;                            ///< of the message offered last
    Time offered = {};                                     ///< when its last message was
    Time news = {};                                        ///< when a packet of it was delivered last
    Time wakes = Fabric::never, expires = Fabric::never;   ///< the clocks that have been set
};

}   // namespace oscar

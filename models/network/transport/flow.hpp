// One flow of a network with end-to-end transport: its messages as numbered packets.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "models/network/event/fabric.hpp"
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

    /// Appends a message, whose packets get the numbers from end() on.
    void add(const FabricMessage& message, std::span<const TimeRun> eligible) {
        entries_.push_back({end_, message});
        entries_.back().eligible.assign(eligible);
        end_ += message.packets;
    }
    /// Precondition: added, and not forgotten.
    Packet at(std::uint64_t number) const {
        const Entry& entry = *std::prev(std::ranges::upper_bound(entries_, number, {}, &Entry::first));
        const auto sequence = static_cast<std::uint32_t>(number - entry.first);
        return {entry.message.tag, sequence, entry.message.wire_of(sequence), entry.eligible[sequence]};
    }
    /// Messages all of whose packets are below `number` are not asked for again.
    void forget_below(std::uint64_t number) {
        while (!entries_.empty() && entries_.front().first + entries_.front().message.packets <= number)
            entries_.pop_front();
    }
    /// The number of packets added so far.
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

/// The links of a flow.
struct FlowRoute {
    FlowId data, signals;      ///< of the fabric: there, and back
    EdgeId first, last;        ///< of its path
    std::uint32_t queue = 0;   ///< its packets leave by this one of SendQueues
    bool background = false;   ///< counted separately
};

/// Both ends of a flow.
struct TransportFlow {
    FlowRoute route;
    Protocol ends;
    std::optional<ReactionPoint> rate = {};
    std::optional<NotificationPoint> notifier = {};
    FlowMessages messages = {};
    Time paced = {};               ///< earliest begin of the next packet
    std::uint64_t fresh = 0;       ///< number of the first packet that was never sent
    std::uint64_t delivered = 0;   ///< packets
    std::uint64_t losses = 0;
    std::uint64_t last_tag = 0;                            ///< of the message offered last
    Time offered = {};                                     ///< when its last message was
    Time news = {};                                        ///< when a packet of it was delivered last
    Time wakes = Fabric::never, expires = Fabric::never;   ///< the clocks that have been set

    /// Messages that are delivered, and known to be, are not asked for again.
    void forget_done() { messages.forget_below(std::min(ends.sender->acknowledged(), delivered)); }
};

}   // namespace oscar

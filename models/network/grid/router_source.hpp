// Messages that wait at a node in front of a grid of routers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "models/network/event/fifo.hpp"
#include "models/network/event/turn.hpp"

namespace oscar {

/// A packet by the number of its message's transfer.
struct RouterPacket {
    std::uint32_t transfer = 0, sequence = 0;
};

/// A node sends one packet after the other; its queues take turns, packet by packet (models/network/event/turn.hpp).
class RouterSource {
public:
    struct Message {
        std::uint32_t transfer = 0, packets = 1;
        std::uint64_t order = 0;   ///< of heads of queues that may leave from one instant on, the smaller is first
        Time from = {};            ///< none of its packets is sent before
        std::uint32_t next = 0;    ///< packet
    };
    /// The time at which a packet may leave.
    using EligibleAt = std::function<Time(RouterPacket)>;

    explicit RouterSource(EligibleAt eligible) : eligible_(std::move(eligible)) {}

    /// The message joins a queue.
    void send(std::uint32_t queue, const Message& message);
    /// The earliest time from which on the head of a queue may be sent; nothing if none waits.
    std::optional<Time> first_eligible() const;
    /// Takes the packet that is sent from `now` on; nothing if none may leave. Precondition: left() since the last one.
    std::optional<RouterPacket> next(Time now);
    /// The packet that was taken last has left the node.
    void left(Time at);
    /// Resets round-robin state. Precondition: nothing waits.
    void restart();

private:
    struct Queue {
        Fifo<Message> messages;
        Time left = Turn::never_left;   ///< its last packet, the node
    };
    Time head_eligible(const Queue& queue) const {
        return eligible_({queue.messages.front().transfer, queue.messages.front().next});
    }

    EligibleAt eligible_;
    std::map<std::uint32_t, Queue> queues_;   ///< by key
    Queue* leaving_ = nullptr;                ///< that of the packet which was taken last
    std::size_t waiting_ = 0;                 ///< messages
};

}   // namespace oscar

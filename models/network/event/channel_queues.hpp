// Packets that wait for one channel of a link, and their turns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/network/event/fabric.hpp"
#include "models/network/event/fifo.hpp"
#include "models/network/event/turn.hpp"
#include "models/network/event/waiting_packet.hpp"

namespace oscar {

/// A queue for each link and channel by which packets come, or for each queue of a sender; each has a key. The heads of
/// the queues that are not empty wait for their turns (models/network/event/turn.hpp).
class ChannelQueues {
public:
    struct Queue {
        std::uint64_t key = 0;   ///< its name
        Fifo<WaitingPacket> packets;
        Time left = Turn::never_left;   ///< its last packet, the link
    };

    /// The index of the queue of this key, which is added if there is none.
    std::uint32_t with(std::uint64_t key) {
        const auto key_of = [&](std::uint32_t q) { return queues_[q].key; };
        const auto found = std::ranges::lower_bound(by_key_, key, {}, key_of);
        if (found != by_key_.end() && key_of(*found) == key) return *found;
        const auto index = static_cast<std::uint32_t>(queues_.size());
        by_key_.insert(found, index);
        queues_.push_back({key, {}});
        return index;
    }
    Queue& operator[](std::uint32_t index) { return queues_[index]; }
    /// True if packets are in the queue of this key.
    bool holds(std::uint64_t key) const {
        return std::ranges::any_of(queues_, [&](const Queue& q) { return q.key == key && !q.packets.empty(); });
    }

    /// The head of a queue begins to wait for its turn; `order` decides between heads of an instant. Precondition: the
    /// queue is not empty, and none of its packets waits for a turn.
    void take_place(std::uint32_t index, std::uint64_t order) {
        const Queue& queue = queues_[index];
        waiting_.push_back({Turn::of(queue.packets.front().ready.first, queue.left, order), index});
        std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>{});
    }
    /// True if no queue waits for its turn.
    bool empty() const { return waiting_.empty(); }
    /// The time from which on some queue has its turn. Precondition: not empty().
    Time next_turn() const { return waiting_.front().turn.since; }
    /// The queue whose turn it is; null if it has not come. Precondition, for a link that is to decide: it is free.
    const Queue* elected(Time now) const {
        if (waiting_.empty() || waiting_.front().turn.since > now) return nullptr;
        return &queues_[waiting_.front().queue];
    }
    /// The elected queue waits no more. Returns its index.
    std::uint32_t serve() {
        std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>{});
        const std::uint32_t index = waiting_.back().queue;
        waiting_.pop_back();
        return index;
    }
    /// Turns are as before the first packet. Precondition: empty().
    void restart() {
        for (Queue& queue : queues_) queue.left = Turn::never_left;
    }

private:
    struct Placed {
        Turn turn;
        std::uint32_t queue;
        friend auto operator<=>(const Placed&, const Placed&) = default;
    };
    std::vector<Queue> queues_;
    std::vector<std::uint32_t> by_key_;   ///< all queues
    std::vector<Placed> waiting_;         ///< those that are not empty: a heap, whose turn is first in front
};

}   // namespace oscar

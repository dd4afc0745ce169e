// Queues of packets before the first links of their flows.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "models/network/topology/hop.hpp"

namespace oscar {

/// Each queue hands its link one packet at a time. Flows without answers that share the queue of a link (of a sprayed
/// message, or of a host's background traffic) leave in the order in which they were sent over all of them; a flow that
/// is answered decides alone what it sends next, and has a queue of its own.
class SendQueues {
public:
    /// The queue of an answered flow.
    std::uint32_t add_own(std::uint32_t flow);
    /// The queue `key` of the link and channel `first`.
    std::uint32_t shared(const Hop& first, std::uint32_t key);

    /// `packets` more of a flow wait in its queue; that of an answered flow keeps no count of them.
    void offer(std::uint32_t queue, std::uint32_t flow, std::uint64_t packets);
    /// The flow whose packet leaves next; nothing if none waits, or while one is before the link.
    std::optional<std::uint32_t> next(std::uint32_t queue) const;
    /// A packet of the next flow is before the link. Precondition: there is a next flow.
    void hand_over(std::uint32_t queue);
    /// The packet that was handed over has begun to leave.
    void departed(std::uint32_t queue) { queues_[queue].handed_over = false; }

private:
    struct Due {
        std::uint32_t flow;
        std::uint64_t packets;
    };
    struct Queue {
        bool own = false;
        std::deque<Due> due = {};   ///< whose packets leave, the next one first; of an answered flow always itself
        bool handed_over = false;
    };

    std::vector<Queue> queues_;
    std::map<std::tuple<EdgeId, std::uint8_t, std::uint32_t>, std::uint32_t> shared_;   ///< link, channel, key
};

}   // namespace oscar

// The sending side of a link, in a NIC or a switch: queues, round-robin arbitration between them, credits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/deque.hpp>
#include <boost/container/flat_set.hpp>

#include "models/hw/link.hpp"
#include "models/net/round_robin.hpp"

namespace oscar {

/// A packet that waits for a link.
struct Queued {
    Packet packet;
    Time eligible;     ///< earliest time at which its first bit may leave
    Time tail_ready;   ///< when its last flit is there (cut-through); the past for a packet that is there as a whole
};

/// Sends the packets of its queues, each queue in order, one whole packet at a time. Which queue is next is decided
/// when the link is free, among the heads eligible by then, and after all arrivals of that instant. A winner without
/// credit keeps its turn and waits.
class OutputPort : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(OutputPort);
    using Sent = std::function<void(std::size_t queue, const Queued&, Time begin, Time end)>;
    OutputPort(const sc_core::sc_module_name& name, Link& link, std::size_t queues, Sent on_sent);

    void push(std::size_t queue, const Queued& queued);

    /// One line on the packet that waits for credit and what is lacking; nothing if none does.
    std::optional<std::string> blocked() const;
    std::uint64_t decisions() const { return decisions_; }

private:
    void wake(Time at);
    void on_timer();
    void send_next();
    void send_head_of(std::size_t queue);

    Link& link_;
    std::vector<boost::container::deque<Queued>> queues_;   ///< each without memory until it is used
    boost::container::flat_set<std::size_t> occupied_;      ///< those of them that are not empty
    RoundRobin turn_;
    Sent on_sent_;
    std::optional<std::size_t> waiting_;   ///< queue whose head has its turn but no credit
    std::uint64_t decisions_ = 0;
    sc_core::sc_event timer_, decide_;
};

}   // namespace oscar

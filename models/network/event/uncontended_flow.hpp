// The times of a flow that has all its links to itself.
#pragma once

#include <vector>

#include "models/network/event/fabric.hpp"
#include "models/network/event/fifo.hpp"
#include "models/network/link/crossing.hpp"

namespace oscar {

/// There is no contention, so every time follows from the times of earlier packets by maxima and sums: a packet begins
/// on a link when it has arrived, the one before it has left, and enough earlier ones have left the buffer at the
/// link's end to make room for it. Packets that follow one another without a gap are not computed one by one.
class UncontendedFlow {
public:
    UncontendedFlow(const IndexedVector<EdgeId, FabricLink>& links, Bytes flit, std::span<const Hop> path);

    /// Tells `listener` of packets in order, of runs of `count` at once of which each is as much later than the one
    /// before: crossed(first, count, hop, begin, each) for each link, where a packet takes `each` and the first begins
    /// at `begin`; then taken(first, count, at, each) for the node at the end. Precondition: no packet is larger than a
    /// buffer on its path.
    template <class Listener>
    void send(const FabricMessage& message, std::span<const TimeRun> eligible, Listener&& listener) {
        if (even_) send_over<true>(message, TimeRunReader(eligible), listener);
        else send_over<false>(message, TimeRunReader(eligible), listener);
    }
    /// The time at which the last packet has left link number `hop` of the path.
    Time left(std::size_t hop) const { return hops_[hop].free_at; }
    /// The time at which the last credit is back.
    Time settled_at() const { return settled_at_; }

private:
    struct Returning {
        Time at;
        Bytes size;
    };
    struct HopState {
        const FabricLink* link;
        ExactTime byte;
        Time latency;   ///< from a flit's end here until it may leave again
        Time free_at = {};
        Bytes credits;
        Fifo<Returning> returning = {};
        Time all = {}, first = {};   ///< what a packet, and its first flit, take
    };

    /// On links of one rate a flit is always there before its turn, and a packet takes its serialization.
    template <bool even>
    Crossing cross_hop(const HopState& hop, Bytes wire, Time begin, const FlitsReady& ready) const {
        if constexpr (even) return {begin + hop.all, {begin + hop.first + hop.latency, {}, {}}};
        else return cross(hop.link->link.propagation + hop.link->egress_latency, hop.byte, flit_, wire, begin, ready);
    }

    template <bool even, class Listener>
    void send_over(const FabricMessage& message, TimeRunReader eligible, Listener& listener) {
        const std::uint32_t same = message.last_wire == message.wire ? message.packets : message.packets - 1;
        for (std::uint32_t sent = 0; sent < message.packets;) {
            send_one<even>(message.wire_of(sent), eligible.front(), sent, listener);
            eligible.skip(1);
            if (++sent >= same || !even) continue;
            const std::uint32_t together = send_back_to_back(eligible, sent, same - sent, listener);
            eligible.skip(together);
            sent += together;
        }
        settled_at_ = std::max(settled_at_, latest_return());
    }
    template <bool even, class Listener>
    void send_one(Bytes wire, Time eligible, std::uint32_t sequence, Listener& listener) {
        if (wire != measured_) measure(wire);
        FlitsReady ready{eligible, {}, {}};
        Crossing crossing;
        for (std::size_t h = 0; h < hops_.size(); ++h) {
            HopState& hop = hops_[h];
            const Time begin = begin_on(hop, wire, ready.first);
            crossing = cross_hop<even>(hop, wire, begin, ready);
            hop.free_at = crossing.end;
            if (h > 0) release(hops_[h - 1], wire, crossing.end);
            ready = crossing.next;
            listener.crossed(sequence, 1, h, begin, crossing.end - begin);
        }
        const Time taken = crossing.end + hops_.back().latency;
        release(hops_.back(), wire, taken);
        listener.taken(sequence, 1, taken, Time{});
    }
    /// Sends at once those from packet `first` on, `most` at most, that follow the one before at the rate of the links;
    /// tells how many. They are of its size and, on the first link, there before their turn, so that on each link each
    /// is there before its turn, as the one before was; and none waits for credit.
    template <class Listener>
    std::uint32_t send_back_to_back(const TimeRunReader& eligible, std::uint32_t first, std::uint32_t most,
                                    Listener& listener) {
        const std::uint32_t count = back_to_back_count(eligible, most);
        if (count == 0) return 0;
        const Time each = hops_.front().all;
        const Time taken = hops_.back().free_at + hops_.back().latency;
        for (std::size_t h = 0; h < hops_.size(); ++h) {
            listener.crossed(first, count, h, hops_[h].free_at, each);
            advance(hops_[h], count);
        }
        listener.taken(first, count, taken + each, each);
        return count;
    }
    std::uint32_t back_to_back_count(TimeRunReader eligible, std::uint32_t most);
    static bool never_short(HopState& hop, Bytes wire);
    static void settle(HopState& hop, Time now);
    void advance(HopState& hop, std::uint32_t count);
    /// Takes the credit that a packet needs, and tells when it begins.
    static Time begin_on(HopState& hop, Bytes wire, Time ready) {
        Time begin = std::max(ready, hop.free_at);
        for (; hop.credits < wire; hop.returning.pop_front()) {
            hop.credits += hop.returning.front().size;
            begin = std::max(begin, hop.returning.front().at);
        }
        hop.credits -= wire;
        return begin;
    }
    static void release(HopState& hop, Bytes wire, Time at) {
        hop.returning.push_back({at + hop.link->link.propagation, wire});
    }
    void measure(Bytes wire);
    Time latest_return() const;

    std::vector<HopState> hops_;
    Bytes flit_;
    bool even_ = true;   ///< all links have one rate
    Bytes measured_{~std::uint64_t{0}};
    Time settled_at_;
};

}   // namespace oscar

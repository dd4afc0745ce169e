// The times of a flow that has all its links to itself.
#pragma once

#include <vector>

#include "models/fabric/crossing.hpp"
#include "models/fabric/fifo.hpp"

namespace oscar {

/// Nobody is to be waited for, so that every time follows from those of the packets before by maxima and sums: a packet
/// begins on a link when it is there, the one before has left, and as many of those before have left the buffer behind
/// it as make room.
class LoneFlow {
public:
    LoneFlow(const std::vector<FabricLink>& links, Bytes flit, std::span<const Hop> path);

    /// Tells `listener` of each packet in order: crossed(sequence, hop, begin, end) of each link, then
    /// taken(sequence, time) of the node at the end. Precondition: no packet is larger than a buffer on the way.
    template <class Listener>
    void send(const FabricMessage& message, std::span<const Time> eligible, Listener&& listener) {
        if (even_) send_over<true>(message, eligible, listener);
        else send_over<false>(message, eligible, listener);
    }
    /// When the last credit is back.
    Time settled_at() const { return settled_at_; }

private:
    struct Returning {
        Time at;
        Bytes size;
    };
    struct Lane {
        const FabricLink* link;
        ExactTime byte;
        Time way;   ///< from a flit's end here until it may leave again
        Time free_at = {};
        Bytes credits;
        Fifo<Returning> returning = {};
        Time all = {}, first = {};   ///< what a packet, and its first flit, take
    };

    /// On links of one rate a flit is always there before its turn, and a packet takes its serialization.
    template <bool even>
    Crossing cross_lane(const Lane& lane, Bytes wire, Time begin, const FlitsReady& ready) const {
        if constexpr (even) return {begin + lane.all, {begin + lane.first + lane.way, {}, {}}};
        else return cross(*lane.link, lane.byte, flit_, wire, begin, ready);
    }

    template <bool even, class Listener>
    void send_over(const FabricMessage& message, std::span<const Time> eligible, Listener& listener) {
        for (std::uint32_t i = 0; i < message.packets; ++i) {
            const Bytes wire = message.wire_of(i);
            if (wire != measured_) measure(wire);
            FlitsReady ready{eligible[i], {}, {}};
            Crossing crossing;
            for (std::size_t h = 0; h < lanes_.size(); ++h) {
                Lane& lane = lanes_[h];
                const Time begin = begin_on(lane, wire, ready.first);
                crossing = cross_lane<even>(lane, wire, begin, ready);
                lane.free_at = crossing.end;
                if (h > 0) release(lanes_[h - 1], wire, crossing.end);
                ready = crossing.next;
                listener.crossed(i, h, begin, crossing.end);
            }
            const Time taken = crossing.end + lanes_.back().way;
            release(lanes_.back(), wire, taken);
            listener.taken(i, taken);
        }
        settled_at_ = std::max(settled_at_, latest_return());
    }
    /// Takes the credit that a packet needs, and tells when it begins.
    static Time begin_on(Lane& lane, Bytes wire, Time ready) {
        Time begin = std::max(ready, lane.free_at);
        for (; lane.credits < wire; lane.returning.pop_front()) {
            lane.credits += lane.returning.front().size;
            begin = std::max(begin, lane.returning.front().at);
        }
        lane.credits -= wire;
        return begin;
    }
    static void release(Lane& lane, Bytes wire, Time at) {
        lane.returning.push_back({at + lane.link->link.propagation, wire});
    }
    void measure(Bytes wire);
    Time latest_return() const;

    std::vector<Lane> lanes_;
    Bytes flit_;
    bool even_ = true;   ///< all links have one rate
    Bytes measured_{~std::uint64_t{0}};
    Time settled_at_;
};

}   // namespace oscar

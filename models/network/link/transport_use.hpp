// Counters of flow control, congestion control and loss recovery.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// Each packet counts once for each link that it is sent over, data and answers alike, repeats by a link or a sender
/// too. Law, once nothing is in flight: sent = delivered + damaged + dropped.
struct TransportUse {
    std::uint64_t sent = 0, delivered = 0, damaged = 0, dropped = 0, replayed = 0, paused = 0, marked = 0, notified = 0,
                  answered = 0, timeouts = 0, retransmitted = 0, retransmitted_bytes = 0, answer_bytes = 0;
    static constexpr auto fields() {
        return Entries{
            field("sent_packets", &TransportUse::sent,
                  "packets times links that they were sent over, with answers and all that was sent again; each was "
                  "delivered, damaged or dropped there"),
            field("delivered_packets", &TransportUse::delivered,
                  "sent packets that were received whole at the end of their link"),
            field("damaged_packets", &TransportUse::damaged, "sent packets in which the link inverted bits"),
            field("drops", &TransportUse::dropped, "sent packets that were dropped because the buffer was full"),
            field("replayed_packets", &TransportUse::replayed, "packets retransmitted by their link"),
            field("pauses", &TransportUse::paused, "pause frames, sent when a receive buffer rose above Xoff"),
            field("ecn_marks", &TransportUse::marked, "packets marked because of a long queue"),
            field("cnps", &TransportUse::notified, "congestion notifications sent"),
            field("answers", &TransportUse::answered, "acknowledgements, also negative ones"),
            field("timeouts", &TransportUse::timeouts, "retransmission timers that expired"),
            field("retransmitted_packets", &TransportUse::retransmitted, "packets retransmitted by their sender"),
            field("retransmitted_bytes", &TransportUse::retransmitted_bytes, "of those, with headers"),
            field("answer_bytes", &TransportUse::answer_bytes, "of answers and notifications, with headers"),
        };
    }

    TransportUse& operator+=(const TransportUse& other) {
        for_each_field<TransportUse>([&](const auto& field) { this->*field.member += other.*field.member; });
        return *this;
    }
    friend bool operator==(const TransportUse&, const TransportUse&) = default;
};

/// The counters of a network: of the flows of a job, and of the flows that are counted separately.
struct TransportAccount {
    TransportUse job, background;
    /// The counters of one of the two kinds of flows.
    TransportUse& of(bool is_background) { return is_background ? background : job; }
};

}   // namespace oscar

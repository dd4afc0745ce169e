// What flow control, congestion control and repair did.
#pragma once

#include <cstdint>
#include <tuple>

#include "models/core/fields.hpp"

namespace oscar {

struct TransportUse {
    std::uint64_t damaged = 0, dropped = 0, replayed = 0, paused = 0, marked = 0, notified = 0, answered = 0,
                  timeouts = 0, retransmitted = 0, retransmitted_bytes = 0, answer_bytes = 0;
    static constexpr auto fields() {
        return std::tuple{
            field("damaged_packets", &TransportUse::damaged, "a link turned bits over"),
            field("drops", &TransportUse::dropped, "found no room at the end of a link"),
            field("replayed_packets", &TransportUse::replayed, "sent again by their link"),
            field("pauses", &TransportUse::paused, "a receiver's buffer rose above Xoff"),
            field("ecn_marks", &TransportUse::marked, "packets that found a long queue"),
            field("cnps", &TransportUse::notified, "congestion notifications sent"),
            field("answers", &TransportUse::answered, "acknowledgements, also negative ones"),
            field("timeouts", &TransportUse::timeouts, "senders that waited in vain"),
            field("retransmitted_packets", &TransportUse::retransmitted, "sent again by their sender"),
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

}   // namespace oscar

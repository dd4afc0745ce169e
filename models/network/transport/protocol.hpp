// Sender and receiver of a flow with numbered packets. No clock, no packets.
#pragma once

#include <cstdint>
#include <optional>

#include "models/core/units.hpp"

namespace oscar {

/// The answer of a receiver to its sender.
struct Answer {
    std::uint64_t expected = 0;               ///< all packets before it have been delivered
    bool missing = false;                     ///< it is asked for: a later packet has come (NAK)
    std::optional<std::uint64_t> kept = {};   ///< came ahead of it, and need not be sent again (SACK)
};

/// Numbers are 0, 1, … in the order in which packets must be delivered. Laws, whatever is lost or overtaken: next() is
/// below acknowledged() + window; a packet is sent only after all before it have been sent at least once.
class SendingEnd {
public:
    virtual ~SendingEnd() = default;
    /// There are `packets` more to send.
    virtual void offer(std::uint64_t packets) = 0;
    /// The packet that may be sent now; nothing if all has been sent or the window is full.
    virtual std::optional<std::uint64_t> next() const = 0;
    /// next() has begun to leave.
    virtual void sent(Time now) = 0;
    /// An answer of the receiver has come.
    virtual void answered(const Answer& answer, Time now) = 0;
    /// The time at which expired() is due unless an answer comes before; nothing while nothing is waited for.
    virtual std::optional<Time> deadline() const = 0;
    /// The deadline has passed without an answer.
    virtual void expired(Time now) = 0;
    /// All packets before it are known to be delivered, and will not be sent again.
    virtual std::uint64_t acknowledged() const = 0;
};

class ReceivingEnd {
public:
    struct Verdict {
        std::uint64_t delivered = 0;   ///< so many packets go on to their receiver, in order
        std::optional<Answer> answer = {};
    };
    virtual ~ReceivingEnd() = default;
    /// Laws: a number is delivered once, and after all before it.
    virtual Verdict received(std::uint64_t number) = 0;
};

}   // namespace oscar

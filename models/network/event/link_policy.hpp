// Interface of link policies: what a link does with a packet beyond waiting for credits.
#pragma once

#include <cstdint>

#include "models/network/event/fabric.hpp"
#include "models/network/event/waiting_packet.hpp"

namespace oscar {

/// Decides when a packet may start on a link, how it crosses it, what becomes of it after the link, and when its buffer
/// is released. A PacketFabric without a policy waits for credits and does nothing else. A policy that loses packets
/// needs a transport whose packets are messages of their own.
class LinkPolicy {
public:
    virtual ~LinkPolicy() = default;

    /// Begins a job; `job_seed` chooses which packets are damaged and marked.
    virtual void restart(std::uint64_t job_seed) = 0;
    /// The time at which a packet of `wire` bytes may start on `hop`, as far as is known, if its credits let it start
    /// at `credited`. An earlier decision does no harm.
    virtual Time room_at(const Hop& hop, Bytes wire, Time credited) const = 0;
    /// Returns how a packet crosses a hop that it begins now; `undisturbed` is how it does on a link without a policy.
    virtual Crossing transmit(const WaitingPacket& packet, const Hop& hop, const Crossing& undisturbed) = 0;
    /// A packet has been sent over `hop`: hands it to PacketFabric::forward(), at once or when it has come, or loses
    /// it. Its receiver, if it is at the end of this hop, takes it at `taken`.
    virtual void land(const WaitingPacket& next, const Hop& hop, Time taken) = 0;
    /// A packet leaves the buffer at the end of `hop` at `at`.
    virtual void release(const Hop& hop, Bytes size, Time at) = 0;
    /// An event that the policy has posted: leaving, landing or pausing.
    virtual void run(Fabric::Kind kind, const Event& event) = 0;
    /// Corrects what a wait for credit says of the room at the end of the hop.
    virtual void describe(CreditWait& wait) const = 0;
    /// The counters since restart(), without flows that are counted separately.
    virtual const TransportUse& use() const = 0;
};

}   // namespace oscar

// Interface of transports: who turns a client's messages into packets and tells the client of their arrival.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/network/event/fabric.hpp"

namespace oscar {

/// Stands between the client of a PacketFabric and its links. Each packet is a message of its own on the links, with a
/// tag that the transport chooses. A PacketFabric without a transport sends the client's messages as they are.
class PacketTransport {
public:
    virtual ~PacketTransport() = default;

    // Requests of the client; see Fabric.
    /// Adds the flow and what its answers need. The number is the client's, not the links'.
    virtual FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) = 0;
    virtual void count_separately(FlowId flow) = 0;
    virtual void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible) = 0;
    virtual void restart() = 0;
    /// One line for each flow that has lost packets and not delivered all; empty if there is none.
    virtual std::string losses() const = 0;

    // Events of a packet, by its tag.
    /// The packet's bits are on its first link from `begin` to `end`.
    virtual void departed(std::uint64_t tag, Time begin, Time end) = 0;
    /// The node at the end of its path has taken it.
    virtual void arrived(std::uint64_t tag) = 0;
    /// A switch has marked it for a long queue (ECN).
    virtual void marked(std::uint64_t tag) = 0;
    /// A link has dropped or damaged it, so that it will not arrive.
    virtual void lost(std::uint64_t tag) = 0;
    /// True if it passes the checks of its receiver's port at the end of its path.
    virtual bool passes(std::uint64_t tag) = 0;
    /// Its order among packets that begin to wait at the same instant (Fabric::order_of).
    virtual std::uint64_t order_of(std::uint64_t tag) const = 0;

    /// A timer that the transport has posted.
    virtual void ring(const Event& event) = 0;
    /// Says whose packet waits in the client's names.
    virtual void describe(CreditWait& wait) const = 0;
};

}   // namespace oscar

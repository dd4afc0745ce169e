// A network with one event per packet and link.
#pragma once

#include "models/network/core/credits.hpp"
#include "models/network/core/fabric.hpp"
#include "models/network/core/fifo.hpp"
#include "models/network/core/turn.hpp"
#include "models/network/link/crossing.hpp"

namespace oscar {

/// When a packet is granted a link, all its times on the link are known, and those of the buffer that it leaves. A link
/// wakes only to decide: when a packet may be eligible, the link free or credit available.
/// It has more than 20 functions: a third of them are what a network that loses or pauses packets does otherwise.
class PacketFabric : public Fabric {
public:
    PacketFabric(const FabricParams& params, FabricClient& client);

    /// Turns begin anew.
    void restart(std::uint64_t draw) override;
    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override;
    void declare(std::span<const FlowId>, Bytes) override {}
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> wanted) override;

protected:
    void run(Kind kind, const Event& event) override;
    std::optional<CreditWait> blocked_on(const Hop& hop) const override;
    std::optional<Hop> waits_for(const Hop& hop) const override;

    /// The turns of a hop as they would be had packets of this flow, which has all its links to itself, gone one by
    /// one, the last of which has left at `left`.
    void note_turn(FlowId flow, std::size_t hop, Time left);
    ExactTime byte_of(std::uint32_t edge) const { return ports_[edge].byte; }

    /// A packet before a link; at its sender all that is left of a message, of which it is the next.
    struct Waiting {
        std::uint32_t transfer = 0, sequence = 0, hop = 0;
        FlitsReady ready;
    };

    /// When the buffer at the end of `hop` lets a packet start, as far as is known; an earlier decision does no harm.
    virtual Time room_at(const Hop& hop, Bytes wire) const { return channel_of(hop).credits.when(wire); }
    /// How a packet crosses a hop that it begins now.
    virtual Crossing transmit(const Waiting& packet, const Hop& hop, Bytes wire);
    /// What becomes of a packet behind a hop: it joins the next link's queue, or is taken by its receiver at `taken`.
    virtual void land(const Waiting& next, const Hop& hop, Time taken);
    /// The buffer at the end of `hop` is free of a packet at `at`; its sender knows one propagation later.
    virtual void release(const Hop& hop, Bytes size, Time at);
    /// A link decides no later than at `at`.
    void wake(std::uint32_t edge, Time at);
    Bytes wire_of(const Waiting& packet) const { return transfers_[packet.transfer].message.wire_of(packet.sequence); }
    Time free_at(std::uint32_t edge) const { return ports_[edge].free_at; }

private:
    struct Queue {
        std::uint64_t key = 0;   ///< its name
        Fifo<Waiting> packets;
        Time left = Turn::never_left;   ///< its last packet, the link
    };
    struct Placed {
        Turn turn;
        std::uint32_t queue;
        friend auto operator<=>(const Placed&, const Placed&) = default;
    };
    struct Channel {
        Credits credits;
        std::vector<Queue> queues;
        std::vector<std::uint32_t> by_key = {};   ///< all queues
        std::vector<Placed> waiting = {};         ///< those that are not empty: a heap, whose turn is first in front
    };
    struct Port {
        ExactTime byte;
        Time free_at;
        Time wakes_at = never;
        std::vector<Channel> channels;
        std::uint32_t last_channel;
    };

    std::uint32_t queue_with(const Hop& hop, std::uint64_t key);
    void push(const Waiting& packet);
    void decide(std::uint32_t edge);
    void take_place(Channel& channel, std::uint32_t queue) const;
    const Queue* elected(const Channel& channel) const;
    Time when_sendable(const Hop& hop) const;
    void grant(std::uint32_t edge, std::uint32_t channel);
    static Waiting take_head(Queue& queue, const Transfer& transfer);
    void pass_on(const Waiting& packet, const Hop& hop, const Crossing& crossing);
    Channel& channel_of(const Hop& hop) { return ports_[hop.edge].channels[hop.channel]; }
    const Channel& channel_of(const Hop& hop) const { return ports_[hop.edge].channels[hop.channel]; }

    std::vector<Port> ports_;                             ///< per link
    std::vector<std::vector<std::uint32_t>> queues_of_;   ///< per flow and hop, the queue in which its packets wait
};

}   // namespace oscar

// A network with one event per packet and link.
#pragma once

#include <algorithm>
#include <memory>

#include "models/network/event/channel_queues.hpp"
#include "models/network/event/credits.hpp"
#include "models/network/event/fabric.hpp"
#include "models/network/event/link_policy.hpp"
#include "models/network/event/packet_transport.hpp"
#include "models/network/event/waiting_packet.hpp"

namespace oscar {

/// When a packet is granted a link, all its times on the link are known, and the times of the buffer that it leaves. A
/// link wakes only to decide: when a packet may be eligible, the link free or credit available. Links may have a
/// policy, and the client a transport; without them, links wait for credits and messages go as they are.
class PacketFabric : public Fabric {
public:
    PacketFabric(const FabricParams& params, FabricClient& client);

    /// Adds a policy of the links and a transport, both of which refer to this fabric; either may be null.
    /// Precondition: no flow has been added.
    void compose(std::unique_ptr<LinkPolicy> policy, std::unique_ptr<PacketTransport> transport);

    /// Resets round-robin state.
    void restart(std::uint64_t job_seed) override;
    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override;
    void count_separately(FlowId flow) override;
    void declare(std::span<const FlowId>, Bytes) override {}
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> reported) override;
    std::optional<TransportUse> transport_use() const override;
    std::string losses() const override { return transport_ ? transport_->losses() : std::string{}; }

    // For the policy and the transport. Here, flows and messages are the ones on the links.
    using Fabric::close, Fabric::post, Fabric::settle;
    /// Adds a flow of the links, whatever transport the client has; see Fabric::add_flow().
    FlowId add_link_flow(std::span<const Hop> path, std::uint32_t queue);
    /// Counts a flow of the links separately, whatever transport the client has.
    void count_link_flow_separately(FlowId flow) { Fabric::count_separately(flow); }
    /// Sends a message of a flow of the links, past the transport.
    void send_over_links(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible);
    /// Senders wait for no credit from now on.
    void lift_credits();
    /// The facts of a packet that waits or crosses a link; its message must still be in flight.
    PacketFacts facts_of(const WaitingPacket& packet) const;
    /// The times at which a packet that is `ready` crosses a link from `begin` on, undisturbed.
    Crossing cross_link(EdgeId edge, Bytes wire, Time begin, const FlitsReady& ready) const;
    /// A packet that has crossed a hop joins the next link's queue, or is taken by its receiver at `taken`.
    void forward(const WaitingPacket& next, const Hop& hop, Time taken);
    /// The buffer at the end of `hop` is free of a packet at `at`; its sender knows one propagation later.
    void return_credit(const Hop& hop, Bytes size, Time at) final;
    /// A link decides at `at`, or when it is free if that is later.
    void decide_at(EdgeId edge, Time at) { wake(edge, std::max({at, ports_[edge].free_at, now()})); }
    /// Null where links only wait for credits.
    const LinkPolicy* policy() const { return policy_.get(); }
    /// Precondition: it has one.
    PacketTransport& transport() const { return *transport_; }

protected:
    void run(Kind kind, const Event& event) override;
    void tell_arrived(std::uint64_t tag, std::uint32_t sequence) override;
    std::uint64_t order_of(std::uint64_t tag) const override { return transport_ ? transport_->order_of(tag) : tag; }
    std::optional<CreditWait> blocked_on(const Hop& hop) const override;
    std::optional<Hop> waits_for(const Hop& hop) const override;

    /// The turns of a hop as they would be had packets of this flow, which has all its links to itself, gone one by
    /// one, the last of which has left at `left`.
    void note_turn(FlowId flow, std::size_t hop, Time left);

private:
    using Queue = ChannelQueues::Queue;
    struct Channel {
        Credits credits;
        ChannelQueues queues;
    };
    struct Port {
        ExactTime byte;
        Time free_at;
        Time wakes_at = never;
        std::vector<Channel> channels;
        std::uint32_t last_channel;
    };

    void push(const WaitingPacket& packet);
    /// A link decides no later than at `at`.
    void wake(EdgeId edge, Time at);
    void decide(EdgeId edge);
    std::uint64_t order_of(const WaitingPacket& packet) const {
        return PacketFabric::order_of(transfers_[packet.transfer].message.tag);
    }
    Time when_sendable(const Hop& hop) const;
    void grant(EdgeId edge, std::uint32_t channel);
    static WaitingPacket take_head(Queue& queue, const Transfer& transfer);
    void pass_on(const WaitingPacket& packet, const Hop& hop, const Crossing& crossing);
    void release(const Hop& hop, Bytes size, Time at);
    Bytes wire_of(const WaitingPacket& packet) const {
        return transfers_[packet.transfer].message.wire_of(packet.sequence);
    }
    Channel& channel_of(const Hop& hop) { return ports_[hop.edge].channels[hop.channel]; }
    const Channel& channel_of(const Hop& hop) const { return ports_[hop.edge].channels[hop.channel]; }

    IndexedVector<EdgeId, Port> ports_;                             ///< before its link
    IndexedVector<FlowId, std::vector<std::uint32_t>> queues_of_;   ///< per hop, the queue in which its packets wait
    std::unique_ptr<LinkPolicy> policy_;                            ///< none: credits
    std::unique_ptr<PacketTransport> transport_;                    ///< none: the client's messages go as they are
};

}   // namespace oscar

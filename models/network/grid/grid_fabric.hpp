// The packets of a network of input-queued routers, and the account of its links.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "models/core/random.hpp"
#include "models/network/event/fabric.hpp"
#include "models/network/event/fifo.hpp"
#include "models/network/grid/router_clock.hpp"
#include "models/network/grid/router_flit.hpp"
#include "models/network/grid/router_links.hpp"
#include "models/network/grid/router_source.hpp"

namespace oscar {

/// Fabric over a grid of routers, whose flits a derived class moves. A node begins a packet when it is eligible and the
/// one before has left; its queues take turns. Channels of hops are ignored, because routers choose VCs. Packets of a
/// flow may overtake each other in the routers: the last node takes them in order, and holds early ones at no cost.
/// Where nothing can move, step() throws RouterDeadlock. Credits are per flit, so there is no DeadlockReport.
class GridFabric : public Fabric {
public:
    /// The links are alike and cable the grid; their buffers are the routers'. Throws std::invalid_argument if a link
    /// has no place in the grid. Precondition: a flit takes a whole number of picoseconds on a link.
    GridFabric(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router, FabricClient& client);

    /// Resets round-robin state; `job_seed` is the seed of the coins of packets.
    void restart(std::uint64_t job_seed) override;
    /// Throws std::invalid_argument for a path that is not in dimension order, by the shorter direction.
    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override;
    void declare(std::span<const FlowId>, Bytes) override {}

    /// The coins of packet number `number`, counted from 0, from one node to another. Bits 0 and 1, the direction round
    /// x and y, are `directions`, as its path has them; bits 2 and 3, the class of VCs where no dateline is crossed,
    /// are random.
    static std::uint8_t coins(std::uint64_t seed, NodeId from, NodeId to, std::uint64_t number,
                              std::uint8_t directions) {
        const std::uint64_t random = random_at(random_at(seed, std::uint64_t{from.value} << 32 | to.value), number);
        return static_cast<std::uint8_t>(directions | (random & 3) << 2);
    }

protected:
    /// The node of its flow sends a packet from cycle `created` on.
    RouterPacketStart begin_packet(RouterPacket packet, Cycles created);
    /// A flit is on a link from `begin` on, for a cycle.
    void cross(EdgeId edge, const RouterFlit& flit, Time begin);
    /// The tail of a packet has reached its node at `at`. The node takes the packets of a flow in order: this one once
    /// it has taken all before it, and then the ones that it kept waiting.
    void take(const RouterFlit& tail, Time at);
    /// Tells the client of a packet that has left its node by `edge`.
    virtual void tell_departed(EdgeId edge, std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) = 0;

    /// The node that sends the packets of a flow.
    NodeId source_of(FlowId flow) const { return flow_states_[flow].ends.from; }
    RouterSource::Message message_of(std::uint32_t transfer) const {
        const FabricMessage& message = transfers_[transfer].message;
        return {transfer, message.packets, order_of(message.tag)};
    }
    Time eligible(RouterPacket packet) const { return transfers_[packet.transfer].eligible[packet.sequence]; }

    const RouterGrid grid_;
    const VcRouterParams router_;
    const RouterLinks cabling_;
    RouterClock clock_;

private:
    struct FlowState {
        RouterLinks::Ends ends;
        std::uint8_t coins;
        std::uint64_t sent = 0;    ///< packets since the job began
        Fifo<Cycles> unfinished;   ///< when packets began that the client has not been told of
    };
    /// A packet of which the client has not been told.
    struct UnderWay {
        FlowId flow;
        RouterPacket packet;
        std::vector<Time> begins;   ///< per hop, of its head
        bool arrived = false;
    };
    using PacketId = std::pair<NodeId, Cycles>;   ///< source, and cycle in which it began

    std::optional<CreditWait> blocked_on(const Hop&) const override { return std::nullopt; }
    std::optional<Hop> waits_for(const Hop&) const override { return std::nullopt; }
    void leave(const UnderWay& packet, EdgeId edge, std::size_t hop, Time end);

    std::uint64_t seed_ = 0;
    IndexedVector<FlowId, FlowState> flow_states_;
    std::map<PacketId, UnderWay> under_way_;
};

}   // namespace oscar

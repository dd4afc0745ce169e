// A network of input-queued virtual-channel routers, a cycle at a time.
#pragma once

#include <map>

#include "models/core/random.hpp"
#include "models/network/core/fabric.hpp"
#include "models/network/core/fifo.hpp"
#include "models/network/core/router_links.hpp"
#include "models/network/core/turn.hpp"
#include "models/network/router/network.hpp"

namespace oscar {

/// Fabric over RouterNetwork. A cycle is what a flit takes on a link; cycles are counted from the moment at which a job
/// sends first, and are skipped while nothing is in flight. A node begins a packet when it is eligible and the one
/// before has left; its queues take turns. Channels of hops are ignored, because routers choose VCs. Packets of a flow
/// may overtake each other in the routers: the last node takes them in order, and holds early ones at no cost. Throws
/// RouterDeadlock from step(). Credits are per flit, so there is no DeadlockReport.
class RouterFabric : public Fabric {
public:
    /// Links are alike, and those of the grid; their buffers are the routers'. Throws std::invalid_argument if they
    /// stand in no such grid. Precondition: a flit takes a whole number of picoseconds on a link.
    RouterFabric(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                 FabricClient& client);

    /// Buffers are empty and turns begin anew; `draw` is the seed of the coins of packets.
    void restart(std::uint64_t draw) override;
    /// Throws std::invalid_argument for a path that is not in dimension order, by the shorter way.
    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override;
    void declare(std::span<const FlowId>, Bytes) override {}
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> wanted) override;

    /// Random bits of packet number `number`, from 0, of those between two ranks that take the ways of coins `way`. The
    /// class of VCs of what crosses no dateline is random; which of two ways round is that of the path.
    static std::uint8_t coins(std::uint64_t draw, std::uint32_t from, std::uint32_t to, std::uint64_t number,
                              std::uint8_t way) {
        const std::uint64_t random = random_at(random_at(draw, std::uint64_t{from} << 32 | to), number);
        return static_cast<std::uint8_t>(way | (random & 3) << 2);
    }

private:
    /// What is left of a message at its sender.
    struct Waiting {
        std::uint32_t transfer = 0, sequence = 0;   ///< of the next packet
    };
    struct Queue {
        Fifo<Waiting> messages;
        Time left = Turn::never_left;   ///< its last packet, the node
    };
    struct Source {
        std::map<std::uint32_t, Queue> queues;   ///< by key
        Queue* leaving = nullptr;                ///< the one of the packet that the node has begun
        std::size_t waiting = 0;                 ///< messages
    };
    struct Way {
        RouterLinks::Ends ends;
        std::uint8_t coins;
        std::uint64_t sent = 0;    ///< packets since the job began
        Fifo<Cycles> unfinished;   ///< when packets began that the client has not been told of
    };
    /// A packet of which the client has not been told.
    struct UnderWay {
        FlowId flow;
        std::uint32_t transfer = 0, sequence = 0;
        std::vector<Time> begins;   ///< per hop, of its head
        bool arrived = false;
    };
    using PacketId = std::pair<std::uint32_t, Cycles>;   ///< source, and cycle in which it began

    void run(Kind kind, const Event& event) override;
    std::optional<CreditWait> blocked_on(const Hop&) const override { return std::nullopt; }
    std::optional<Hop> waits_for(const Hop&) const override { return std::nullopt; }

    void wake(Time at);
    Time edge_from(Time time) const;
    Time first_eligible() const;
    Time eligible(const Waiting& waiting) const { return transfers_[waiting.transfer].eligible[waiting.sequence]; }
    Queue* arbitrate(Source& source) const;
    void begin_next(std::uint32_t node);
    void cross(const RouterNetwork::Sent& sent);
    void leave(const UnderWay& packet, std::uint32_t edge, std::size_t hop, Time end);
    void take(const RouterFlit& tail);

    const RouterGrid grid_;
    const VcRouterParams router_;
    const RouterLinks ports_;
    const Time cycle_;
    std::optional<RouterNetwork> network_;   ///< of the job
    std::optional<Time> origin_;             ///< of its cycles; none before it sends
    std::uint64_t draw_ = 0;
    std::vector<Source> sources_;   ///< per rank
    std::vector<Way> ways_;         ///< per flow
    std::map<PacketId, UnderWay> under_way_;
    Time wakes_at_ = never;
};

}   // namespace oscar

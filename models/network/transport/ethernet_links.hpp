// Links that may lose, pause, mark and replay packets.
#pragma once

#include <optional>
#include <vector>

#include "models/network/event/packet_fabric.hpp"
#include "models/network/transport/congestion_points.hpp"
#include "models/network/transport/damage.hpp"
#include "models/network/transport/receive_buffers.hpp"

namespace oscar {

/// By the parameters of the network:
/// - pfc, lossy: a packet starts whether its receiver has room or not, unless it is paused. It takes its room when its
///   first flit comes; if there is none, it is lost.
/// - loss: a damaged packet is lost when its first flit comes to the end of its link (as if the CRC stood in front; a
///   switch that cuts through would pass on a damaged packet, to be dropped further on).
/// - link_retry: instead, its link sends it again, one round trip and `latency` after its last bit. What the link sent
///   in between is dropped and sent again after it, so that the link does nothing else in this time.
/// - faults: a packet that does not pass its receiver's checks is lost there, as a damaged one.
/// - dcqcn: a switch marks a packet by the bytes that wait for its output when its first flit comes.
class EthernetLinks : public LinkPolicy {
public:
    /// `params` and `network` are the ones of `fabric`, which needs a transport before a packet is sent.
    /// Precondition: !find_problem(network, ...).
    EthernetLinks(PacketFabric& fabric, const FabricParams& params, const NetworkParams& network);

    void restart(std::uint64_t job_seed) override;
    Time room_at(const Hop& hop, Bytes wire, Time credited) const override;
    Crossing transmit(const WaitingPacket& packet, const Hop& hop, const Crossing& undisturbed) override;
    void land(const WaitingPacket& next, const Hop& hop, Time taken) override;
    void release(const Hop& hop, Bytes size, Time at) override;
    void run(Fabric::Kind kind, const Event& event) override;
    void describe(CreditWait& wait) const override;
    const TransportUse& use() const override { return account_.job; }

    /// The counters of the network, to which its transport adds its own.
    TransportAccount& account() { return account_; }
    /// The bytes that wait in a switch for a link, where packets may be lost, paused or marked.
    Bytes queued(EdgeId edge) const { return points_.queued(edge); }

private:
    struct Flight {
        WaitingPacket next;
        Hop hop;
        Time taken;
        bool damaged;
    };
    /// The replay buffers: a link keeps packets until they are acknowledged.
    struct Retry {
        LinkRetryParams params;
        IndexedVector<EdgeId, Credits> buffers;
    };
    bool damages(const PacketFacts& packet, EdgeId edge);
    bool fails(const WaitingPacket& next, const PacketFacts& packet);
    Crossing replay(const PacketFacts& packet, const Hop& hop, Crossing crossing);
    void come_down(EdgeId edge);
    void take_whole(const WaitingPacket& next, const Hop& hop, Time taken);
    bool take_room(const Flight& flight, const PacketFacts& packet);
    void lose(const Flight& flight, const PacketFacts& packet);
    void mark(const Flight& flight, const PacketFacts& packet);

    PacketFabric& fabric_;
    Bytes flit_;
    std::uint64_t seed_;
    TransportAccount account_;
    LinkDamage damage_;
    CongestionPoints points_;
    std::optional<ReceiveBuffers> buffers_;   ///< none: senders wait for credits
    std::optional<Retry> retry_;              ///< none: damaged packets are lost
    bool lands_;                              ///< packets may be lost, paused or marked at the end of a link
    IndexedVector<EdgeId, Fifo<Flight>> flights_;
};

}   // namespace oscar

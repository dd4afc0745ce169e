// Network whose links may lose, pause, mark and replay packets.
#pragma once

#include <vector>

#include "models/network/core/packet_fabric.hpp"
#include "models/network/link/transport_use.hpp"
#include "models/network/transport/pfc.hpp"

namespace oscar {

/// Packets go as in PacketFabric. In addition, by the parameters of the network:
/// - pfc, lossy: a packet starts whether its receiver has room or not, unless it is paused. It takes its room when its
///   first flit comes; if there is none, it is lost.
/// - loss: a damaged packet is lost when its first flit comes to the end of its link (as if the CRC stood in front; a
///   switch that cuts through would pass on a damaged packet, to be dropped further on).
/// - link_retry: instead, its link sends it again, one round trip and `latency` after its last bit. What the link sent
/// in
///   between is dropped and sent again behind it, so that the link does nothing else in this time.
/// - faults: a packet that does not pass its receiver's checks is lost there, as a damaged one.
/// - dcqcn: a switch marks a packet by the bytes that wait for its output when its first flit comes.
/// Packets that may be lost are messages of their own.
/// It has more than 20 functions: each of those behaviours is two or three, a few lines each.
class EthernetFabric : public PacketFabric {
public:
    /// Throws std::invalid_argument if the thresholds of pfc do not fit a link's buffer.
    EthernetFabric(const FabricParams& params, const NetworkParams& network, FabricClient& client);

    void restart(std::uint64_t draw) override;
    std::optional<TransportUse> transport_use() const override { return use_; }
    /// What waits in a switch for a link, where packets may be lost, paused or marked.
    Bytes queued(std::uint32_t edge) const { return queued_[edge]; }

protected:
    void run(Kind kind, const Event& event) override;
    std::optional<CreditWait> blocked_on(const Hop& hop) const override;
    Time room_at(const Hop& hop, Bytes wire) const override;
    Crossing transmit(const Waiting& packet, const Hop& hop, Bytes wire) override;
    void land(const Waiting& next, const Hop& hop, Time taken) override;
    void release(const Hop& hop, Bytes size, Time at) override;

    /// The packet that is the message `tag` is marked; is lost on `hop`.
    virtual void on_mark(std::uint64_t) {}
    virtual void on_loss(std::uint64_t, const Hop&) {}
    /// Whether that packet, at the end of its path, passes its receiver's checks.
    virtual bool passes(std::uint64_t) { return true; }

    /// Of the flow's account.
    TransportUse& transport_of(const Flow& flow) { return flow.background ? background_use_ : use_; }

    NetworkParams network_;
    std::uint64_t draws_;   ///< key of all random numbers
    TransportUse use_, background_use_;

private:
    /// The buffer at the end of a channel of a link, and whether its sender has been told to stop.
    struct Buffer {
        PauseGate gate;
        bool stopped = false;
    };
    struct Flight {
        Waiting next;
        Hop hop;
        Time taken;
        bool damaged;
    };
    std::uint32_t index_of(const Hop& hop) const { return hop.edge * params_.channels + hop.channel; }
    Hop hop_at(std::uint32_t index) const;
    void add_buffers(std::uint32_t edge);
    bool damages(const Waiting& packet, std::uint32_t edge);
    bool fails(const Waiting& packet);
    Crossing replay(const Waiting& packet, const Hop& hop, Bytes wire, Crossing crossing);
    void come_down(std::uint32_t edge);
    void take_whole(const Waiting& next, const Hop& hop, Time taken);
    bool take_room(const Flight& flight);
    void lose(const Flight& flight);
    void mark(const Flight& flight);
    void leave(std::uint32_t index, Bytes size);
    void tell(std::uint32_t index, bool stop);
    void obey(std::uint32_t index, bool stop);

    bool by_credit_, lands_, retries_;
    std::vector<Buffer> buffers_;                ///< per channel of a link
    std::vector<Credits> replay_;                ///< per link, if it retries
    std::vector<Fifo<Flight>> flights_;          ///< per link
    std::vector<std::uint64_t> transmissions_;   ///< per link
    std::vector<std::uint64_t> landings_;        ///< per link, of packets that go on over it
    std::vector<Bytes> queued_;                  ///< per link, at its switch
};

}   // namespace oscar

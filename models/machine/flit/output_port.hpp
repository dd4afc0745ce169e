// Output port: the queues before a link, the arbiter, and the credits of the buffer at the link's end.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "models/core/span.hpp"
#include "models/machine/base/waveform.hpp"
#include "models/machine/flit/link_side.hpp"
#include "models/network/event/credits.hpp"
#include "models/network/event/deadlock_report.hpp"
#include "models/network/event/fifo.hpp"
#include "models/network/event/turn.hpp"

namespace oscar {

struct OutputPortParams {
    Bandwidth bandwidth;
    Bytes buffer;   ///< of each virtual channel, at the link's end
    Bytes flit;
    std::uint32_t channels = 1;
    std::uint32_t quantum = 1;   ///< flits that it sends ahead of their time in one activation
    Waveform* waveform = nullptr;
};

/// The key of a queue of an output port: of an own source, or of what came by a link and channel.
struct QueueKey {
    bool forwarded = false;
    std::uint64_t number = 0;   ///< of the source, or of the hop as number_of() says
    /// A number for each link and channel.
    static std::uint64_t number_of(const Hop& hop) { return (std::uint64_t{hop.edge.value} << 8) + hop.channel; }
    /// The queue of packets that came by the hop.
    static QueueKey after(const Hop& hop) { return {true, number_of(hop)}; }
    friend auto operator<=>(const QueueKey&, const QueueKey&) = default;
};

/// A packet that waits for a link or crosses it.
struct QueuedPacket {
    Flit next;   ///< the flit to be sent next
    std::uint64_t flits = 1;
    Time eligible;   ///< from when on its head may leave
    QueueKey queue;
    std::uint32_t input = 0;   ///< by which it came, if it was forwarded
    Fifo<ExactTime> ready;     ///< when flits that have come and have not left may leave, if it was forwarded
    /// True if the next flit has come; flits of an own source are always there.
    bool has_next() const { return !queue.forwarded || !ready.empty(); }
};

/// Sends packets over a link, one after the other. The rules of arbitration and credit are those of Fabric
/// (models/network/event/fabric.hpp). A flit leaves when the flit before it has left, and once it is ready. Its process
/// runs when a packet may start, and once for every `quantum` flits; results do not depend on the quantum.
class OutputPort : public sc_core::sc_module, public CreditSink {
public:
    /// Is called when a packet's tail has been sent; the packet's bits were on the link from `begin` to `end`.
    using DepartureCallback = std::function<void(const QueuedPacket& packet, Time begin, Time end)>;

    SC_HAS_PROCESS(OutputPort);
    OutputPort(const sc_core::sc_module_name& name, const OutputPortParams& params, DepartureCallback departed);

    sc_core::sc_port<FlitSink> out;
    sc_core::sc_export<CreditSink> credit;

    /// A packet joins a queue; `head` is its head flit on this port's link. The reference is valid until its tail is
    /// sent. Flits of forwarded packets are announced by add().
    QueuedPacket& join(QueueKey queue, const Flit& head, Time eligible, std::uint32_t input = 0);
    /// One more flit of a forwarded packet has come, or will have; it may leave from `ready` on.
    void add(QueuedPacket& packet, ExactTime ready);
    void give_back(std::uint8_t channel, Bytes size, Time at) override;

    /// The activations of its process so far.
    std::uint64_t activations() const { return activations_; }
    /// Resets round-robin state. Precondition: nothing waits.
    void restart();
    /// The packet that has its turn on a channel and lacks credit; precondition: nothing happens any more.
    std::optional<CreditWait> blocked_on(std::uint8_t channel) const;
    /// The channel in which a packet of this queue waits.
    std::optional<std::uint8_t> channel_of(QueueKey queue) const;

private:
    struct Queue {
        Fifo<QueuedPacket*> packets;
        Time left = Turn::never_left;   ///< its last packet, the link
    };
    struct Channel {
        Credits credits;
        Level* free_bytes = nullptr;   ///< for a waveform
        std::map<QueueKey, Queue> queues = {};
    };

    void act();
    void decide(Time now);
    const Queue* arbitrate(const Channel& channel, Time now) const;
    Time first_eligible(const Channel& channel) const;
    void start(std::uint8_t channel, QueuedPacket& packet, Time now);
    void send_flits();
    ExactTime next_begin() const;
    void finish();
    void wake(Time at);

    Bytes flit_;
    ExactTime byte_, flit_time_;
    std::uint32_t quantum_;
    DepartureCallback departed_;
    std::vector<Channel> channels_;
    std::deque<QueuedPacket> packets_;   ///< all, used and free
    std::vector<QueuedPacket*> free_;
    std::size_t waiting_ = 0;   ///< packets in all queues
    Level* waiting_packets_;    ///< for a waveform: those that may leave
    std::uint8_t last_channel_;
    QueuedPacket* crossing_ = nullptr;
    Time begin_;            ///< of the packet that crosses
    ExactTime last_left_;   ///< its last flit
    Time free_at_;          ///< the link, once none crosses
    std::uint64_t activations_ = 0;
    sc_core::sc_event wake_;
    Time wakes_at_ = Fabric::never, decides_at_{-1};
};

}   // namespace oscar

// Network whose senders number packets, retransmit lost ones and adapt their rate.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "models/network/transport/ethernet_fabric.hpp"
#include "models/network/transport/flow.hpp"
#include "models/network/transport/livelock.hpp"

namespace oscar {

/// The way of a flow's answers and notifications.
using WayBack = std::function<std::vector<Hop>(std::span<const Hop> path)>;
/// Whether the packet of a client's message that has come to the end of its path passes the checks of its receiver's
/// port. One that does not is lost there, as if its last link had damaged it.
using PacketFilter = std::function<bool(std::uint64_t tag, std::uint32_t sequence)>;
/// The other directions of the cables, last first, in the same channels. Throws std::invalid_argument if a link has
/// none.
std::vector<Hop> reversed(const std::vector<FabricLink>& links, std::span<const Hop> path);

/// What the client sees is as in PacketFabric: of each flow, all packets arrive once and in order. A packet departs,
/// for the client, when it leaves for the first time. A queue has at most one packet waiting for its link. Answers
/// (acknowledgements) and notifications (CNPs) are packets of a header each and may be lost as any other. Where nothing
/// is lost, paused or paced, each packet crosses each link when it would in PacketFabric, but for the room that answers
/// take.
/// It has more than 20 functions: it stands between a client and the network and answers to both.
class TransportFabric : private FabricClient, public EthernetFabric {
public:
    TransportFabric(const FabricParams& params, const NetworkParams& network, FabricClient& client,
                    WayBack reverse_path, PacketFilter passes = {});

    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override;
    /// So is what answers it.
    void count_separately(FlowId flow) override;
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> wanted) override;

    void restart(std::uint64_t draw) override;
    std::string losses() const override;

protected:
    void run(Kind kind, const Event& event) override;
    std::optional<CreditWait> blocked_on(const Hop& hop) const override;
    /// That of the client's message; answers are behind all data.
    std::uint64_t order_of(std::uint64_t tag) const override { return frames_[tag].order; }
    void on_mark(std::uint64_t tag) override { frames_[tag].marked = true; }
    void on_loss(std::uint64_t tag, const Hop& hop) override;
    bool passes(std::uint64_t tag) override;

private:
    enum class FrameKind : std::uint8_t { data, answer, notification };
    /// A packet on its way.
    struct Frame {
        FrameKind kind = FrameKind::data;
        std::uint32_t flow = 0;
        Bytes wire;
        std::uint64_t number = 0;   ///< of data
        bool again = false;         ///< data that was sent before
        Answer answer = {};
        bool marked = false;
        std::uint64_t order = 0;   ///< see order_of()
    };
    enum Clock : std::uint32_t { pace, timeout };

    void departed(std::uint64_t tag, std::uint32_t, Time begin, Time end) override;
    void arrived(std::uint64_t tag, std::uint32_t) override;
    void called(std::uint32_t a, std::uint32_t b) override { user_.called(a, b); }

    void begin(TransportFlow& flow) const;
    TransportUse& account_of(std::uint32_t flow) { return transport_of(flows_[ends_[flow].data.value]); }
    void launch(const Frame& frame);
    Frame retire(std::uint64_t tag);
    std::uint32_t queue_of(std::uint32_t flow, const Hop& first, std::uint32_t queue);
    void pump(std::uint32_t queue);
    void send_next(std::uint32_t flow);
    void set_clock(std::uint32_t flow, Clock clock, Time at);
    void ring(std::uint32_t flow, Clock clock);
    void set_timeout(std::uint32_t flow);
    void take_data(const Frame& frame);
    void signal(std::uint32_t flow, FrameKind kind, const Answer& answer = {});
    void deliver(std::uint32_t flow, std::uint64_t packets);
    void take_answer(const Frame& frame);
    void forget(TransportFlow& flow);
    void check_progress(std::uint32_t flow) const;
    std::string name_of(std::uint32_t flow) const;

    FabricClient& user_;
    WayBack way_back_;
    PacketFilter passes_;   ///< none: every packet does
    bool answers_;
    std::vector<TransportFlow> ends_;   ///< per flow of the client
    std::vector<SendQueue> queues_;
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::uint32_t> queue_at_;   ///< link, channel, key
    std::vector<Frame> frames_;                                                                  ///< by tag
    std::vector<std::uint64_t> free_frames_;
    Time last_news_;   ///< when something was delivered for the first time, of any flow
};

}   // namespace oscar

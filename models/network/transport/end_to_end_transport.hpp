// Transport whose senders number packets, retransmit lost ones and adapt their rate.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/slots.hpp"
#include "models/core/units.hpp"
#include "models/network/event/packet_fabric.hpp"
#include "models/network/transport/flow.hpp"
#include "models/network/transport/livelock.hpp"
#include "models/network/transport/protocol.hpp"
#include "models/network/transport/send_queues.hpp"

namespace oscar {

enum class FrameKind : std::uint8_t { data, answer, notification };

/// A packet of one flow: data, or a header that answers it.
struct Frame {
    FrameKind kind = FrameKind::data;
    std::uint32_t flow = 0;
    Bytes wire;
    std::uint64_t number = 0;   ///< of data
    bool again = false;         ///< data that was sent before
    Answer answer = {};
    bool marked = false;
    std::uint64_t order = 0;   ///< among packets that begin to wait at the same instant
};

/// The path of a flow's answers and notifications.
using ReversePath = std::function<std::vector<Hop>(std::span<const Hop> path)>;
/// Decides if a packet of a client's message, at the end of its path, passes the checks of its receiver's port. One
/// that does not is lost there, as if its last link had damaged it.
using PacketFilter = std::function<bool(std::uint64_t tag, std::uint32_t sequence)>;
/// The other directions of the cables, last first, in the same channels. Throws std::invalid_argument if a link has
/// none.
std::vector<Hop> reversed(const IndexedVector<EdgeId, FabricLink>& links, std::span<const Hop> path);

/// A transport that the client does not notice: of each flow, all packets arrive once and in order. A packet departs,
/// for the client, when it leaves for the first time. A queue has at most one packet waiting for its link. Answers
/// (acknowledgements) and notifications (CNPs) are packets of a header each and may be lost as any other. Where nothing
/// is lost, paused or paced, each packet crosses each link when it would without a transport, but for the room that
/// answers take.
class EndToEndTransport : public PacketTransport {
public:
    /// `fabric` is the one that holds this transport; `passes`: none: every packet does.
    EndToEndTransport(PacketFabric& fabric, const NetworkParams& network, TransportAccount& account,
                      FabricClient& client, ReversePath reverse_path, PacketFilter passes = {});

    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override;
    /// Its answers are counted separately, too.
    void count_separately(FlowId flow) override;
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible) override;
    void restart() override;
    std::string losses() const override;

    void departed(std::uint64_t tag, Time begin, Time end) override;
    void arrived(std::uint64_t tag) override;
    void marked(std::uint64_t tag) override { frames_[tag].marked = true; }
    void lost(std::uint64_t tag) override;
    bool passes(std::uint64_t tag) override;
    /// The order of the client's message; answers come after all data.
    std::uint64_t order_of(std::uint64_t tag) const override { return frames_[tag].order; }
    void ring(const Event& event) override;
    void describe(CreditWait& wait) const override;

private:
    enum Clock : std::uint32_t { pace, timeout };

    TransportFlow begin(const FlowRoute& route) const;
    TransportUse& account_of(std::uint32_t flow) { return account_.of(flows_[flow].route.background); }
    void launch(const Frame& frame);
    void pump(std::uint32_t queue);
    void send_next(std::uint32_t flow);
    void set_clock(std::uint32_t flow, Clock clock, Time at);
    void set_timeout(std::uint32_t flow);
    void take_data(const Frame& frame);
    void signal(std::uint32_t flow, FrameKind kind, const Answer& answer = {});
    void deliver(std::uint32_t flow, std::uint64_t packets);
    void take_answer(const Frame& frame);
    void check_progress(std::uint32_t flow) const;
    std::string name_of(std::uint32_t flow) const;

    PacketFabric& fabric_;
    NetworkParams network_;
    TransportAccount& account_;
    FabricClient& client_;
    ReversePath reverse_path_;
    PacketFilter passes_;
    Time patience_;                      ///< without news of a flow that retransmits
    bool answers_;                       ///< receivers answer their senders
    std::vector<TransportFlow> flows_;   ///< per flow of the client
    SendQueues queues_;
    Slots<Frame> frames_;   ///< by tag
    Time last_news_;        ///< when something was delivered for the first time, of any flow
};

}   // namespace oscar

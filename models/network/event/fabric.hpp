// The timing of a network: links, the switches between them, and packets in flight. It knows no payload, and no clock
// but its own.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/index.hpp"
#include "models/core/time_run.hpp"
#include "models/network/event/deadlock_report.hpp"
#include "models/network/event/event_queue.hpp"
#include "models/network/event/link_account.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/link/transport_use.hpp"
#include "models/network/params/network_params.hpp"
#include "models/network/topology/hop.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// One direction of a cable between two nodes.
struct FabricLink {
    NodeId from, to;
    LinkParams link;       ///< each virtual channel has a buffer of its own, of this size
    Time egress_latency;   ///< at `to`: in a switch until the first flit may leave again, in a NIC until a packet is
                           ///< taken
    bool held = false;     ///< packets that end here leave the buffer when the client returns their credit
};

struct FabricParams {
    IndexedVector<EdgeId, FabricLink> links;
    Bytes flit = 64_B;
    std::uint32_t channels = 1;            ///< virtual channels of each link
    std::optional<SwitchGrid> grid = {};   ///< of the switches, where they stand in one
};

/// A path through the network, and the queue in which its packets wait at the sender.
using FlowId = Index<struct FlowTag>;

/// Packets of one size but for the last, of one flow and in order.
struct FabricMessage {
    std::uint64_t tag = 0;   ///< the client's name for it
    std::uint32_t packets = 1;
    Bytes wire, last_wire;   ///< of each packet but the last, of the last; with header
    /// The size of a packet of the message, header included.
    Bytes wire_of(std::uint32_t sequence) const { return sequence + 1 == packets ? last_wire : wire; }
};

/// The sender and receiver of packets. It may send, and ask for calls, while it is called.
struct FabricClient {
    virtual ~FabricClient() = default;
    /// A packet's bits are on its first link from `begin` to `end`. Told in the order in which they leave on that link,
    /// as soon as it is known.
    virtual void departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) = 0;
    /// The bits of `count` packets are on their first link one after the other from `begin` on, each for `each`.
    virtual void departed_back_to_back(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time begin,
                                       Time each) {
        for (std::uint32_t i = 0; i < count; ++i) departed(tag, first + i, begin + i * each, begin + (i + 1) * each);
    }
    /// These packets, of which departed_back_to_back() has reported the last, will be taken by the last node: the first
    /// at `at`, with the same gaps as at their departure. Called for all packets of a message, or for none.
    virtual void will_arrive(std::uint64_t, std::uint32_t /*first*/, std::uint32_t /*count*/, Time /*at*/) {}
    /// Now the packets of a message up to this one have been taken by the last node, `egress_latency` after their last
    /// bit.
    virtual void arrived(std::uint64_t tag, std::uint32_t sequence) = 0;
    /// A call asked for has come due.
    virtual void called(std::uint32_t a, std::uint32_t b) = 0;
};

/// Sees each packet on each link; for tests and traces.
struct FabricObserver {
    virtual ~FabricObserver() = default;
    /// The packet's bits were on hop number `hop` of its path, at the sender of that link, from `begin` to `end`.
    virtual void crossed(std::uint64_t tag, std::uint32_t sequence, std::size_t hop, Time begin, Time end) = 0;
};

/// Virtual cut-through with credits (docs/network.md). A packet starts on a link when the link is free, it is eligible,
/// and its channel's buffer at the link's end has room for the whole of it; its last flit leaves no earlier than it has
/// arrived. In a switch it waits at its output link, in the queue of its input link and channel. When a link is free,
/// one eligible head of each channel is elected, round robin in the order in which the queues began to wait
/// (models/network/event/turn.hpp); it stays elected until it has left. Among elected packets with credit, the channels
/// take turns. With one channel, an elected packet without credit therefore blocks the link; with several, it blocks
/// its channel only. Decisions of an instant are made after everything has arrived at it, and do not depend on the
/// order of the arrivals.
class Fabric {
public:
    static constexpr Time never{std::numeric_limits<std::int64_t>::max()};
    /// Kinds of events, in their order at an instant; the client's four stages lie between the first two.
    enum class Kind : std::uint64_t {
        arrival = 0,
        call = 1,
        credit = 5,
        flit = 6,
        leaving,   ///< from here on only where links have a policy (link_policy.hpp)
        landing,
        pausing,
        timer,
        decision
    };

    Fabric(const FabricParams& params, FabricClient& client);
    virtual ~Fabric() = default;
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    /// Packets of all flows with the same first link and `queue` leave in order of sending; queues of a link take
    /// turns. The number of a queue decides nothing.
    virtual FlowId add_flow(std::span<const Hop> path, std::uint32_t queue);
    /// Counts the flow separately: account().background_use() has it, not account().use() nor transport_use(). To be
    /// called before the flow sends.
    virtual void count_separately(FlowId flow) { flows_[flow].background = true; }
    /// Declares the flows that will send until the next declaration, and the size of their largest packet. To be called
    /// before the first of them sends. Precondition: nothing is in flight, and settled_at() <= the times at which they
    /// will send.
    virtual void declare(std::span<const FlowId> flows, Bytes largest) = 0;
    /// Sends a message. The runs of `eligible` tell when each of its packets may leave, in order, none before now.
    /// `reported` are the packets, ascending and with the last, whose arrival is reported to the client when they
    /// arrive; that of others is reported then or beforehand.
    virtual void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                      std::span<const std::uint32_t> reported) = 0;

    /// A packet that has arrived leaves the buffer at the end of `hop` at `at` >= now. Precondition: links wait for
    /// credits and do nothing else, packet by packet or flit by flit; this link is `held`.
    virtual void return_credit(const Hop&, Bytes /*size*/, Time /*at*/) {}

    /// Calls the client at `time` >= now: after all packets that arrive then, at equal times in order of `stage` (0 to
    /// 3), then of `order` (below 2^56).
    void call_at(Time time, std::uint32_t stage, std::uint64_t order, std::uint32_t a, std::uint32_t b);
    /// The time of the next event; `never` if there is none.
    Time next_time() { return events_.empty() ? never : events_.top().time; }
    /// Runs the next event. Precondition: next_time() is not `never`.
    void step();
    /// The time of the event that runs, or that was run last.
    Time now() const { return now_; }

    /// Begins a job: the state of turns and flows is as at the start, and `job_seed` chooses which packets are damaged
    /// and marked. Precondition: nothing is in flight.
    virtual void restart(std::uint64_t) {}
    /// The counters of transport since restart(); nothing if the network neither loses nor delays.
    virtual std::optional<TransportUse> transport_use() const { return std::nullopt; }
    /// One line for each flow that has lost packets and not delivered all; empty if there is none.
    virtual std::string losses() const { return {}; }

    /// The reason why packets do not move although no event is left; nothing if none is in flight.
    std::optional<DeadlockReport> deadlock_report() const;
    /// The time at which the last credit known so far is back.
    Time settled_at() const { return settled_at_; }
    /// What each link has carried.
    const LinkAccount& account() const { return account_; }
    LinkAccount& account() { return account_; }
    const FabricLink& link(EdgeId edge) const { return params_.links[edge]; }
    const IndexedVector<EdgeId, FabricLink>& links() const { return params_.links; }
    /// The number of events run so far.
    std::uint64_t events_run() const { return events_run_; }
    /// From now on reports each packet on each link to `observer`, which must outlive the fabric; null: to nobody.
    void observe(FabricObserver* observer) { observer_ = observer; }

protected:
    /// A message in flight.
    struct Transfer {
        FabricMessage message;
        FlowId flow;
        bool background = false;   ///< as its flow
        TimeRuns eligible;
    };
    struct Flow {
        std::vector<Hop> path;
        std::uint32_t queue = 0;
        bool background = false;   ///< in the account
    };

    virtual void run(Kind kind, const Event& event) = 0;
    /// Reports to the client that the last node has taken the packets of a message up to this one.
    virtual void tell_arrived(std::uint64_t tag, std::uint32_t sequence) { client_.arrived(tag, sequence); }
    /// Decides between packets that begin to wait for a link at the same instant: the smaller is first. It must not
    /// depend on where in the network they are, so that the names of nodes decide nothing.
    virtual std::uint64_t order_of(std::uint64_t tag) const { return tag; }
    /// The packet that is elected for this channel of this link, if it lacks credit.
    virtual std::optional<CreditWait> blocked_on(const Hop& hop) const = 0;
    /// The hop for which a packet in the buffer at the end of `hop` waits.
    virtual std::optional<Hop> waits_for(const Hop& hop) const = 0;

    void post(Kind kind, Time time, std::uint64_t content, std::uint32_t a, std::uint32_t b = 0);
    /// Takes up a message; the number is its own until its last packet has arrived.
    std::uint32_t open(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible);
    /// Tells the client at `taken` of a packet whose tail has come over `edge`, in order of coming.
    void arrive_at(Time taken, EdgeId edge, std::uint32_t transfer, std::uint32_t sequence);
    /// Counts a packet that has crossed `edge`, hop number `hop` of its flow.
    void count_crossing(std::uint32_t transfer, std::uint32_t sequence, EdgeId edge, std::size_t hop, Span crossing);
    /// The number of a message of one packet is free again: it was lost.
    void close(std::uint32_t transfer) { free_transfers_.push_back(transfer); }
    void settle(Time at) { settled_at_ = std::max(settled_at_, at); }

    const Flow& flow_of(std::uint32_t transfer) const { return flows_[transfers_[transfer].flow]; }

    FabricParams params_;
    FabricClient& client_;
    FabricObserver* observer_ = nullptr;
    IndexedVector<FlowId, Flow> flows_;
    std::vector<Transfer> transfers_;
    LinkAccount account_;

private:
    void arrived(const Event& event);

    EventQueue events_;
    Time now_, settled_at_;
    std::uint64_t events_run_ = 0;
    std::vector<std::uint32_t> free_transfers_;       ///< their numbers
    IndexedVector<EdgeId, std::uint32_t> arrivals_;   ///< how many were announced
};

}   // namespace oscar

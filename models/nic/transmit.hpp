// Transmit path of a NIC: messages are posted, and their packets are handed to the network and leave.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/core/span.hpp"
#include "models/network/params/network_params.hpp"
#include "models/nic/block_units.hpp"
#include "models/nic/chunk_window.hpp"
#include "models/nic/gradual_sends.hpp"
#include "models/nic/scheduler.hpp"
#include "models/nic/wire/flow_table.hpp"
#include "models/nic/wire/packet_name.hpp"

namespace oscar {

/// Blocks -> packets -> queue of the peer. A packet may leave `latency` after all its blocks are complete; the network
/// reports when it does.
class Transmit {
public:
    Transmit(Rank rank, Time latency, const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
             BlockUnits& units)
        : rank_(rank),
          latency_(latency),
          network_(network),
          scheduler_(scheduler),
          flows_(flows),
          units_(units),
          gradual_(rank, latency, network, scheduler, flows, units,
                   [this](StepId step, PacketKind kind, const EventRuns& ready, const TimedEvent& now) {
                       blocks_ready_ = ready;
                       packetise(step, kind, now);
                   }) {}

    /// A job begins: nothing has left, and all slots of the aggregator above are free.
    void begin(RunningJob& job);
    /// Makes and sends the message of a step.
    void issue(StepId step, const TimedEvent& now);
    /// Refuses the message of a step: asks its sender for the message with a table inline.
    void send_refusal(StepId step, const TimedEvent& now);
    /// Encodes a message once more, whose values are available from `now` on. Returns false if it has done so already.
    bool resend(StepId step, const TimedEvent& now);
    /// The aggregator above has told that a slot is free.
    void slot_free(const TimedEvent& now);

    /// A packet is on its cable from `begin` to `end`.
    void departed(const PacketName& packet, Time begin, Time end);
    /// The `count` packets from this one on are on their cable one after the other from `begin` on, each for `each`.
    void departed_back_to_back(const PacketName& packet, std::uint32_t count, Time begin, Time each);

    /// The spans in which bits of this job left, on any of its links; in the order of the reports, not of time.
    const SpanLog& wire() const { return state_.wire; }

private:
    struct State {
        RunningJob* job = nullptr;
        SpanLog wire = {};
        std::vector<std::pair<EdgeId, TimedEvent>> last_departure = {};   ///< per edge that it sends by: few
        std::map<std::pair<ChunkId, Tier>, EventRuns> encoded = {};       ///< per block of what is sent more than once
        ChunkWindow window = {};                                          ///< of the aggregator above, if there is one
    };
    void make(StepId step, PacketKind kind, const SharedMessage& message, bool forwarded, const TimedEvent& now);
    void schedule_blocks(StepId step, const SharedMessage& message, bool forwarded, const TimedEvent& now);
    void packetise(StepId step, PacketKind kind, const TimedEvent& now);
    void make_eligible(const TimedEvent& now, PacketTrain& train) const;
    void send_when_slot_free(StepId step, PacketKind kind, const TimedEvent& now);
    bool needs_slot(StepId step) const;
    void send_what_has_a_slot(const TimedEvent& now);
    void send(StepId step, PacketKind kind, std::span<const std::uint32_t> reported);
    TimedEvent& last_departure(const PacketName& packet);
    void count_departed(const PacketName& packet, std::uint32_t count, Time begin, Time end);
    RunningJob& job() const { return *state_.job; }
    const Step& step_of(StepId step) const { return job().step(step); }
    PacketTrain& train_of(const PacketName& packet) const { return job().in_flight.at(packet.step)[packet.kind]; }

    Rank rank_;
    Time latency_;
    const NetworkParams& network_;
    Scheduler& scheduler_;
    FlowTable& flows_;
    BlockUnits& units_;
    GradualSends gradual_;
    State state_;
    EventRuns blocks_ready_;          ///< per block of the message that is being sent
    std::vector<TimeRun> eligible_;   ///< of the packets that are being sent
};

}   // namespace oscar

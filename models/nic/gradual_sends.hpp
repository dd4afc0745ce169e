// Messages that leave while an engine that answers later still encodes them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "models/network/params/network_params.hpp"
#include "models/nic/block_units.hpp"
#include "models/nic/scheduler.hpp"
#include "models/nic/wire/flow_table.hpp"
#include "models/nic/wire/packet_name.hpp"

namespace oscar {

/// Packets are handed to the network as soon as all blocks that they hold are made. Messages of one flow leave in the
/// order in which they were begun, those that are encoded here and those that are handed on alike.
class GradualSends {
public:
    /// Told when all blocks of a message are made that the network gets as a whole, with the time of each.
    using Whole = std::function<void(StepId, PacketKind, const EventRuns& ready, const TimedEvent& now)>;
    /// A packet may leave `latency` after its blocks are made. The references must outlive it.
    GradualSends(Rank rank, Time latency, const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
                 BlockUnits& units, Whole whole)
        : rank_(rank),
          latency_(latency),
          network_(network),
          scheduler_(scheduler),
          flows_(flows),
          units_(units),
          whole_(std::move(whole)) {}

    /// A job begins: nothing is being made.
    void begin(RunningJob& job) { state_ = {&job, {}, {}}; }
    /// A message is begun, which is in flight. What is `forwarded` is there already, or in the encoder. `as_a_whole`:
    /// it leaves when all of it is made.
    void add(StepId step, PacketKind kind, bool forwarded, bool as_a_whole, const TimedEvent& now);

private:
    /// The blocks made of a message so far.
    struct Encoding {
        EventRuns ready;
    };
    struct Sending {
        StepId step;
        PacketKind kind;
        std::shared_ptr<Encoding> encoding;
        bool as_a_whole;
        TimedEvent from;                 ///< its sender began with it
        std::uint32_t handed_over = 0;   ///< packets that the network has
    };
    struct Queue {
        const FlowTable::Flow* flow;   ///< null: of all, where each packet has its own
        std::deque<Sending> messages;
    };
    struct State {
        RunningJob* job = nullptr;
        std::map<ChunkId, std::shared_ptr<Encoding>> encodings;   ///< of what is sent more than once
        std::vector<Queue> queues;
    };
    std::shared_ptr<Encoding> encoding_of(StepId step, const SharedMessage& message, bool forwarded,
                                          const TimedEvent& now);
    Queue& queue_of(StepId step);
    void send_made(Queue& queue, const TimedEvent& now);
    bool send_made_packets(Sending& sending, const TimedEvent& now);
    void hand_over(const PacketName& first, std::uint32_t count);
    PacketTrain& train_of(StepId step, PacketKind kind) const { return state_.job->in_flight.at(step)[kind]; }

    Rank rank_;
    Time latency_;
    const NetworkParams& network_;
    Scheduler& scheduler_;
    FlowTable& flows_;
    BlockUnits& units_;
    Whole whole_;
    State state_;
};

}   // namespace oscar

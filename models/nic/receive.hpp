// Receive path of a NIC: packets are reassembled, and messages are refused or taken in.
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/nic/block_units.hpp"
#include "models/nic/early_deliveries.hpp"
#include "models/nic/packet_staging.hpp"
#include "models/nic/scheduler.hpp"
#include "models/nic/transmit.hpp"
#include "models/nic/wire/delivery.hpp"

namespace oscar {

/// Packets -> blocks -> the units of the node. It knows a message only by its deliveries: which blocks are complete
/// follows from the headers in the received bytes. A message whose first coded block names tables that this rank does
/// not hold is refused when that block has arrived; the sender encodes it again, with a table inline
/// (docs/tables.md).
class Receive {
public:
    /// Called when what depends on a step may start: copies when their bytes are there, sums when they are added.
    using Ready = std::function<void(StepId)>;
    /// `packet`: the most payload of a packet. Refusals, and what is sent again for one that has come, go out by
    /// `transmit`, packets are held by `staging`; all must outlive it.
    Receive(Bytes packet, Scheduler& scheduler, BlockUnits& units, Transmit& transmit, PacketStaging& staging,
            Ready on_ready)
        : packet_(packet),
          scheduler_(scheduler),
          units_(units),
          transmit_(transmit),
          staging_(staging),
          on_ready_(std::move(on_ready)) {}

    /// A job begins; packets that come before start() wait for it.
    void begin(RunningJob& job);
    /// The rank's gradient is there: what has come from faster ranks is processed.
    void start(const TimedEvent& now);
    /// Packets have passed the receive pipeline.
    void arrived(const Delivery& delivery);
    /// The units have taken in a block of a step later than they were given it.
    void decoded(StepId step, const TimedEvent& done);

private:
    struct State {
        RunningJob* job = nullptr;
        TimedEvent start = {};
        EarlyDeliveries early = {};
        std::unordered_map<ChunkId, TimedEvent> decoded = {};   ///< last of what came of a chunk that may be sent again
    };
    void process_early(const TimedEvent& now);
    void process(const Delivery& delivery, const TimedEvent& now);
    void process_next(const Delivery& delivery, const TimedEvent& now);
    void decode_complete_blocks(const Delivery& delivery, Inbound& inbound, const TimedEvent& now);
    void keep_ahead(const Delivery& delivery, Inbound& inbound);
    bool must_refuse(StepId step, Inbound& inbound, const Block& block) const;
    void refuse(StepId step, Inbound& inbound, const TimedEvent& now);
    void resend(StepId step, const TimedEvent& now);
    bool hand_complete_to_units(const Delivery& delivery, Inbound& inbound, const TimedEvent& now);
    bool hand_altered_to_units(const Delivery& delivery, Inbound& inbound, const TimedEvent& now);
    bool hand_to_units_at(StepId step, Inbound& inbound, const BlockBatches& batch, const TimedEvent& now);
    void hand_all_to_units(const Delivery& delivery, Inbound& inbound);
    void hand_to_units(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& passed);
    void complete(StepId step, Inbound& inbound, const TimedEvent& now);
    void end(StepId step, Inbound& inbound);
    RunningJob& job() const { return *state_.job; }
    const Step& step_of(StepId step) const { return job().step(step); }

    Bytes packet_;
    Scheduler& scheduler_;
    BlockUnits& units_;
    Transmit& transmit_;
    PacketStaging& staging_;
    Ready on_ready_;
    State state_;
};

}   // namespace oscar

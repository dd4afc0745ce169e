// The aggregator of a switch that takes part in a collective: it adds up what its children send.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "models/nic/block_units.hpp"
#include "models/nic/nic.hpp"

namespace oscar {

/// The units of a node without gradients. A child's chunk has arrived when its last packet has passed the switch. The
/// engine of its input port decodes it, unless its codec adds coded values. When the chunk of the last child has
/// arrived, the adders take all of them, block by block. The sum goes to the parent, and from the root to all children;
/// if need be, the engine of its output port encodes it (for all children, that of the first one's port). A message
/// from the parent is passed on to all children when all of it has arrived. (docs/in-network.md)
/// The switch of an island takes part inside it: nothing is coded, and children do not wait for slots.
/// A chunk has a slot from when a child may send it until the last bit of its sum has left for the last child; a child
/// learns of the free slot after the delay of the path back to it.
class Aggregator final : public BlockUnits {
public:
    /// Called when a child learns that a slot is free.
    using Freed = std::function<void(Rank child, const TimedEvent&)>;
    /// `children`: each, and how long it takes to tell it something.
    struct Child {
        Rank rank;
        Time back;
    };
    Aggregator(std::vector<Child> children, const EngineParams& engine, const AggregatorParams& params,
               Scheduler& scheduler, Freed on_freed);

    void begin(RunningJob& job) override;
    void issued(StepId, const TimedEvent&) override {}
    void packet_arrived(StepId, const TimedEvent&) override {}
    void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) override;
    TimedEvent operands_there(StepId, const Inbound& inbound) const override { return inbound.operand; }
    void decode_blocks(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) override;
    void departed(StepId step, const TimedEvent& now) override;
    NotedSpans noted() const override { return {.adders = adders_.busy()}; }

private:
    struct Leaving {
        std::size_t copies = 0;   ///< that have not left
        TimedEvent last;          ///< of those that have
    };
    struct State {
        RunningJob* job = nullptr;
        std::map<Rank, std::unique_ptr<TimedEngine>> encoders = {}, decoders = {};   ///< of each port, by its neighbour
        std::map<ChunkId, Leaving> leaving = {};   ///< sums that leave for the children
    };
    bool codes(StepId step) const;
    TimedEngine& engine_at(std::map<Rank, std::unique_ptr<TimedEngine>>& ports, Rank neighbour) const;

    std::vector<Child> children_;
    EngineParams engine_;
    AggregatorParams params_;
    Scheduler& scheduler_;
    Freed on_freed_;
    PipelinedUnit adders_;
    State state_;
};

/// A switch with these units as a participant of collectives: a packet is there one switch latency after its last bit,
/// and leaves as soon as it is made.
std::unique_ptr<Nic> make_aggregator(Rank number, std::vector<Aggregator::Child> children, const EngineParams& engine,
                                     const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
                                     Nic::Ready on_ready, Aggregator::Freed on_freed);

}   // namespace oscar

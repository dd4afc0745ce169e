// What of a switch takes part in a collective: it adds up what its children send.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "models/nic/nic.hpp"

namespace oscar {

/// A node without gradients. A chunk from a child has come when its last packet has passed the switch; one that codecs
/// can add as it is stays as it came, any other is decoded by the engine of the port it came by. When the last child's
/// is there the adders take all of them, block by block, and the sum goes to the parent, or from the root to all
/// children, encoded, if need be, by the engine of the port it leaves by; for all children, by that of the first. What
/// comes from the parent goes on to all children when all of its message is there. (docs/model.md 7b)
/// A chunk has a slot from when a child may send it until the last bit of its sum has left for the last child; a child
/// learns of that one way back later.
class Aggregator final : public Nic {
public:
    /// Called when a child learns that a slot is free.
    using Freed = std::function<void(Rank child, const TimedEvent&)>;
    /// `children`: each, and how long it takes to tell it something.
    struct Child {
        Rank rank;
        Time back;
    };
    Aggregator(Rank number, std::vector<Child> children, const NodeParams& node, const NetworkParams& network,
               Scheduler& scheduler, FlowTable& flows, Ready on_ready, Freed on_freed);

    void begin(RunningJob& job) override;

private:
    void encode_blocks(StepId step, const Outbound& out, const TimedEvent& now, EventRuns& ready) override;
    void serve(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) override;
    void has_left(StepId step, const TimedEvent& now) override;
    void begin_timestep(Timestep, const TimedEvent&) override {}
    void fetch_tables(std::uint32_t, const TimedEvent&) override {}
    struct Leaving {
        std::size_t copies = 0;   ///< that have not left
        TimedEvent last;          ///< of those that have
    };
    bool codes() const { return participants().uses_engine() && !participants().adds_coded(); }

    std::vector<Child> children_;
    Freed on_freed_;
    PipelinedUnit adders_;
    std::map<Rank, PipelinedUnit> encoders_, decoders_;   ///< of each port, by who is behind it
    std::map<ChunkId, Leaving> leaving_;                  ///< sums on their way to the children
};

}   // namespace oscar

// Interface of the units behind a port, which make the blocks of outgoing messages and take in those of incoming ones.
#pragma once

#include <functional>
#include <vector>

#include "models/nic/running_job.hpp"

namespace oscar {

/// The units of a node, or of a switch that adds. They decide times, never contents.
class BlockUnits {
public:
    virtual ~BlockUnits() = default;
    /// A job begins; it outlives its run.
    virtual void begin(RunningJob& job) = 0;
    /// A step is issued here: before its message is made.
    virtual void issued(StepId step, const TimedEvent& now) = 0;
    /// A packet of a step has arrived. The first of a timestep makes the units read operands.
    virtual void packet_arrived(StepId step, const TimedEvent& now) = 0;
    /// The times at which the blocks of a message that is made here are complete.
    virtual void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) = 0;
    /// True if a step's blocks are complete only when an engine says so: encode_later() then takes the place of
    /// encode_blocks().
    virtual bool answers_later(StepId) const { return false; }
    /// Called for each block of a message in turn, at the time at which it is complete.
    using BlockDone = std::function<void(const TimedEvent& done)>;
    /// Has the blocks of a message made.
    virtual void encode_later(StepId, const SharedMessage&, const TimedEvent&, const BlockDone&) {}
    /// Calls this when a block of a step has been taken in that was not when it was given; where the step adds, or its
    /// values go to GPU memory for a port, the block is counted in its Inbound::undecoded.
    virtual void on_decoded(const std::function<void(StepId, const TimedEvent&)>&) {}
    /// The time at which all that the blocks of a step wait for is available, but for their bytes.
    virtual TimedEvent operands_there(StepId step, const Inbound& inbound) const = 0;
    /// Takes in the batch's number of blocks at each time of `ready`; inbound.done is then no earlier than their end,
    /// or inbound.undecoded counts those whose end is not known.
    virtual void decode_blocks(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) = 0;
    /// The last bit of a step's message has left.
    virtual void departed(StepId step, const TimedEvent& now) = 0;

    /// The spans in which the encoder of the engine was occupied in this job.
    virtual std::vector<Span> encoder_busy() const { return {}; }
    /// The spans in which the decoder of the engine was occupied in this job.
    virtual std::vector<Span> decoder_busy() const { return {}; }
    /// The spans in which the other units were occupied in this job, where it notes them.
    virtual NotedSpans noted() const { return {}; }
};

}   // namespace oscar

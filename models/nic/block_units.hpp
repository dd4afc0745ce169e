// The units behind a port that make the blocks of messages and take them in.
#pragma once

#include <vector>

#include "models/nic/running_job.hpp"

namespace oscar {

/// Those of a node, or those of a switch that adds. They decide when, never what.
class BlockUnits {
public:
    virtual ~BlockUnits() = default;
    /// A job begins; it outlives its run.
    virtual void begin(RunningJob& job) = 0;
    /// A step is issued here: before its message is made.
    virtual void issued(StepId step, const TimedEvent& now) = 0;
    /// The first packet of a step of this timestep has come, or another; of the first one operands are read.
    virtual void packet_came(Timestep timestep, const TimedEvent& now) = 0;
    /// When each block of a message that is made here is there.
    virtual void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) = 0;
    /// What blocks of a step wait for beside their bytes.
    virtual TimedEvent operands_there(StepId step, const Inbound& inbound) const = 0;
    /// As many blocks as the batch says are taken in at each of the moments; inbound.done becomes no earlier than that.
    virtual void take_in(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) = 0;
    /// The last bit of a step's message has left.
    virtual void has_left(StepId step, const TimedEvent& now) = 0;

    /// When the engine was occupied in this job.
    virtual std::vector<Span> encoder_busy() const { return {}; }
    virtual std::vector<Span> decoder_busy() const { return {}; }
};

}   // namespace oscar

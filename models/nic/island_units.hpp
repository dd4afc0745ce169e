// The units of a GPU's port inside its island: kernels that read, send and add.
#pragma once

#include "models/nic/block_units.hpp"
#include "models/nic/island_port.hpp"

namespace oscar {

/// Values are read from GPU memory at the rate of the port, and what comes is in GPU memory: kernels add it at a rate
/// of their own, or it has been stored where it belongs. No engine, DMA or adder of a NIC has a part in this. Reading
/// counts as the link, whose rate it has, and additions as the engine. The first values that go to the island's switch
/// wait for the start-up of a collective in which it takes part.
class IslandUnits final : public BlockUnits {
public:
    /// The port must outlive it.
    IslandUnits(Rank rank, Time switch_start, IslandPort& port)
        : rank_(rank), switch_start_(switch_start), port_(port) {}

    void begin(RunningJob& job) override;
    void issued(StepId, const TimedEvent&) override {}
    void packet_arrived(StepId, const TimedEvent&) override {}
    void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) override;
    TimedEvent operands_there(StepId step, const Inbound&) const override {
        return in_memory(job_->job.plan.taken_chunk(step));
    }
    void decode_blocks(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) override;
    void departed(StepId, const TimedEvent&) override {}
    NotedSpans noted() const override { return {{}, port_.read.use().spans, port_.add.use().spans}; }

private:
    TimedEvent in_memory(ChunkId chunk) const;

    Rank rank_;
    Time switch_start_;
    RunningJob* job_ = nullptr;
    bool with_switch_ = false;   ///< values have gone to the island's switch in this job
    IslandPort& port_;
};

}   // namespace oscar

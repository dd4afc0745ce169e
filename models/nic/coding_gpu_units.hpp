// The units of a node whose GPU codes: kernels and DMA.
#pragma once

#include <memory>
#include <vector>

#include "models/gpu/coding_kernels.hpp"
#include "models/nic/node_units.hpp"

namespace oscar {

/// Out: a kernel encodes the message, and DMA reads its bytes. In: DMA writes the bytes of a message, and a kernel
/// decodes and adds it when they all are there. What came is handed on as it came, and before it is decoded. Uncoded
/// values need no call, and kernels add them as they come. Methods that bypass the engine take the units of any node.
class CodingGpuUnits final : public BlockUnits {
public:
    /// The parts must outlive it. Preconditions: engine.place is gpu, gpu.staging too, and there is gpu.coding.
    CodingGpuUnits(Rank rank, const NodeParams& node, const NodeParts& parts, Scheduler& scheduler);

    void begin(RunningJob& job) override;
    void issued(StepId step, const TimedEvent& now) override { bypass_.issued(step, now); }
    void packet_arrived(StepId step, const TimedEvent& now) override { bypass_.packet_arrived(step, now); }
    void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) override;
    TimedEvent operands_there(StepId, const Inbound& inbound) const override { return inbound.operand; }
    void decode_blocks(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) override;
    void departed(StepId, const TimedEvent&) override {}
    std::vector<Span> encoder_busy() const override { return coder_.encoder_busy(); }
    std::vector<Span> decoder_busy() const override { return coder_.decoder_busy(); }
    NotedSpans noted() const override { return bypass_.noted(); }

private:
    bool bypasses() const { return !job_->job.source.uses_engine(); }
    bool is_uncoded() const { return job_->job.source.adds_coded(); }
    void decode_message(StepId step, Inbound& inbound);

    Rank rank_;
    GradientForm form_;
    Bandwidth kernels_;   ///< of the GPU
    Time to_gpu_;         ///< from a write in GPU memory until the GPU knows of it
    Dma& dma_;
    CodingKernels coder_;
    NodeUnits bypass_;
    RunningJob* job_ = nullptr;
};

/// The units of a node's NIC, or those of its GPU where that codes. The parts must outlive them.
std::unique_ptr<BlockUnits> make_units_between(Rank rank, const NodeParams& node, const NodeParts& parts,
                                               Scheduler& scheduler);

}   // namespace oscar

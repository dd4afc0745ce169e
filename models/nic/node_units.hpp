// The units of a node: DMA, compression engine and reduce unit.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "models/engine/clocked_engine.hpp"
#include "models/nic/block_units.hpp"
#include "models/nic/node_parts.hpp"
#include "models/nic/operand_reads.hpp"

namespace oscar {

/// Out: local values by DMA (or partial sums from NIC memory) -> encoder. In: decoder, which adds the local values that
/// DMA has fetched -> NIC memory; complete sums go to GPU memory by DMA. A codec that does not use the engine passes it
/// by; the reduce unit then adds. Where all is staged in GPU memory, decoded messages go there by DMA, kernels add
/// them, and what is sent comes from there.
class NodeUnits final : public BlockUnits {
public:
    /// The parts must outlive it. Throws invalid_argument for an engine that is neither timed nor clocked.
    NodeUnits(Rank rank, const NodeParams& node, const NodeParts& parts, Scheduler& scheduler);

    void begin(RunningJob& job) override;
    void issued(StepId step, const TimedEvent& now) override { reads_.issued(step, now); }
    void packet_arrived(StepId step, const TimedEvent& now) override { reads_.packet_arrived(step, now); }
    void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) override;
    TimedEvent operands_there(StepId step, const Inbound& inbound) const override;
    void decode_blocks(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) override;
    void departed(StepId, const TimedEvent&) override {}
    bool answers_later(StepId) const override { return clocked_ != nullptr && uses_engine(); }
    void encode_later(StepId step, const SharedMessage& message, const TimedEvent& now, const BlockDone& done) override;
    void on_decoded(const std::function<void(StepId, const TimedEvent&)>& decoded) override { decoded_ = decoded; }
    std::vector<Span> encoder_busy() const override { return parts_.engine.encoder_busy(); }
    std::vector<Span> decoder_busy() const override { return parts_.engine.decoder_busy(); }
    NotedSpans noted() const override { return {.adders = parts_.reduce_unit.busy()}; }

private:
    void encode_run(const BlockRun& run, StepId step, const TimedEvent& now, EventRuns& ready);
    void fetch(const BlockRun& run, StepId step, const TimedEvent& now, EventRuns& there);
    void decode_later(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready);
    void decoded(StepId step, std::uint64_t values, Bytes written, const TimedEvent& done);
    const Plan& plan() const { return job_->job.plan; }
    bool uses_engine() const { return job_->job.source.uses_engine(); }

    Rank rank_;
    GradientForm form_;
    Bandwidth kernels_;   ///< of the GPU
    Time to_gpu_;         ///< from a write in GPU memory until the GPU knows of it
    NodeParts parts_;
    TimedEngine* timed_;       ///< the engine, if it answers at once
    ClockedEngine* clocked_;   ///< the engine, if it answers later
    std::function<void(StepId, const TimedEvent&)> decoded_;
    OperandReads reads_;
    Scheduler& scheduler_;
    RunningJob* job_ = nullptr;
    ValueBytes value_bytes_;
    EventRuns read_;   ///< blocks of a message that go to the encoder; kept for its memory
};

}   // namespace oscar

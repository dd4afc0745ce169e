#include "models/nic/node_units.hpp"

namespace oscar {

NodeUnits::NodeUnits(Rank rank, const GpuParams& gpu, const NodeParts& parts, Scheduler& scheduler)
    : rank_(rank), form_(gpu.gradients), parts_(parts), reads_(rank, gpu, parts.dma, scheduler) {}

void NodeUnits::begin(RunningJob& job) {
    job_ = &job;
    value_bytes_ = value_bytes(form_, job.job.plan);
    parts_.dma.begin();
    parts_.engine.begin();
    parts_.reduce_unit.begin();
    reads_.begin(job);
}

/// Local values with their classes come by DMA; the classes of a sum are there, for it was decoded with them. Then the
/// encoder.
void NodeUnits::encode_blocks(StepId id, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) {
    if (plan().addends(id) > 1 && !uses_engine())
        return ready.push_back({now, static_cast<std::uint32_t>(message.bytes->blocks.size())});
    for (const BlockRun& run : message.shape->runs) encode_run(run, id, now, ready);
}

/// Blocks that are read or encoded.
void NodeUnits::encode_run(const BlockRun& run, StepId id, const TimedEvent& now, EventRuns& ready) {
    read_.clear();
    EventRuns& local = uses_engine() ? read_ : ready;
    if (plan().addends(id) == 1) {
        const Bytes size =
            Bytes{run.block->values * value_bytes_.read} + job_->job.engine_reads.mask_of(run.block->values);
        parts_.dma.read(now, run.count, size, local);
        use().dma_bytes += run.count * size.count;
    } else {
        local.push_back({now, run.count});
    }
    if (!uses_engine()) return;
    const TimedEvent tables = reads_.tables_there(job_->step(id).timestep);
    for (std::uint32_t i = 0; i < run.count; ++i)
        ready.push_back({parts_.engine.encode(later(read_[i], tables), *run.block)});
}

TimedEvent NodeUnits::operands_there(StepId id, const Inbound& inbound) const {
    if (!uses_engine()) return inbound.operand;
    return later(inbound.operand, reads_.tables_there(job_->step(id).timestep));
}

/// The decoder or the adders, then DMA to GPU memory. What is complete with one packet is a piece of work of the
/// adders.
void NodeUnits::decode_blocks(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    const Block& block = *batch.block;
    const bool engine = uses_engine(), writes = plan().completes(id);
    const Bytes written{block.values * value_bytes_.written};
    const std::uint64_t blocks = std::uint64_t{ready.count} * batch.blocks;
    if (writes) use().dma_bytes += blocks * written.count;
    if (plan().adds(id)) use().added_values += blocks * block.values;
    if (!engine && !plan().adds(id)) {
        inbound.done = later(inbound.done, ready.back());
        if (writes) note_written(id, parts_.dma.write(ready, batch.blocks, written));
        return;
    }
    if (!writes && !batch.continues) {
        inbound.done = later(inbound.done, engine ? parts_.engine.decode_run(ready, batch.blocks, block)
                                                  : parts_.reduce_unit.add_run(ready, batch.blocks, block.values));
        return;
    }
    for (std::uint32_t i = 0; i < ready.count; ++i) {
        const ServiceBatch served =
            engine ? parts_.engine.decode(ready[i], batch.blocks, block)
                   : parts_.reduce_unit.add(ready[i], batch.blocks, block.values, !batch.continues);
        inbound.done = later(inbound.done, served.done(batch.blocks - 1));
        if (writes) note_written(id, parts_.dma.write(served, written));
    }
}

void NodeUnits::note_written(StepId id, const TimedEvent& written) {
    RankUse& rank = use();
    const Time at = written.at - job_->origin;
    Time& stored = job_->outcome.steps[id.value].stored;
    stored = std::max(stored, at);
    if (at <= rank.finish) return;
    rank.finish = at;
    rank.path = written.path;
    rank.last = id;
}

}   // namespace oscar

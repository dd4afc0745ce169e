#include "models/nic/island_units.hpp"

namespace oscar {

void IslandUnits::begin(RunningJob& job) {
    job_ = &job;
    with_switch_ = false;
}

/// When the NIC has written a chunk to GPU memory; the beginning of time where it has not taken any in.
TimedEvent IslandUnits::in_memory(ChunkId chunk) const {
    const auto& chunks = job_->in_memory[rank_.value];
    const auto found = chunks.find(chunk);
    return found == chunks.end() ? TimedEvent{} : found->second;
}

void IslandUnits::encode_blocks(StepId id, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) {
    TimedEvent there = later(now, in_memory(job_->job.plan.sent_chunk(id)));
    if (!with_switch_ && job_->step(id).to.value >= job_->schedule().ranks) {
        there = there.after(switch_start_, &CriticalPath::latency_ps);
        with_switch_ = true;
    }
    for (const BlockRun& run : message.shape->runs)
        ready.push_back(port_.read.serve(there, run.count, Bytes{run.block->bytes}));
}

void IslandUnits::decode_blocks(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    const Plan& plan = job_->job.plan;
    const Block& block = *batch.block;
    const TimedEvent there =
        plan.adds(id) ? port_.add.serve_run(ready, batch.blocks, Bytes{block.bytes}) : ready.back();
    if (plan.adds(id))
        job_->outcome.ranks[rank_.value].added_values += std::uint64_t{ready.count} * batch.blocks * block.values;
    inbound.done = later(inbound.done, there);
    if (plan.completes(id)) job_->note_result(rank_, id, there);
}

}   // namespace oscar

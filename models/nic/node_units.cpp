#include "models/nic/node_units.hpp"

#include <stdexcept>

#include "models/gpu/gpu_kernels.hpp"
#include "models/nic/staged_sums.hpp"

namespace oscar {
namespace {

/// Null for an engine that does not code.
std::shared_ptr<const MessageContents> contents_for(const ClockedEngine& engine, const Job& job, StepId step,
                                                    const SharedMessage& message) {
    if (!engine.codes_blocks()) return nullptr;
    auto contents = job.source.contents(step, message.bytes);
    if (!contents)
        throw std::invalid_argument("an engine that codes blocks needs messages with values, not with sizes alone");
    return contents;
}

/// The bytes of a value that DMA writes to GPU memory when a step has brought it; 0 where it stays in the NIC.
std::uint64_t written_of_value(const RunningJob& job, StepId id, GradientForm form, ValueBytes of_results) {
    const Plan& plan = job.job.plan;
    if (job.places.staged()) return sum_bytes(form, plan, plan.contributions[id.value].carried);
    if (plan.completes(id)) return of_results.written;
    return job.places.goes_to_memory(id) ? sum_bytes(form, plan, plan.contributions[id.value].held) : 0;
}

}   // namespace

NodeUnits::NodeUnits(Rank rank, const NodeParams& node, const NodeParts& parts, Scheduler& scheduler)
    : rank_(rank),
      form_(node.gpu.gradients),
      kernels_(kernel_bandwidth(node.gpu)),
      to_gpu_(node.nic.to_gpu()),
      parts_(parts),
      timed_(dynamic_cast<TimedEngine*>(&parts.engine)),
      clocked_(dynamic_cast<ClockedEngine*>(&parts.engine)),
      reads_(rank, node, parts.dma, scheduler),
      scheduler_(scheduler) {
    if (timed_ == nullptr && clocked_ == nullptr)
        throw std::invalid_argument("an engine is a TimedEngine or a ClockedEngine");
    if (clocked_ != nullptr)
        clocked_->on_failure([&scheduler](std::exception_ptr why) { scheduler.fail(std::move(why)); });
}

void NodeUnits::begin(RunningJob& job) {
    job_ = &job;
    value_bytes_ = value_bytes(form_, job.job.plan);
    reads_.begin(job);
}

/// Local values with their classes come by DMA; the classes of a sum are there, for it was decoded with them. Then the
/// encoder.
void NodeUnits::encode_blocks(StepId id, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) {
    if (!job_->places.sent_from_memory(id) && !uses_engine())
        return ready.push_back({now, static_cast<std::uint32_t>(message.bytes->blocks.size())});
    for (const BlockRun& run : message.shape->runs) encode_run(run, id, now, ready);
}

/// Blocks that are read or encoded.
void NodeUnits::encode_run(const BlockRun& run, StepId id, const TimedEvent& now, EventRuns& ready) {
    if (!uses_engine()) return fetch(run, id, now, ready);
    read_.clear();
    fetch(run, id, now, read_);
    const TimedEvent tables = reads_.tables_there(job_->step(id).timestep);
    for (std::uint32_t i = 0; i < run.count; ++i)
        ready.push_back({timed_->encode(later(read_[i], tables), *run.block)});
}

/// The values of blocks with their classes, from GPU memory or from the decoder.
void NodeUnits::fetch(const BlockRun& run, StepId id, const TimedEvent& now, EventRuns& there) {
    if (!job_->places.sent_from_memory(id)) return there.push_back({now, run.count});
    const std::uint64_t of_value = sum_bytes(form_, plan(), plan().addends(id));
    const Bytes size = Bytes{run.block->values * of_value} + job_->job.engine_reads.mask_of(run.block->values);
    parts_.dma.read(now, run.count, size, there);
    job_->outcome.ranks[rank_.value].dma_bytes += run.count * size.count;
}

void NodeUnits::encode_later(StepId id, const SharedMessage& message, const TimedEvent& now, const BlockDone& done) {
    read_.clear();
    for (const BlockRun& run : message.shape->runs) fetch(run, id, now, read_);
    const TimedEvent tables = reads_.tables_there(job_->step(id).timestep);
    const auto contents = contents_for(*clocked_, job_->job, id, message);
    const auto& blocks = message.bytes->blocks;
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
        clocked_->submit(EngineArray::encoder, {later(read_[i], tables), blocks[i], contents},
                         [this, done](const TimedEvent& at) {
                             scheduler_.post(at.at, Stage::start, rank_.value, [done, at] { done(at); });
                         });
    scheduler_.others_have_work();
}

TimedEvent NodeUnits::operands_there(StepId id, const Inbound& inbound) const {
    if (!uses_engine()) return inbound.operand;
    return later(inbound.operand, reads_.tables_there(job_->step(id).timestep));
}

/// The decoder or the adders, then DMA to GPU memory. What is complete with one packet is a piece of work of the
/// adders.
void NodeUnits::decode_blocks(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    const Block& block = *batch.block;
    const Bytes written{block.values * written_of_value(*job_, id, form_, value_bytes_)};
    const bool engine = uses_engine(), to_memory = written > 0_B;
    const std::uint64_t blocks = std::uint64_t{ready.count} * batch.blocks;
    RankUse& use = job_->outcome.ranks[rank_.value];
    if (to_memory) use.dma_bytes += blocks * written.count;
    const bool adds_here = plan().adds(id) && !job_->places.staged();
    if (adds_here) use.added_values += blocks * block.values;
    const auto write = [&](const auto& there, auto... count) {
        const TimedEvent moved = parts_.dma.write(there, count..., written);
        if (!engine && !adds_here) inbound.freed = moved.at;
        const TimedEvent handed = moved.after(to_gpu_, &CriticalPath::latency_ps);
        const TimedEvent at = usable(*job_, id, form_, kernels_, block.values, handed);
        if (job_->places.staged()) inbound.done = later(inbound.done, at);
        job_->note_usable(rank_, id, at);
    };
    inbound.freed.reset();
    if (!engine && !adds_here) {
        inbound.done = later(inbound.done, ready.back());
        inbound.freed = ready.back().at;
        if (to_memory) write(ready, batch.blocks);
        return;
    }
    if (answers_later(id)) return decode_later(id, inbound, batch, ready);
    if (!to_memory && !batch.continues) {
        const TimedEvent last = engine ? timed_->decode_run(ready, batch.blocks, block)
                                       : parts_.reduce_unit.add_run(ready, batch.blocks, block.values);
        inbound.done = later(inbound.done, last);
        inbound.freed = last.at;
        return;
    }
    for (std::uint32_t i = 0; i < ready.count; ++i) {
        const ServiceBatch served =
            engine ? timed_->decode(ready[i], batch.blocks, block)
                   : parts_.reduce_unit.add(ready[i], batch.blocks, block.values, !batch.continues);
        inbound.done = later(inbound.done, served.done(batch.blocks - 1));
        inbound.freed = served.at(batch.blocks - 1);
        if (to_memory) write(served);
    }
}

/// Each block is another to an engine that codes it.
void NodeUnits::decode_later(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    const StepInFlight& step = job_->in_flight.at(id);
    const SharedMessage& resent = step[PacketKind::resent].message;
    const SharedMessage& message = resent.bytes ? resent : step[PacketKind::message].message;
    if (inbound.decoded == 0) inbound.contents = contents_for(*clocked_, job_->job, id, message);
    const Bytes written{batch.block->values * written_of_value(*job_, id, form_, value_bytes_)};
    for (std::uint32_t i = 0; i < ready.count * batch.blocks; ++i) {
        const Block& block = inbound.contents ? message.bytes->blocks[inbound.decoded] : *batch.block;
        ++inbound.decoded;
        if (plan().adds(id) || job_->places.goes_to_memory(id)) ++inbound.undecoded;
        clocked_->submit(EngineArray::decoder, {ready[i / batch.blocks], block, inbound.contents},
                         [this, id, written, values = std::uint64_t{block.values}](const TimedEvent& at) {
                             scheduler_.post(at.at, Stage::start, rank_.value,
                                             [this, id, values, written, at] { decoded(id, values, written, at); });
                         });
    }
    scheduler_.others_have_work();
}

/// A block of a step has left the decoder.
void NodeUnits::decoded(StepId id, std::uint64_t values, Bytes written, const TimedEvent& done) {
    if (written.count == 0) return decoded_(id, done);
    const TimedEvent handed = parts_.dma.write(EventRun{done}, 1, written).after(to_gpu_, &CriticalPath::latency_ps);
    const TimedEvent at = usable(*job_, id, form_, kernels_, values, handed);
    job_->note_usable(rank_, id, at);
    decoded_(id, job_->places.staged() ? at : done);
}

}   // namespace oscar

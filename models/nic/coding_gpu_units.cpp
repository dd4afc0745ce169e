#include "models/nic/coding_gpu_units.hpp"

#include "models/gpu/gpu_kernels.hpp"
#include "models/nic/staged_sums.hpp"

namespace oscar {
namespace {

/// True if what a step sends may be a message that its sender has received.
bool came_here(const Plan& plan, StepId id) {
    const auto& steps = plan.schedule.steps;
    return steps[plan.origin[id.value].value].from != steps[id.value].from;
}

}   // namespace

CodingGpuUnits::CodingGpuUnits(Rank rank, const NodeParams& node, const NodeParts& parts, Scheduler& scheduler)
    : rank_(rank),
      form_(node.gpu.gradients),
      kernels_(kernel_bandwidth(node.gpu)),
      to_gpu_(node.nic.to_gpu()),
      dma_(parts.dma),
      coder_(node.gpu.coding.value(), kernels_),
      bypass_(rank, node, parts, scheduler) {}

void CodingGpuUnits::begin(RunningJob& job) {
    job_ = &job;
    coder_.begin();
    bypass_.begin(job);
}

/// One call for the message; its bytes are read when all of them are there. Uncoded values are, and the bytes of a
/// message that is handed on.
void CodingGpuUnits::encode_blocks(StepId id, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) {
    if (bypasses()) return bypass_.encode_blocks(id, message, now, ready);
    std::uint64_t values = 0;
    for (const BlockRun& run : message.shape->runs) values += std::uint64_t{run.count} * run.block->values;
    const bool there = is_uncoded() || (came_here(job_->job.plan, id) && job_->job.source.forwards(id));
    const TimedEvent coded = there ? now : coder_.encode(now, values);
    for (const BlockRun& run : message.shape->runs) {
        dma_.read(coded, run.count, Bytes{run.block->bytes}, ready);
        job_->outcome.ranks[rank_.value].dma_bytes += run.count * run.block->bytes;
    }
}

void CodingGpuUnits::decode_blocks(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    if (bypasses()) return bypass_.decode_blocks(id, inbound, batch, ready);
    const Block& block = *batch.block;
    const std::uint64_t blocks = std::uint64_t{ready.count} * batch.blocks;
    job_->outcome.ranks[rank_.value].dma_bytes += blocks * block.bytes;
    TimedEvent there = dma_.write(ready, batch.blocks, Bytes{block.bytes}).after(to_gpu_, &CriticalPath::latency_ps);
    if (is_uncoded()) there = usable(*job_, id, form_, kernels_, block.values, there);
    inbound.done = later(inbound.done, there);
    if (is_uncoded()) return job_->note_usable(rank_, id, there);
    inbound.in_memory += blocks * block.values;
    if (inbound.in_memory == job_->job.source.values(id)) decode_message(id, inbound);
}

/// All bytes of a message are in GPU memory. What is added waits for the call; what is handed on does not.
void CodingGpuUnits::decode_message(StepId id, Inbound& inbound) {
    const Plan& plan = job_->job.plan;
    const std::uint64_t values = job_->job.source.values(id);
    const TimedEvent decoded = coder_.decode(inbound.done, values, own_bytes(plan, id, form_, values));
    if (plan.adds(id)) inbound.done = decoded;
    job_->note_usable(rank_, id, decoded);
}

std::unique_ptr<BlockUnits> make_units_between(Rank rank, const NodeParams& node, const NodeParts& parts,
                                               Scheduler& scheduler) {
    if (node.engine.place == EnginePlace::gpu) return std::make_unique<CodingGpuUnits>(rank, node, parts, scheduler);
    return std::make_unique<NodeUnits>(rank, node, parts, scheduler);
}

}   // namespace oscar

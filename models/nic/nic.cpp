#include "models/nic/nic.hpp"

#include <utility>

namespace oscar {

Nic::Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
         Ready on_ready, Time way_out)
    : rank_(rank),
      node_(node),
      network_(network),
      scheduler_(scheduler),
      flows_(flows),
      on_ready_(std::move(on_ready)),
      way_out_(way_out),
      read_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      write_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      encoder_(node.engine.clock),
      decoder_(node.engine.clock),
      adder_(node.nic.clock, false, node.nic.adders) {}

void Nic::begin(RunningJob& job) {
    job_ = &job;
    value_bytes_ = value_bytes(node_.gpu.gradients, job.job.plan);
    started_ = false;
    start_ = {};
    early_packets_.clear();
    refused_.clear();
    operands_asked_.assign(job.timesteps, false);
    tables_asked_.assign(job.timesteps, false);
    tables_there_.clear();
    decoded_.clear();
    last_departure_.clear();
    encoded_.clear();
    operands_.clear();
    window_.begin(network_.switches.aggregator.slots);
    for (PipelinedUnit* unit : {&encoder_, &decoder_, &adder_}) unit->clear();
    wire_.clear();
    for (DmaChannel* channel : {&read_, &write_}) channel->clear();
}

void Nic::issue(StepId id, const TimedEvent& now) {
    job_->outcome.steps[id.value].issued = since_begin(now);
    const bool forwarded = participants().forwards(id);
    const Step& step = step_of(id);
    fetch_tables(step.timestep.value, now);
    Outbound& out = job_->outbound[id];
    out.message = participants().send(id);
    out.shape = job_->shapes.of(out.message);
    if (!flows_.spray()) out.flow = &flows_.of(rank_, step.to, job_->channel(id));
    out.at_once = !flows_.spray() && !participants().may_refuse() && job_->one_sender[step.to.value];
    schedule_blocks(id, out, forwarded, now);
    packetise(id, PacketKind::message, now);
    // Behind what the other slices of the timestep, issued at the same instant, read to send.
    if (!operands_asked_[step.timestep.value]) begin_later(step.timestep, id, now);
}

void Nic::begin_later(Timestep timestep, StepId id, const TimedEvent& now) {
    if (free_begins_.empty()) {
        free_begins_.push_back(static_cast<std::uint32_t>(begins_.size()));
        begins_.emplace_back();
    }
    const std::uint32_t number = free_begins_.back();
    free_begins_.pop_back();
    begins_[number] = {timestep, now};
    scheduler_.at(now.at, Stage::timestep, id.value, [this, number] {
        free_begins_.push_back(number);
        const Begin begin = begins_[number];
        begin_timestep(begin.timestep, begin.now);
    });
}

/// The local values that this timestep's sums will need, once for all that is added to them, and the classes of all
/// that comes, are read while the network is busy with their other operand; then the tables of the next timestep.
void Nic::begin_timestep(Timestep timestep, const TimedEvent& now) {
    if (operands_asked_[timestep.value]) return;
    operands_asked_[timestep.value] = true;
    fetch_tables(timestep.value, now);
    for (const StepId id : of_timestep(job_->schedule(), job_->incoming[rank_.value], timestep)) {
        const ChunkId chunk = step_of(id).chunk;
        const std::uint64_t values = participants().values(id);
        const bool remainder = plan().known[id.value].has_value(), adds = plan().adds(id);
        const bool shared = adds && !remainder && job_->added_again[id.value];
        const bool reads = remainder || (adds && !(shared && operands_.contains(chunk)));
        const Bytes size = Bytes{reads ? values * value_bytes_.read : 0} + side().mask_of(values);
        TimedEvent operand;
        if (size > 0_B) operand = read_.serve(now, size);
        if (shared) operand = later(operand, operands_.try_emplace(chunk, operand).first->second);
        if (adds || size > 0_B) job_->inbound[id].operand = operand;
    }
    if (side().prefetch) fetch_tables(timestep.value + 1, now);
}

void Nic::fetch_tables(std::uint32_t timestep, const TimedEvent& now) {
    if (timestep == tables_asked_.size() || tables_asked_[timestep]) return;
    tables_asked_[timestep] = true;
    const Bytes size = side().tables_of(rank_, Timestep{timestep});
    if (size > 0_B) tables_there_[Timestep{timestep}] = read_.serve(now, size);
}

/// The beginning of time where none are read.
TimedEvent Nic::tables_there(Timestep timestep) const {
    const auto found = tables_there_.find(timestep);
    return found == tables_there_.end() ? TimedEvent{} : found->second;
}

void Nic::start(const TimedEvent& now) {
    started_ = true;
    start_ = now;
    for (const Early& early : std::exchange(early_packets_, {})) process(early.packet, later(early.arrival, now));
}

}   // namespace oscar

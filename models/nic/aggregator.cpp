#include "models/nic/aggregator.hpp"

#include <utility>

#include "models/engine/engine_cycles.hpp"

namespace oscar {
namespace {

/// A packet is there one switch latency after its last bit, and leaves as soon as it is made.
NodeParams in_switch(NodeParams node, const NetworkParams& network) {
    node.nic.latency = network.switches.latency;
    return node;
}

}   // namespace

Aggregator::Aggregator(Rank number, std::vector<Child> children, const NodeParams& node, const NetworkParams& network,
                       Scheduler& scheduler, FlowTable& flows, Ready on_ready, Freed on_freed)
    : Nic(number, in_switch(node, network), network, scheduler, flows, std::move(on_ready), 0_ps),
      children_(std::move(children)),
      on_freed_(std::move(on_freed)),
      adders_(network.switches.aggregator.clock, false, network.switches.aggregator.adders) {}

void Aggregator::begin(RunningJob& job) {
    Nic::begin(job);
    adders_.clear();
    encoders_.clear();
    decoders_.clear();
    leaving_.clear();
}

void Aggregator::encode_blocks(StepId id, const Outbound& out, const TimedEvent& now, EventRuns& ready) {
    const Cycles latency = network().switches.aggregator.latency;
    PipelinedUnit& encoder = encoders_.try_emplace(step_of(id).to, engine().clock).first->second;
    adders_.begin_piece();   // a chunk
    for (const Block& block : out.message->blocks) {
        TimedEvent at = adders_.serve(now, block.values, latency);
        if (codes()) at = encoder.serve(at, encode_cycles(engine(), block), engine().encode_latency);
        ready.push_back({at});
    }
}

void Aggregator::serve(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    if (!codes() || !plan().adds(id)) {
        inbound.done = later(inbound.done, ready.back());
        return;
    }
    PipelinedUnit& decoder = decoders_.try_emplace(step_of(id).from, engine().clock).first->second;
    const Cycles occupancy = decode_cycles(engine(), *batch.block), latency = decode_latency(engine(), *batch.block);
    for (std::uint32_t i = 0; i < ready.count; ++i)
        inbound.done =
            later(inbound.done, decoder.serve(ready[i], batch.blocks, occupancy, latency).done(batch.blocks - 1));
}

void Aggregator::has_left(StepId id, const TimedEvent& now) {
    const Step& step = step_of(id);
    if (step.op != Op::copy) return;
    Leaving& sum = leaving_.try_emplace(step.chunk, Leaving{children_.size(), now}).first->second;
    sum.last = later(sum.last, now);   // networks tell of it when they know it, in any order
    if (--sum.copies > 0) return;
    const TimedEvent left = sum.last;
    leaving_.erase(step.chunk);
    for (const Child& child : children_) {
        const TimedEvent told = left.after(child.back, &CriticalPath::latency_ps);
        scheduler().at(told.at, Stage::slot, child.rank.value, [this, child, told] { on_freed_(child.rank, told); });
    }
}

}   // namespace oscar

#include "models/hw/aggregator.hpp"

#include <utility>

#include "models/engine/engine_cycles.hpp"

namespace oscar {
namespace {

/// A packet is there one switch latency after its last bit, and leaves as soon as it is made.
NodeParams in_switch(NodeParams node, const NetworkParams& network) {
    node.nic.latency = network.router.latency;
    return node;
}

}   // namespace

Aggregator::Aggregator(Rank number, std::vector<Child> children, const NodeParams& node, const NetworkParams& network,
                       Timeline& timeline, Flows& flows, Ready on_ready, Freed on_freed)
    : Nic(number, in_switch(node, network), network, timeline, flows, std::move(on_ready), 0_ps),
      children_(std::move(children)),
      on_freed_(std::move(on_freed)),
      adders_(network.router.aggregator.clock) {}

void Aggregator::begin(RunningJob& job) {
    Nic::begin(job);
    adders_.clear();
    encoders_.clear();
    decoders_.clear();
    leaving_.clear();
}

std::vector<Moment> Aggregator::encode_blocks(StepId id, const Encoded& message, const Moment& now) {
    const AggregatorParams& params = network().router.aggregator;
    PipelinedUnit& encoder = encoders_.try_emplace(step_of(id).to, engine().clock).first->second;
    std::vector<Moment> ready;
    for (const Block& block : message.blocks) {
        Moment at = adders_.serve(now, (block.values + params.adders - 1) / params.adders, params.latency);
        if (codes()) at = encoder.serve(at, encode_cycles(engine(), block), engine().encode_latency);
        ready.push_back(at);
    }
    return ready;
}

void Aggregator::process_block(StepId id, Inbound& inbound, const Block& block, const Moment& now) {
    Moment done = now;
    if (codes() && plan().adds(id)) {
        PipelinedUnit& decoder = decoders_.try_emplace(step_of(id).from, engine().clock).first->second;
        done = decoder.serve(now, decode_cycles(engine(), block), decode_latency(engine(), block));
    }
    inbound.done = later(inbound.done, done);
}

void Aggregator::has_left(StepId id, const Moment& now) {
    const Step& step = step_of(id);
    if (step.op != Op::copy) return;
    Leaving& sum = leaving_.try_emplace(step.chunk, Leaving{children_.size(), now}).first->second;
    sum.last = later(sum.last, now);   // networks tell of it when they know it, in any order
    if (--sum.copies > 0) return;
    const Moment left = sum.last;
    leaving_.erase(step.chunk);
    for (const Child& child : children_) {
        const Moment told = left.after(child.back, &CriticalPath::latency_ps);
        timeline().at(told.at, Stage::slot, child.rank.value, [this, child, told] { on_freed_(child.rank, told); });
    }
}

}   // namespace oscar

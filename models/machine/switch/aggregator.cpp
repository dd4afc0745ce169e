#include "models/machine/switch/aggregator.hpp"

#include <utility>

namespace oscar {

Aggregator::Aggregator(std::vector<Child> children, const EngineParams& engine, const AggregatorParams& params,
                       Scheduler& scheduler, Freed on_freed)
    : children_(std::move(children)),
      engine_(engine),
      params_(params),
      scheduler_(scheduler),
      on_freed_(std::move(on_freed)),
      adders_(params.clock, false, params.adders) {}

void Aggregator::begin(RunningJob& job) {
    adders_.clear(job.job.spans_noted);
    state_ = {&job};
}

bool Aggregator::codes(StepId id) const {
    const MessageSource& source = state_.job->job.source;
    return source.uses_engine() && !source.adds_coded() && state_.job->places.tier(id) == Tier::between;
}

TimedEngine& Aggregator::engine_at(std::map<Rank, std::unique_ptr<TimedEngine>>& ports, Rank neighbour) const {
    std::unique_ptr<TimedEngine>& engine = ports[neighbour];
    if (!engine) engine = make_engine(engine_);
    return *engine;
}

void Aggregator::encode_blocks(StepId id, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) {
    TimedEngine& encoder = engine_at(state_.encoders, state_.job->step(id).to);
    adders_.begin_piece();   // a chunk
    for (const Block& block : message.bytes->blocks) {
        TimedEvent at = adders_.serve(now, block.values, params_.latency);
        if (codes(id)) at = encoder.encode(at, block);
        ready.push_back({at});
    }
}

void Aggregator::decode_blocks(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    if (!codes(id) || !state_.job->job.plan.adds(id)) {
        inbound.done = later(inbound.done, ready.back());
        return;
    }
    TimedEngine& decoder = engine_at(state_.decoders, state_.job->step(id).from);
    for (std::uint32_t i = 0; i < ready.count; ++i)
        inbound.done = later(inbound.done, decoder.decode(ready[i], batch.blocks, *batch.block).done(batch.blocks - 1));
}

void Aggregator::departed(StepId id, const TimedEvent& now) {
    const Step& step = state_.job->step(id);
    if (step.op != Op::copy || state_.job->schedule().island_switches) return;
    Leaving& sum = state_.leaving.try_emplace(step.chunk, Leaving{children_.size(), now}).first->second;
    sum.last = later(sum.last, now);   // networks tell of it when they know it, in any order
    if (--sum.copies > 0) return;
    const TimedEvent left = sum.last;
    state_.leaving.erase(step.chunk);
    for (const Child& child : children_) {
        const TimedEvent told = left.after(child.back, &CriticalPath::latency_ps);
        scheduler_.at(told.at, Stage::slot, child.rank.value, [this, child, told] { on_freed_(child.rank, told); });
    }
}

std::unique_ptr<Nic> make_aggregator(Rank number, std::vector<Aggregator::Child> children, const EngineParams& engine,
                                     const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
                                     Nic::Ready on_ready, Aggregator::Freed on_freed) {
    auto units = std::make_unique<Aggregator>(std::move(children), engine, network.switches.aggregator, scheduler,
                                              std::move(on_freed));
    return std::make_unique<Nic>(number, Nic::Latency{network.switches.latency, 0_ps}, network, scheduler, flows,
                                 std::move(on_ready), std::move(units));
}

}   // namespace oscar

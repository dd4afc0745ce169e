#include "models/machine/job_in_flight.hpp"

#include <algorithm>
#include <utility>

#include "models/network/event/idle.hpp"

namespace oscar {

JobInFlight::JobInFlight(const SharedMachine& machine, Event on_ready, Event on_over)
    : machine_(machine),
      on_ready_(std::move(on_ready)),
      dispatch_(machine.network, machine.flows, machine.timeline, nics_),
      handover_(
          machine.timeline, machine.nodes,
          [this](StepId step, const TimedEvent& now) { nics_[running_->step(step).from.value]->issue(step, now); }),
      steps_(machine.timeline, {[this](StepId step, const TimedEvent& now) { handover_.issue(step, now); },
                                [this](Rank rank, const TimedEvent& now) { nics_[rank.value]->start(now); },
                                [this, over = std::move(on_over)] { over(*this); }}) {
    for (std::uint32_t r = 0; r < machine.topology.ranks; ++r) {
        NodeParts parts = machine.node_modules[machine.topology.nic_of(Rank{r})].parts();
        parts.island_port = machine.node_modules[Rank{r}].parts().island_port;   // of the GPU, whoever shares its NIC
        nics_.push_back(std::make_unique<Nic>(Rank{r}, machine.nodes[r], parts, machine.network, machine.timeline,
                                              machine.flows, [this](StepId step) { ready(step); }));
        nics_.back()->staging().on_room([this](EdgeId edge) { machine_.held.leave(edge); });
    }
}

void JobInFlight::add_aggregators(const AggregationTree& tree) {
    const std::uint32_t ranks = machine_.topology.ranks;
    if (nics_.size() > ranks) return;
    std::vector<std::vector<Aggregator::Child>> children(tree.switches.size());
    for (std::uint32_t p = 0; p < tree.parents.size(); ++p)
        if (const Rank parent = tree.parents[p]; parent != Rank{p})
            children[parent.value - ranks].push_back(
                {Rank{p}, idle_latency(tree.down[p], machine_.topology, machine_.network, 0_B)});
    for (std::uint32_t a = 0; a < children.size(); ++a)
        nics_.push_back(make_aggregator(
            Rank{ranks + a}, children[a], machine_.nodes.front().engine, machine_.network, machine_.timeline,
            machine_.flows, [this](StepId step) { ready(step); },
            [this](Rank child, const TimedEvent& now) { nics_[child.value]->transmit().slot_free(now); }));
}

/// Packets of several jobs come to a NIC in turn, as those of several ranks that share it.
NodeTraits JobInFlight::traits(bool alone) const {
    const NodeParams& node = machine_.nodes.front();
    return {node.gpu.island_port ? machine_.topology.island : 1, node.gpu.staging == Staging::gpu,
            machine_.topology.gpus_per_nic > 1 || machine_.node_modules.share_uplinks() || !alone};
}

void JobInFlight::begin(const Job& job, const Place& place, Outcome& outcome) {
    const Schedule& schedule = job.plan.schedule;
    outcome.steps.resize(schedule.steps.size());
    outcome.records.resize(schedule.steps.size());
    outcome.wire_bytes.resize(schedule.steps.size());
    outcome.ranks.resize(schedule.participants());
    running_.emplace(job, place.origin, machine_.network.packet, outcome, traits(place.alone), place.base);
    for (auto& nic : nics_) nic->begin(*running_);
    dispatch_.begin(*running_);
    handover_.begin(*running_);
    steps_.begin(job, place.origin, outcome, place.base);
}

void JobInFlight::ready(StepId step) {
    steps_.ready(step);
    on_ready_(*this);
}

Time JobInFlight::last_moment() const {
    Time last;
    for (const RankUse& rank : outcome().ranks) last = std::max(last, rank.finish);
    for (const StepTimes& step : outcome().steps) last = std::max(last, step.ready);
    return last;
}

void JobInFlight::find_end() {
    Outcome& outcome = running_->outcome;
    const auto end_with = [&](Time at, const CriticalPath& path, StepId step) {
        if (at <= outcome.finish) return;
        outcome.finish = at;
        outcome.path = steps_.with_imbalance(path, step);
    };
    const auto last = [](const RankUse& rank) { return std::pair(rank.finish, rank.last); };
    const auto rank = std::ranges::max_element(outcome.ranks, {}, last);
    if (rank != outcome.ranks.end()) end_with(rank->finish, rank->path, rank->last);
    for (std::uint32_t i = 0; i < outcome.steps.size(); ++i)
        end_with(outcome.steps[i].ready, outcome.steps[i].path, StepId{i});
    if (const TimedEvent& computed = steps_.computed(); computed.at - running_->origin > outcome.finish) {
        outcome.finish = computed.at - running_->origin;
        outcome.path = computed.path;
    }
}

void JobInFlight::end() {
    steps_.end();
    running_.reset();
}

}   // namespace oscar

#include "models/hw/system.hpp"

#include <algorithm>
#include <set>

namespace oscar {

System::System(const sc_core::sc_module_name& name, const Topology& topology, const NodeParams& node,
               const NetworkParams& network)
    : sc_module(name), topology_(topology), agenda_("executor") {
    for (std::uint32_t r = 0; r < topology_.ranks; ++r)
        nics_.push_back(std::make_unique<Nic>(topology_.node_name(r).c_str(), Rank{r}, node, network, topology_,
                                              [this](StepId step) { step_ready(step); }));
    for (std::uint32_t s = 0; s < topology_.switches; ++s)
        switches_.push_back(std::make_unique<Switch>(topology_.node_name(topology_.ranks + s).c_str(), network.router,
                                                     topology_.ranks + s, topology_));
    for (std::uint32_t e = 0; e < topology_.edges.size(); ++e) {
        const std::uint32_t to = topology_.edges[e].to;
        PacketSink& sink =
            topology_.is_switch(to) ? static_cast<PacketSink&>(*switches_[to - topology_.ranks]) : *nics_[to];
        links_.push_back(std::make_unique<Link>(("link" + std::to_string(e)).c_str(), topology_.edge_name(e),
                                                network.link, network.flit, sink));
        if (topology_.is_switch(to)) switches_[to - topology_.ranks]->add_input(e, *links_.back());
    }
    for (std::uint32_t e = 0; e < topology_.edges.size(); ++e) {
        const std::uint32_t from = topology_.edges[e].from;
        if (topology_.is_switch(from)) switches_[from - topology_.ranks]->add_output(e, *links_[e]);
        else nics_[from]->add_output(e, *links_[e]);
    }
}

System::~System() = default;

Outcome System::run(const Job& job) {
    const Schedule& schedule = job.plan.schedule;
    Outcome outcome;
    outcome.steps.resize(schedule.steps.size());
    outcome.sent.resize(schedule.steps.size());
    outcome.wire_bytes.resize(schedule.steps.size());
    outcome.ranks.resize(schedule.ranks);
    job_ = &job;
    outcome_ = &outcome;
    origin_ = next_origin();
    RunningJob running(job, origin_, outcome);
    for (auto& nic : nics_) nic->begin(running);
    for (auto& link : links_) link->clear_use();
    start(job);
    Agenda::run_all();
    if (unfinished_ > 0) report_deadlock();
    held_ = {running.outbound.size() + running.inbound.size(), running.outbound.peak() + running.inbound.peak()};
    collect(outcome);
    return outcome;
}

/// A whole millisecond at which all credits are back: there every clock of a whole number of kHz has an edge, so that a
/// job's times do not depend on what ran before it.
Time System::next_origin() const {
    Time earliest = now();
    for (const auto& link : links_) earliest = std::max(earliest, link->settled_at());
    constexpr std::int64_t millisecond = 1'000'000'000;
    return {(earliest.ps + millisecond - 1) / millisecond * millisecond};
}

/// Counts what each step waits for and issues those that wait for nothing, each rank from its own start on.
void System::start(const Job& job) {
    const Schedule& schedule = job.plan.schedule;
    unfinished_ = schedule.steps.size();
    followers_ = followers(schedule);
    rounds_ = steps_by_timestep(schedule);
    sends_ = steps_by_sender(schedule);
    waits_for_.clear();
    for (const Step& step : schedule.steps)   // and for its sender to start
        waits_for_.push_back(static_cast<std::uint32_t>(step.after.size()) + 1);
    timestep_ = 0;
    round_path_ = {};
    open_steps_.clear();
    for (std::size_t t = 0; t < rounds_.size(); ++t)
        open_steps_.push_back(static_cast<std::uint32_t>(rounds_[t].size()));
    outcome_->first_start = job.start.empty() ? Time{} : *std::ranges::min_element(job.start);
    for (std::uint32_t r = 0; r < schedule.ranks; ++r) {
        const Moment first{origin_ + outcome_->first_start};
        const Moment now = job.start.empty() ? first : first.until(origin_ + job.start[r], &CriticalPath::wait_ps);
        agenda_.at(now.at, [this, r, now] {
            for (const StepId step : sends_[r]) {
                --waits_for_[step.value];
                issue_if_free(step, now);
            }
            nics_[r]->start(now);
        });
    }
}

void System::issue_if_free(StepId id, const Moment& now) {
    const Step& step = job_->plan.schedule.steps[id.value];
    const bool round_open = job_->issue == Issue::dependency || step.timestep.value <= timestep_;
    if (waits_for_[id.value] == 0 && round_open) nics_[step.from.value]->issue(id, now);
}

void System::step_ready(StepId id) {
    --unfinished_;
    const StepTimes& times = outcome_->steps[id.value];
    const Moment now{origin_ + times.ready, times.path};
    for (const StepId follower : followers_[id.value]) {
        --waits_for_[follower.value];
        issue_if_free(follower, now);
    }
    const std::uint32_t timestep = job_->plan.schedule.steps[id.value].timestep.value;
    if (--open_steps_[timestep] == 0 && job_->issue == Issue::lock_step && timestep == timestep_)
        open_timestep(timestep + 1, {now.at, levelled_in_round(now.path, id)});
}

/// Lock-step: the next round with steps begins; what of it waits for nothing is issued.
void System::open_timestep(std::uint32_t timestep, const Moment& now) {
    while (timestep < rounds_.size() && rounds_[timestep].empty()) ++timestep;
    if (timestep == rounds_.size()) return;
    timestep_ = timestep;
    round_path_ = now.path;
    for (const StepId step : rounds_[timestep]) issue_if_free(step, now);
}

/// What the sender of `id` sends in its round against the mean of those who send.
Evenness System::evenness(StepId id) const {
    const Step& step = job_->plan.schedule.steps[id.value];
    double own_bytes = 0, own_values = 0, bytes = 0, values = 0;
    std::set<Rank> senders;
    for (const StepId other : rounds_[step.timestep.value]) {
        const double b = static_cast<double>(outcome_->wire_bytes[other.value]);
        const double v = static_cast<double>(outcome_->sent[other.value].values);
        const Rank from = job_->plan.schedule.steps[other.value].from;
        senders.insert(from);
        bytes += b;
        values += v;
        if (from == step.from) own_bytes += b, own_values += v;
    }
    const auto of = [&](double all, double own) {
        return own > 0 ? all / static_cast<double>(senders.size()) / own : 1;
    };
    return {of(bytes, own_bytes), of(values, own_values)};
}

/// Lock-step: everyone waits for the largest message of the running round.
CriticalPath System::levelled_in_round(const CriticalPath& path, StepId id) const {
    if (job_->issue != Issue::lock_step || job_->plan.schedule.steps[id.value].timestep.value != timestep_) return path;
    return levelled(round_path_, path, evenness(id));
}

void System::report_deadlock() const {
    std::string text = "deadlock: " + std::to_string(unfinished_) + " of " + std::to_string(waits_for_.size()) +
                       " steps cannot finish and no event is left";
    const auto add = [&](const auto& devices) {
        for (const auto& device : devices)
            for (const auto& output : device->outputs())
                if (const auto reason = output->blocked()) text += "\n  " + *reason;
    };
    add(nics_);
    add(switches_);
    throw Deadlock(text + "\n  raise network.link.buffer to hold at least network.packet + network.header");
}

void System::collect(Outcome& outcome) {
    const auto relative = [&](std::vector<Span> spans) {
        for (Span& span : spans) span = {span.begin - origin_, span.end - origin_};
        return spans;
    };
    for (std::size_t r = 0; r < nics_.size(); ++r) {
        RankUse& rank = outcome.ranks[r];
        rank.encoder = relative(nics_[r]->encoder().busy());
        rank.decoder = relative(nics_[r]->decoder().busy());
    }
    find_end(outcome);
    for (const auto& link : links_) {
        outcome.links.push_back(link->use());
        outcome.links.back().busy = relative(link->use().busy);
        flit_hops_ += link->use().flits;
        packet_hops_ += link->use().packets;
    }
}

/// The end is the last result in GPU memory, or the last step's, whichever is later.
void System::find_end(Outcome& outcome) const {
    const auto end_with = [&](Time at, const CriticalPath& path, StepId step) {
        if (at <= outcome.finish) return;
        outcome.finish = at;
        outcome.path = levelled_in_round(path, step);
    };
    for (const RankUse& rank : outcome.ranks) end_with(rank.finish, rank.path, rank.last);
    for (std::uint32_t i = 0; i < outcome.steps.size(); ++i)
        end_with(outcome.steps[i].ready, outcome.steps[i].path, StepId{i});
}

SimulationCost System::cost() const {
    SimulationCost cost{packet_hops_ + agenda_.calls(), flit_hops_};
    const auto add_decisions = [&](const auto& devices) {
        for (const auto& device : devices)
            for (const auto& output : device->outputs()) cost.events += output->decisions();
    };
    add_decisions(nics_);
    add_decisions(switches_);
    for (const auto& nic : nics_) cost.events += nic->events();
    return cost;
}

}   // namespace oscar

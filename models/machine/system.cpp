#include "models/machine/system.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "models/network/core/idle.hpp"

namespace oscar {
namespace {

/// The fidelity for packets whose ways are not known when their message is sent.
TimingFidelity unforeseen(TimingFidelity fidelity) {
    return fidelity == TimingFidelity::message ? TimingFidelity::packet : fidelity;
}

std::vector<Time> nic_latencies(const Nodes& nodes) {
    std::vector<Time> latencies;
    for (const NodeParams& node : nodes) latencies.push_back(node.nic.latency);
    return latencies;
}

/// Spans in order, joined where they touch.
std::vector<Span> in_order(std::vector<Span> spans) {
    std::ranges::sort(spans, {}, &Span::begin);
    std::vector<Span> joined;
    for (const Span span : spans) append(joined, span);
    return joined;
}

}   // namespace

System::System(const sc_core::sc_module_name& name, const Topology& topology, const Nodes& nodes,
               const NetworkParams& network, TimingFidelity fidelity)
    : sc_module(name),
      topology_(topology),
      routes_(topology_, network.routing, network.virtual_channels),
      node_(nodes.front()),
      network_(network),
      largest_packet_(network.packet + network.header),
      timeline_("timeline", make_network(
                                routes_.sprays() ? unforeseen(fidelity) : fidelity,
                                fabric_of(topology, network, nic_latencies(nodes)), network, *this,
                                [this](std::span<const Hop> path) { return flows_.reverse_path(path); },
                                [this](std::uint64_t tag, std::uint32_t sequence) {
                                    return dispatch_.passes(PacketName::of(tag, sequence));
                                })),
      flows_(routes_, timeline_.fabric()),
      dispatch_(network_, flows_, timeline_, nics_) {
    if (network.background && network.background->load > 0)
        background_.emplace(*network.background, network, routes_, timeline_.fabric());
    for (std::uint32_t r = 0; r < topology_.ranks; ++r)
        nics_.push_back(std::make_unique<Nic>(Rank{r}, nodes[r], network, timeline_, flows_,
                                              [this](StepId step) { step_ready(step); }));
}

System::~System() = default;

Outcome System::run(const Job& job) {
    const Schedule& schedule = job.plan.schedule;
    Outcome outcome;
    outcome.steps.resize(schedule.steps.size());
    outcome.sent.resize(schedule.steps.size());
    outcome.wire_bytes.resize(schedule.steps.size());
    outcome.ranks.resize(schedule.participants());
    if (schedule.aggregators > 0) make_aggregators(schedule);
    job_ = &job;
    outcome_ = &outcome;
    origin_ = next_origin();
    RunningJob running(job, origin_, network_.packet, outcome);
    for (auto& nic : nics_) nic->begin(running);
    dispatch_.begin(running);
    timeline_.fabric().clear_use();
    timeline_.fabric().restart(job.draw);
    declare_flows(job);
    start(job);
    begin_background();
    timeline_.run_all();
    if (unfinished_ > 0) report_deadlock();
    if (background_) outcome.background = background_->use();
    outcome.faults = dispatch_.fault_use();
    held_ = {running.messages.size() + running.inbound.size(), running.messages.peak() + running.inbound.peak()};
    collect(outcome);
    return outcome;
}

/// From the first rank's start on; a job without steps has ended before.
void System::begin_background() {
    if (!background_) return;
    const Time start = origin_ + outcome_->first_start;
    background_->begin(start, job_->draw);
    if (unfinished_ == 0) background_->end_at(start);
}

void System::moved(Time at) {
    if (background_) background_->job_moved(at);
}

/// The switches of the tree that the schedule was made for.
void System::make_aggregators(const Schedule& schedule) {
    if (!tree_) {
        tree_ = aggregation_tree(topology_);
        flows_.set_aggregation_tree(*tree_);
        std::vector<std::vector<Aggregator::Child>> children(tree_->switches.size());
        for (std::uint32_t p = 0; p < tree_->parents.size(); ++p)
            if (const Rank parent = tree_->parents[p]; parent != Rank{p})
                children[parent.value - topology_.ranks].push_back(
                    {Rank{p}, idle_latency(tree_->down[p], topology_, network_, 0_B)});
        for (std::uint32_t a = 0; a < children.size(); ++a)
            nics_.push_back(make_aggregator(
                Rank{topology_.ranks + a}, children[a], node_.engine, network_, timeline_, flows_,
                [this](StepId step) { step_ready(step); },
                [this](Rank child, const TimedEvent& now) { nics_[child.value]->transmit().slot_free(now); }));
    }
    if (schedule.aggregators != tree_->switches.size())
        throw std::invalid_argument("the schedule has " + std::to_string(schedule.aggregators) +
                                    " aggregators, and the topology " + std::to_string(tree_->switches.size()) +
                                    "; make it with schedule_on()");
}

std::string System::name_of(Rank participant) const {
    const bool rank = participant.value < topology_.ranks;
    return topology_.node_name(rank ? participant.value : tree_->switches[participant.value - topology_.ranks]);
}

/// A whole millisecond at which all credits are back: there every clock of a whole number of kHz has an edge, so that a
/// job's times do not depend on what ran before it.
Time System::next_origin() const {
    constexpr std::int64_t millisecond = 1'000'000'000;
    return {(timeline_.rest().ps + millisecond - 1) / millisecond * millisecond};
}

/// Refusals go back from each receiver.
void System::declare_flows(const Job& job) {
    if (flows_.spray()) return;
    std::vector<std::tuple<Rank, Rank, std::uint32_t>> connections;
    for (const Step& step : job.plan.schedule.steps) {
        const std::uint32_t channel = job.plan.schedule.channel_of(step.chunk);
        connections.push_back({step.from, step.to, channel});
        if (job.participants.may_refuse()) connections.push_back({step.to, step.from, channel});
    }
    std::ranges::sort(connections);
    connections.erase(std::unique(connections.begin(), connections.end()), connections.end());
    std::vector<FlowId> flows;
    for (const auto& [from, to, channel] : connections) flows.push_back(flows_.of(from, to, channel).id);
    if (background_) {
        const std::vector<FlowId> others = background_->flows();
        flows.insert(flows.end(), others.begin(), others.end());
    }
    timeline_.fabric().declare(flows, largest_packet_);
}

/// Who sends background traffic waits for nothing.
void System::departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) {
    if (Background::owns(tag)) return;
    moved(end);
    dispatch_.departed(PacketName::of(tag, sequence), begin, end);
}

void System::departed_in_turn(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time begin, Time each) {
    if (Background::owns(tag)) return;
    moved(begin + count * each);
    dispatch_.departed_in_turn(PacketName::of(tag, first), count, begin, each);
}

void System::will_arrive(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time at) {
    if (!Background::owns(tag)) dispatch_.will_arrive(PacketName::of(tag, first), count, at);
}

void System::arrived(std::uint64_t tag, std::uint32_t sequence) {
    if (Background::owns(tag)) return background_->arrived(tag, sequence);
    moved(timeline_.now());
    dispatch_.arrived(PacketName::of(tag, sequence));
}

void System::called(std::uint32_t call, std::uint32_t of_background) {
    if (of_background != 0) return background_->called(call, timeline_.expects());
    moved(timeline_.now());
    timeline_.call(call);
}

/// Counts what each step waits for and issues those that wait for nothing, each rank from its own start on.
void System::start(const Job& job) {
    const Schedule& schedule = job.plan.schedule;
    unfinished_ = schedule.steps.size();
    joins_ = joins_of_steps(schedule);
    followers_ = followers(schedule);
    rounds_ = steps_by_timestep(schedule);
    sends_ = steps_by_sender(schedule);
    open_in_join_.clear();
    for (JoinId join; join.value < schedule.joins.size(); ++join.value)
        open_in_join_.push_back(static_cast<std::uint32_t>(schedule.joins[join].size()));
    waits_for_.clear();
    for (const Step& step : schedule.steps)   // for its sender to start, and for its join
        waits_for_.push_back(step.after == JoinId{} ? 1 : 2);
    timestep_ = 0;
    round_path_ = {};
    open_steps_.clear();
    for (std::size_t t = 0; t < rounds_.size(); ++t)
        open_steps_.push_back(static_cast<std::uint32_t>(rounds_[t].size()));
    outcome_->first_start = job.start.empty() ? Time{} : *std::ranges::min_element(job.start);
    for (std::uint32_t i = 0; i < job.release.size(); ++i) hold_back(StepId{i}, job.release[i]);
    for (std::uint32_t r = 0; r < schedule.participants(); ++r) {
        const TimedEvent first{origin_ + outcome_->first_start};
        const bool at_once = job.start.empty() || r >= schedule.ranks;
        const TimedEvent now = at_once ? first : first.until(origin_ + job.start[r], &CriticalPath::wait_ps);
        timeline_.at(now.at, Stage::start, r, [this, r, now] {
            for (const StepId step : sends_[r]) {
                --waits_for_[step.value];
                issue_if_free(step, now);
            }
            nics_[r]->start(now);
        });
    }
}

/// Behind the starts of ranks at the same instant.
void System::hold_back(StepId id, Time release) {
    ++waits_for_[id.value];
    const TimedEvent first{origin_ + outcome_->first_start};
    const TimedEvent now = first.until(std::max(first.at, origin_ + release), &CriticalPath::wait_ps);
    timeline_.at(now.at, Stage::start, static_cast<std::uint32_t>(nics_.size()) + id.value, [this, id, now] {
        --waits_for_[id.value];
        issue_if_free(id, now);
    });
}

void System::issue_if_free(StepId id, const TimedEvent& now) {
    const Step& step = job_->plan.schedule.steps[id.value];
    const bool round_open = job_->issue == Issue::dependency || step.timestep.value <= timestep_;
    if (waits_for_[id.value] == 0 && round_open) nics_[step.from.value]->issue(id, now);
}

void System::step_ready(StepId id) {
    if (--unfinished_ == 0 && background_) background_->end_at(origin_ + last_moment());
    const StepTimes& times = outcome_->steps[id.value];
    const TimedEvent now{origin_ + times.ready, times.path};
    for (const JoinId join : joins_[id.value]) {
        if (--open_in_join_[join.value] > 0) continue;
        for (const StepId follower : followers_[join.value]) {
            --waits_for_[follower.value];
            issue_if_free(follower, now);
        }
    }
    const std::uint32_t timestep = job_->plan.schedule.steps[id.value].timestep.value;
    if (--open_steps_[timestep] == 0 && job_->issue == Issue::lock_step && timestep == timestep_)
        open_timestep(timestep + 1, {now.at, with_imbalance_of_round(now.path, id)});
}

/// Lock-step: the next round with steps begins; what of it waits for nothing is issued.
void System::open_timestep(std::uint32_t timestep, const TimedEvent& now) {
    while (timestep < rounds_.size() && rounds_[timestep].empty()) ++timestep;
    if (timestep == rounds_.size()) return;
    timestep_ = timestep;
    round_path_ = now.path;
    for (const StepId step : rounds_[timestep]) issue_if_free(step, now);
}

/// What the sender of `id` sends in its round against the mean of those who send.
LoadShare System::load_share(StepId id) const {
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
CriticalPath System::with_imbalance_of_round(const CriticalPath& path, StepId id) const {
    if (job_->issue != Issue::lock_step || job_->plan.schedule.steps[id.value].timestep.value != timestep_) return path;
    return attribute_imbalance(round_path_, path, load_share(id));
}

void System::report_deadlock() const {
    std::string text = "deadlock: " + std::to_string(unfinished_) + " of " + std::to_string(waits_for_.size()) +
                       " steps cannot finish and no event is left";
    const std::string losses = timeline_.fabric().losses();
    if (!losses.empty()) text += "; packets were lost:" + losses;
    const auto deadlock_report = timeline_.fabric().deadlock_report();
    if (!deadlock_report && !losses.empty()) text += "\n  write network.reliability: {kind: go_back_n} or selective";
    if (!deadlock_report) throw Deadlock(text);
    for (const CreditWait& wait : deadlock_report->chain) text += "\n  " + describe(wait);
    if (deadlock_report->closes_at)
        throw Deadlock(
            text + "\n  which waits for " +
            topology_.edge_name(deadlock_report->chain[*deadlock_report->closes_at].hop.edge) +
            " again: a cycle of waits; more buffer only delays it, routes or virtual channels must break it");
    throw Deadlock(text +
                   "\n  raise network.link.buffer to hold network.packet + network.header in each virtual channel");
}

std::string System::describe_message(std::uint64_t tag) const {
    const auto named = [&](Rank from, Rank to) { return name_of(from) + "->" + name_of(to); };
    if (Background::owns(tag)) {
        const auto [from, to] = background_->way_of(tag);
        return named(from, to) + " (background";
    }
    const PacketName packet = PacketName::of(tag, 0);
    const Step& step = job_->plan.schedule.steps[packet.step.value];
    const bool back = packet.kind == PacketKind::refusal;
    return named(back ? step.to : step.from, back ? step.from : step.to) + " (step " +
           std::to_string(packet.step.value);
}

std::string System::describe(const CreditWait& wait) const {
    const Bytes buffer = timeline_.fabric().link(wait.hop.edge).link.buffer;
    return std::string(wait.answer ? "an answer to " : "") + "flow " + describe_message(wait.tag) + ", packet " +
           std::to_string(wait.sequence) + (wait.paused ? ") is paused on link " : ") waits on link ") +
           topology_.edge_name(wait.hop.edge) + " for " + std::to_string(wait.needs.count) +
           (wait.paused ? " B: " : " B of credit: ") + std::to_string(wait.free.count) + " B free, " +
           std::to_string((buffer - wait.free).count) + " B held by the receiver, of " + std::to_string(buffer.count) +
           " B";
}

void System::collect(Outcome& outcome) {
    const auto relative = [&](std::vector<Span> spans) {
        for (Span& span : spans) span = {span.begin - origin_, span.end - origin_};
        return spans;
    };
    for (std::size_t r = 0; r < outcome.ranks.size(); ++r) {
        RankUse& rank = outcome.ranks[r];
        rank.wire = relative(nics_[r]->wire().all());
        if (!std::ranges::is_sorted(rank.wire, {}, &Span::begin)) rank.wire = in_order(std::move(rank.wire));
        rank.encoder = relative(nics_[r]->units().encoder_busy());
        rank.decoder = relative(nics_[r]->units().decoder_busy());
    }
    find_end(outcome);
    outcome.transport = timeline_.fabric().transport_use();
    for (std::uint32_t e = 0; e < topology_.edges.size(); ++e) {
        LinkUse& use = outcome.links.emplace_back(timeline_.fabric().use(e));
        use.name = topology_.edge_name(e);
        use.busy = relative(std::move(use.busy));
        flit_hops_ += use.flits;
    }
}

/// Of a result that came to GPU memory, or of a step.
Time System::last_moment() const {
    Time last;
    for (const RankUse& rank : outcome_->ranks) last = std::max(last, rank.finish);
    for (const StepTimes& step : outcome_->steps) last = std::max(last, step.ready);
    return last;
}

/// The end is the last result in GPU memory, or the last step's, whichever is later. Of results of one instant it is
/// that of the step that is last in the schedule: the numbers of ranks decide nothing.
void System::find_end(Outcome& outcome) const {
    const auto end_with = [&](Time at, const CriticalPath& path, StepId step) {
        if (at <= outcome.finish) return;
        outcome.finish = at;
        outcome.path = with_imbalance_of_round(path, step);
    };
    const auto last = [](const RankUse& rank) { return std::pair(rank.finish, rank.last); };
    const auto rank = std::ranges::max_element(outcome.ranks, {}, last);
    if (rank != outcome.ranks.end()) end_with(rank->finish, rank->path, rank->last);
    for (std::uint32_t i = 0; i < outcome.steps.size(); ++i)
        end_with(outcome.steps[i].ready, outcome.steps[i].path, StepId{i});
}

SimulationCost System::cost() const { return {timeline_.fabric().steps(), flit_hops_}; }

}   // namespace oscar

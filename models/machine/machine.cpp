#include "models/machine/machine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/collective/schedule/connections.hpp"
#include "models/core/merged_spans.hpp"
#include "models/machine/deadlock_text.hpp"
#include "models/machine/make_machine_network.hpp"
#include "models/network/event/idle.hpp"

namespace oscar {
namespace {

/// The fidelity for packets whose paths are not known when their message is sent.
TimingFidelity unforeseen(TimingFidelity fidelity) {
    return fidelity == TimingFidelity::message ? TimingFidelity::packet : fidelity;
}

/// Blocks are moved one by one where something happens in each cycle, or where a user's own memory answers.
DmaModule::Grain dma_grain(TimingFidelity fidelity, const MachineParts& parts) {
    const bool transactions = fidelity == TimingFidelity::flit || parts.make_gpu_memory;
    return transactions ? DmaModule::Grain::transactions : DmaModule::Grain::event_core;
}

}   // namespace

Machine::Machine(const sc_core::sc_module_name& name, const Topology& topology, const Nodes& nodes,
                 const NetworkParams& network, TimingFidelity fidelity, const MachineParts& parts)
    : sc_module(name),
      topology_(topology),
      routes_(topology_, network.routing, network.virtual_channels),
      nodes_(nodes),
      network_(network),
      parts_(parts),
      node_modules_(nodes_, parts_, dma_grain(fidelity, parts)),
      timeline_("timeline", make_machine_network(
                                routes_.sprays() ? unforeseen(fidelity) : fidelity, topology, network, nodes, parts,
                                [this](Rank rank, const MakePort& make_port) {
                                    node_modules_.make_next(topology_.node_name(node_of(rank)), make_port);
                                },
                                *this, [this](std::span<const Hop> path) { return flows_.reverse_path(path); },
                                [this](std::uint64_t tag, std::uint32_t sequence) {
                                    JobInFlight& flight = flight_of(tag);
                                    return flight.dispatch().passes(flight.name_of(tag, sequence));
                                })),
      flows_(routes_, timeline_.fabric()),
      held_(timeline_.fabric()) {
    if (network.background && network.background->load > 0)
        background_.emplace(*network.background, network, routes_, timeline_.fabric());
    for (std::uint32_t r = 0; r < topology_.ranks; ++r)
        if (r == node_modules_.size()) node_modules_.make_next(topology_.node_name(node_of(Rank{r})), {});
    idle_.push_back(make_flight());
    // Where engines answer later, the job ends when all have: a clock of such an engine's own never ends.
    std::vector<const ClockedEngine*> clocked;
    for (const auto& node : node_modules_)
        if (const auto* engine = dynamic_cast<const ClockedEngine*>(&node->engine())) clocked.push_back(engine);
    if (clocked.empty()) return;
    timeline_.end_when([this, clocked] {
        const auto idle = [](const ClockedEngine* engine) { return engine->unanswered() == 0; };
        return has_ended() && std::ranges::all_of(clocked, idle);
    });
}

Machine::~Machine() = default;

std::unique_ptr<JobInFlight> Machine::make_flight() {
    return std::make_unique<JobInFlight>(
        SharedMachine{topology_, nodes_, network_, timeline_, flows_, node_modules_, held_},
        [this](JobInFlight&) { step_ready(); }, [this](JobInFlight& flight) { over(flight); });
}

std::size_t Machine::add(const Job& job, Done done) {
    std::uint64_t base = 0;
    if (!jobs_.empty()) {
        const Job& before = *jobs_.back()->job;
        base = std::uint64_t{jobs_.back()->base} + before.plan.schedule.participants() +
               before.plan.schedule.steps.size() + before.computations.all.size();
    }
    if (base + job.plan.schedule.steps.size() >= std::uint64_t{1} << 32)
        throw std::invalid_argument("the jobs of a run have more than 2^32 steps");
    jobs_.push_back(std::make_unique<AddedJob>(AddedJob{&job, std::move(done), static_cast<std::uint32_t>(base)}));
    return jobs_.size() - 1;
}

void Machine::start(std::size_t job, Time when) {
    AddedJob& added = *jobs_[job];
    if (added.start) throw std::logic_error("job " + std::to_string(job) + " of a run was started before");
    added.start = when;
    if (!runs_) return;
    added.start = std::max(when, timeline_.now() - origin_);
    timeline_.at(origin_ + *added.start, Stage::start, added.base, [this, &added] { begin(added); });
}

void Machine::begin(AddedJob& added) {
    added.flight->begin(*added.job, {origin_ + *added.start, added.base, jobs_.size() == 1}, added.outcome);
}

/// All that jobs share is as at the start, and made for all of them.
void Machine::prepare() {
    bool noted = false;
    for (const auto& added : jobs_) {
        const Schedule& schedule = added->job->plan.schedule;
        if (schedule.aggregators > 0 && jobs_.size() > 1)
            throw std::invalid_argument("a collective in which switches add runs alone");
        if (schedule.aggregators > 0) make_tree(schedule);
        noted |= added->job->spans_noted;
        if (idle_.empty()) idle_.push_back(make_flight());
        added->flight = std::move(idle_.back());
        idle_.pop_back();
        if (tree_) added->flight->add_aggregators(*tree_);
    }
    for (const auto& node : node_modules_) node->parts().begin(noted);
    timeline_.fabric().account().clear();
    timeline_.fabric().restart(jobs_.front()->job->seed);
    declare_flows();
}

std::vector<Outcome> Machine::run_all() {
    origin_ = next_origin();
    try {
        prepare();
    } catch (...) {
        jobs_.clear();
        throw;
    }
    runs_ = true;
    for (const auto& added : jobs_) {
        if (!added->start) continue;
        if (*added->start == Time{}) begin(*added);
        else timeline_.at(origin_ + *added->start, Stage::start, added->base, [this, &added] { begin(*added); });
    }
    begin_background();
    if (parts_.waveform != nullptr) parts_.waveform->begin();
    timeline_.run_all();
    runs_ = false;
    require_end();
    active_steps_ = {};
    std::vector<Outcome> outcomes;
    for (const auto& added : jobs_) {
        collect(*added->flight);
        outcomes.push_back(std::move(added->outcome));
        idle_.push_back(std::move(added->flight));
    }
    jobs_.clear();
    return outcomes;
}

/// Throws where a job has not come to its end.
void Machine::require_end() const {
    std::size_t unfinished = 0, steps = 0;
    for (const auto& added : jobs_) {
        if (!added->flight->has_begun()) {
            if (unfinished == 0) throw std::logic_error("a job of a run was never started");
            continue;   // what it waits for is stuck
        }
        unfinished += added->flight->steps().unfinished();
        steps += added->flight->steps().steps();
    }
    if (unfinished > 0)
        throw Deadlock(deadlock_text(timeline_.fabric(), topology_, unfinished, steps,
                                     [this](std::uint64_t tag) { return describe_message(tag); }));
}

bool Machine::has_ended() const {
    return std::ranges::all_of(jobs_, [](const auto& added) {
        return added->flight->has_begun() && added->flight->steps().unfinished() == 0;
    });
}

/// From the first rank's start on; jobs without steps have ended before.
void Machine::begin_background() {
    if (!background_) return;
    Time start = Fabric::never;
    for (const auto& added : jobs_)
        if (added->flight->has_begun()) start = std::min(start, origin_ + added->outcome.first_start);
    background_->begin(start, jobs_.front()->job->seed);
    if (has_ended()) background_->end_at(start);
}

JobInFlight& Machine::flight_of(std::uint64_t tag) const {
    if (jobs_.size() == 1) return *jobs_.front()->flight;
    const auto behind = std::ranges::upper_bound(jobs_, PacketName::step_number(tag), {},
                                                 [](const auto& added) { return added->base; });
    return *(*std::prev(behind))->flight;
}

void Machine::moved(Time at) {
    if (background_) background_->job_moved(at);
}

/// The switches of the tree that the schedule was made for.
void Machine::make_tree(const Schedule& schedule) {
    if (!tree_) {
        tree_ = schedule.island_switches ? island_trees(topology_) : aggregation_tree(topology_);
        flows_.set_aggregation_tree(*tree_);
    }
    if (schedule.aggregators != tree_->switches.size() || schedule.island_switches != tree_->of_islands)
        throw std::invalid_argument("the schedule has " + std::to_string(schedule.aggregators) +
                                    " aggregators, and the topology " + std::to_string(tree_->switches.size()) +
                                    "; make it with schedule_on()");
}

std::string Machine::name_of(Rank participant) const {
    const bool is_rank = participant.value < topology_.ranks;
    return topology_.node_name(is_rank ? node_of(participant) : tree_->switches[participant.value - topology_.ranks]);
}

/// A whole millisecond at which all credits are back: there every clock of a whole number of kHz has an edge, so that a
/// job's times do not depend on what ran before it.
Time Machine::next_origin() const {
    constexpr std::int64_t millisecond = 1'000'000'000;
    return {(timeline_.rest().ps + millisecond - 1) / millisecond * millisecond};
}

/// Of all jobs. Refusals go back from each receiver.
void Machine::declare_flows() {
    if (flows_.spray()) return;
    std::vector<Connection> connections;
    for (const auto& added : jobs_) {
        const std::vector<Connection> own = connections_of(added->job->plan.schedule);
        connections.insert(connections.end(), own.begin(), own.end());
        if (added->job->source.may_refuse())
            for (const auto& [from, to, channel] : own) connections.push_back({to, from, channel});
    }
    if (jobs_.size() > 1 || jobs_.front()->job->source.may_refuse()) {
        std::ranges::sort(connections);
        connections.erase(std::unique(connections.begin(), connections.end()), connections.end());
    }
    std::vector<FlowId> flows;
    flows.reserve(connections.size());
    for (const auto& [from, to, channel] : connections) flows.push_back(flows_.of(from, to, channel).id);
    if (background_) {
        const std::vector<FlowId> others = background_->flows();
        flows.insert(flows.end(), others.begin(), others.end());
    }
    timeline_.fabric().declare(flows, largest_packet(network_));
}

/// Who sends background traffic waits for nothing.
void Machine::departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) {
    if (Background::owns(tag)) return;
    moved(end);
    JobInFlight& flight = flight_of(tag);
    flight.dispatch().departed(flight.name_of(tag, sequence), begin, end);
}

void Machine::departed_back_to_back(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time begin,
                                    Time each) {
    if (Background::owns(tag)) return;
    moved(begin + count * each);
    JobInFlight& flight = flight_of(tag);
    flight.dispatch().departed_back_to_back(flight.name_of(tag, first), count, begin, each);
}

void Machine::will_arrive(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time at) {
    if (Background::owns(tag)) return;
    JobInFlight& flight = flight_of(tag);
    flight.dispatch().will_arrive(flight.name_of(tag, first), count, at);
}

void Machine::arrived(std::uint64_t tag, std::uint32_t sequence) {
    if (Background::owns(tag)) return background_->arrived(tag, sequence);
    moved(timeline_.now());
    JobInFlight& flight = flight_of(tag);
    held_.arrived(flight.dispatch(), flight.name_of(tag, sequence));
}

void Machine::called(std::uint32_t call, std::uint32_t of_background) {
    if (of_background != 0) return background_->called(call, timeline_.has_pending_actions());
    moved(timeline_.now());
    timeline_.call(call);
}

/// Background traffic ends with the last job.
void Machine::step_ready() {
    if (!background_ || !has_ended()) return;
    Time last;
    for (const auto& added : jobs_) last = std::max(last, added->flight->origin() + added->flight->last_moment());
    background_->end_at(last);
}

/// Who waits for a job is told when its last result is in GPU memory.
void Machine::over(JobInFlight& flight) {
    const auto added = std::ranges::find(jobs_, &flight, [](const auto& job) { return job->flight.get(); });
    if (!(*added)->done) return;
    AddedJob& job = **added;
    flight.find_end();
    const Time end = std::max(timeline_.now(), flight.origin() + job.outcome.finish);
    timeline_.at(end, Stage::slot, job.base, [&job] { job.done(job.outcome); });
}

std::string Machine::describe_message(std::uint64_t tag) const {
    const auto named = [&](Rank from, Rank to) { return name_of(from) + "->" + name_of(to); };
    if (Background::owns(tag)) {
        const auto [from, to] = background_->ends_of(tag);
        return named(from, to) + " (background";
    }
    const JobInFlight& flight = flight_of(tag);
    const PacketName packet = flight.name_of(tag, 0);
    const Step& step = flight.running().step(packet.step);
    const bool back = packet.kind == PacketKind::refusal;
    return named(back ? step.to : step.from, back ? step.from : step.to) + " (step " +
           std::to_string(packet.step.value);
}

void Machine::collect(JobInFlight& flight) {
    Outcome& outcome = flight.outcome();
    const Time origin = flight.origin();
    if (background_) outcome.background = background_->use();
    outcome.faults = flight.dispatch().fault_use();
    active_steps_.left += flight.running().in_flight.size() + flight.running().inbound.size();
    active_steps_.peak += flight.running().in_flight.peak() + flight.running().inbound.peak();
    const auto relative = [&](std::vector<Span> spans) {
        for (Span& span : spans) span = {span.begin - origin, span.end - origin};
        return spans;
    };
    for (std::size_t r = 0; r < outcome.ranks.size(); ++r) {
        RankUse& rank = outcome.ranks[r];
        const Rank number{static_cast<std::uint32_t>(r)};
        const Nic& nic = flight.nic(number);
        rank.wire = nic.wire().all().earlier(origin);
        if (!std::ranges::is_sorted(rank.wire, {}, &Span::begin)) rank.wire = Spans(merged(rank.wire.all()));
        rank.encoder = relative(nic.units().encoder_busy());
        rank.decoder = relative(nic.units().decoder_busy());
        NotedSpans noted = nic.units().noted();
        rank.noted = {relative(std::move(noted.adders)), relative(std::move(noted.port_reads)),
                      relative(std::move(noted.port_additions))};
        if (r >= node_modules_.size()) continue;   // a switch that adds
        rank.sharing = topology_.sharing(number);
        const NodeParts parts = node_modules_[topology_.nic_of(number)].parts();
        DmaUse dma = parts.dma.use();
        rank.dma_read = {dma.read.busy, relative(std::move(dma.read.spans))};
        rank.dma_write = {dma.write.busy, relative(std::move(dma.write.spans))};
        rank.pcie_uplink = dma.uplink;
        if (parts.staging != nullptr) rank.staging = parts.staging->use();
    }
    flight.find_end();
    outcome.transport = timeline_.fabric().transport_use();
    for (const EdgeId e : topology_.edges.indices()) {
        LinkUse& use = outcome.links.emplace_back(timeline_.fabric().account().use(e));
        use.name = topology_.edge_name(e);
        use.busy = use.busy.earlier(origin);
        if (&flight == jobs_.front()->flight.get()) flit_hops_ += use.flits;
    }
    const Time begin = origin + outcome.first_start;
    flight.end();
    if (parts_.waveform == nullptr) return;
    for (const auto& node : node_modules_) node->record_engine();
    outcome.waveform = parts_.waveform->signals(begin);
}

SimulationCost Machine::cost() const { return {timeline_.simulated_events(), flit_hops_}; }

}   // namespace oscar

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

/// The ranks of an island, if their GPUs reach each other by ports of their own; else 1.
std::uint32_t island_with_ports(const Nodes& nodes, const Topology& topology) {
    return nodes.front().gpu.island_port ? topology.island : 1;
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
                                    return dispatch_.passes(PacketName::of(tag, sequence));
                                })),
      flows_(routes_, timeline_.fabric()),
      dispatch_(network_, flows_, timeline_, nics_),
      held_(timeline_.fabric(), dispatch_),
      handover_(timeline_, nodes_,
                [this](StepId step, const TimedEvent& now) {
                    nics_[job_->plan.schedule.steps[step.value].from.value]->issue(step, now);
                }),
      steps_(timeline_, {[this](StepId step, const TimedEvent& now) { handover_.issue(step, now); },
                         [this](Rank rank, const TimedEvent& now) { nics_[rank.value]->start(now); }}) {
    if (network.background && network.background->load > 0)
        background_.emplace(*network.background, network, routes_, timeline_.fabric());
    for (std::uint32_t r = 0; r < topology_.ranks; ++r) {
        if (r == node_modules_.size()) node_modules_.make_next(topology_.node_name(node_of(Rank{r})), {});
        nics_.push_back(std::make_unique<Nic>(Rank{r}, nodes_[r], node_modules_[topology_.nic_of(Rank{r})].parts(),
                                              network_, timeline_, flows_, [this](StepId step) { step_ready(step); }));
    }
    for (auto& nic : nics_) nic->staging().on_room([this](EdgeId edge) { held_.leave(edge); });
    // Where engines answer later, the job ends when all have: a clock of such an engine's own never ends.
    std::vector<const ClockedEngine*> clocked;
    for (const auto& node : node_modules_)
        if (const auto* engine = dynamic_cast<const ClockedEngine*>(&node->engine())) clocked.push_back(engine);
    if (clocked.empty()) return;
    timeline_.end_when([this, clocked] {
        const auto idle = [](const ClockedEngine* engine) { return engine->unanswered() == 0; };
        return steps_.unfinished() == 0 && std::ranges::all_of(clocked, idle);
    });
}

Machine::~Machine() = default;

Outcome Machine::run(const Job& job) {
    const Schedule& schedule = job.plan.schedule;
    Outcome outcome;
    outcome.steps.resize(schedule.steps.size());
    outcome.records.resize(schedule.steps.size());
    outcome.wire_bytes.resize(schedule.steps.size());
    outcome.ranks.resize(schedule.participants());
    if (schedule.aggregators > 0) make_aggregators(schedule);
    job_ = &job;
    outcome_ = &outcome;
    origin_ = next_origin();
    RunningJob running(job, origin_, network_.packet, outcome,
                       {island_with_ports(nodes_, topology_), nodes_.front().gpu.staging == Staging::gpu,
                        topology_.gpus_per_nic > 1 || node_modules_.share_uplinks()});
    for (auto& nic : nics_) nic->begin(running);
    dispatch_.begin(running);
    handover_.begin(running);
    timeline_.fabric().account().clear();
    timeline_.fabric().restart(job.seed);
    declare_flows(job);
    steps_.begin(job, origin_, outcome);
    begin_background();
    if (parts_.waveform != nullptr) parts_.waveform->begin();
    timeline_.run_all();
    if (steps_.unfinished() > 0)
        throw Deadlock(deadlock_text(timeline_.fabric(), topology_, steps_.unfinished(), steps_.steps(),
                                     [this](std::uint64_t tag) { return describe_message(tag); }));
    if (background_) outcome.background = background_->use();
    outcome.faults = dispatch_.fault_use();
    active_steps_ = {running.in_flight.size() + running.inbound.size(),
                     running.in_flight.peak() + running.inbound.peak()};
    collect(outcome);
    steps_.end();
    if (parts_.waveform != nullptr) {
        for (const auto& node : node_modules_) node->record_engine();
        outcome.waveform = parts_.waveform->signals(origin_ + outcome.first_start);
    }
    return outcome;
}

/// From the first rank's start on; a job without steps has ended before.
void Machine::begin_background() {
    if (!background_) return;
    const Time start = origin_ + outcome_->first_start;
    background_->begin(start, job_->seed);
    if (steps_.unfinished() == 0) background_->end_at(start);
}

void Machine::moved(Time at) {
    if (background_) background_->job_moved(at);
}

/// The switches of the tree that the schedule was made for.
void Machine::make_aggregators(const Schedule& schedule) {
    if (!tree_) {
        tree_ = schedule.island_switches ? island_trees(topology_) : aggregation_tree(topology_);
        flows_.set_aggregation_tree(*tree_);
        std::vector<std::vector<Aggregator::Child>> children(tree_->switches.size());
        for (std::uint32_t p = 0; p < tree_->parents.size(); ++p)
            if (const Rank parent = tree_->parents[p]; parent != Rank{p})
                children[parent.value - topology_.ranks].push_back(
                    {Rank{p}, idle_latency(tree_->down[p], topology_, network_, 0_B)});
        for (std::uint32_t a = 0; a < children.size(); ++a)
            nics_.push_back(make_aggregator(
                Rank{topology_.ranks + a}, children[a], nodes_.front().engine, network_, timeline_, flows_,
                [this](StepId step) { step_ready(step); },
                [this](Rank child, const TimedEvent& now) { nics_[child.value]->transmit().slot_free(now); }));
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

/// Refusals go back from each receiver.
void Machine::declare_flows(const Job& job) {
    if (flows_.spray()) return;
    std::vector<Connection> connections = connections_of(job.plan.schedule);
    if (job.source.may_refuse()) {
        for (std::size_t i = connections.size(); i-- > 0;)
            connections.push_back({connections[i].to, connections[i].from, connections[i].channel});
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
    dispatch_.departed(PacketName::of(tag, sequence), begin, end);
}

void Machine::departed_back_to_back(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time begin,
                                    Time each) {
    if (Background::owns(tag)) return;
    moved(begin + count * each);
    dispatch_.departed_back_to_back(PacketName::of(tag, first), count, begin, each);
}

void Machine::will_arrive(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time at) {
    if (!Background::owns(tag)) dispatch_.will_arrive(PacketName::of(tag, first), count, at);
}

void Machine::arrived(std::uint64_t tag, std::uint32_t sequence) {
    if (Background::owns(tag)) return background_->arrived(tag, sequence);
    moved(timeline_.now());
    held_.arrived(PacketName::of(tag, sequence));
}

void Machine::called(std::uint32_t call, std::uint32_t of_background) {
    if (of_background != 0) return background_->called(call, timeline_.has_pending_actions());
    moved(timeline_.now());
    timeline_.call(call);
}

void Machine::step_ready(StepId id) {
    steps_.ready(id);
    if (steps_.unfinished() == 0 && background_) background_->end_at(origin_ + last_moment());
}

std::string Machine::describe_message(std::uint64_t tag) const {
    const auto named = [&](Rank from, Rank to) { return name_of(from) + "->" + name_of(to); };
    if (Background::owns(tag)) {
        const auto [from, to] = background_->ends_of(tag);
        return named(from, to) + " (background";
    }
    const PacketName packet = PacketName::of(tag, 0);
    const Step& step = job_->plan.schedule.steps[packet.step.value];
    const bool back = packet.kind == PacketKind::refusal;
    return named(back ? step.to : step.from, back ? step.from : step.to) + " (step " +
           std::to_string(packet.step.value);
}

void Machine::collect(Outcome& outcome) {
    const auto relative = [&](std::vector<Span> spans) {
        for (Span& span : spans) span = {span.begin - origin_, span.end - origin_};
        return spans;
    };
    for (std::size_t r = 0; r < outcome.ranks.size(); ++r) {
        RankUse& rank = outcome.ranks[r];
        rank.wire = nics_[r]->wire().all().earlier(origin_);
        if (!std::ranges::is_sorted(rank.wire, {}, &Span::begin)) rank.wire = Spans(merged(rank.wire.all()));
        rank.encoder = relative(nics_[r]->units().encoder_busy());
        rank.decoder = relative(nics_[r]->units().decoder_busy());
        NotedSpans noted = nics_[r]->units().noted();
        rank.noted = {relative(std::move(noted.adders)), relative(std::move(noted.port_reads)),
                      relative(std::move(noted.port_additions))};
        if (r >= node_modules_.size()) continue;   // a switch that adds
        const Rank number{static_cast<std::uint32_t>(r)};
        rank.sharing = topology_.sharing(number);
        const NodeParts parts = node_modules_[topology_.nic_of(number)].parts();
        DmaUse dma = parts.dma.use();
        rank.dma_read = {dma.read.busy, relative(std::move(dma.read.spans))};
        rank.dma_write = {dma.write.busy, relative(std::move(dma.write.spans))};
        rank.pcie_uplink = dma.uplink;
        if (parts.staging != nullptr) rank.staging = parts.staging->use();
    }
    find_end(outcome);
    outcome.transport = timeline_.fabric().transport_use();
    for (const EdgeId e : topology_.edges.indices()) {
        LinkUse& use = outcome.links.emplace_back(timeline_.fabric().account().use(e));
        use.name = topology_.edge_name(e);
        use.busy = use.busy.earlier(origin_);
        flit_hops_ += use.flits;
    }
}

/// Of a result that came to GPU memory, or of a step.
Time Machine::last_moment() const {
    Time last;
    for (const RankUse& rank : outcome_->ranks) last = std::max(last, rank.finish);
    for (const StepTimes& step : outcome_->steps) last = std::max(last, step.ready);
    return last;
}

/// The end is the last result in GPU memory, the last step's, or that of the last computation, whichever is latest. Of
/// results of one instant it is that of the step that is last in the schedule: the numbers of ranks decide nothing.
void Machine::find_end(Outcome& outcome) const {
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
    if (const TimedEvent& computed = steps_.computed(); computed.at - origin_ > outcome.finish) {
        outcome.finish = computed.at - origin_;
        outcome.path = computed.path;
    }
}

SimulationCost Machine::cost() const { return {timeline_.simulated_events(), flit_hops_}; }

}   // namespace oscar

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

/// A whole millisecond: there every clock of a whole number of kHz has an edge, so that a run's times do not depend on
/// what ran before it.
Time origin_after(Time rest) {
    constexpr std::int64_t millisecond = 1'000'000'000;
    return {(rest.ps + millisecond - 1) / millisecond * millisecond};
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
                                    JobInFlight& flight = jobs_.of(tag);
                                    return flight.dispatch().passes(flight.name_of(tag, sequence));
                                })),
      flows_(routes_, timeline_.fabric()),
      held_(timeline_.fabric()),
      jobs_({topology_, nodes_, network_, timeline_, flows_, node_modules_, held_}, [this] { end_background(); }) {
    if (network.background && network.background->load > 0)
        background_.emplace(*network.background, network, routes_, timeline_.fabric());
    for (std::uint32_t r = 0; r < topology_.ranks; ++r)
        if (r == node_modules_.size()) node_modules_.make_next(topology_.node_name(node_of(Rank{r})), {});
    jobs_.make_first();
    // Where engines answer later, the job ends when all have: a clock of such an engine's own never ends.
    std::vector<const ClockedEngine*> clocked;
    for (const auto& node : node_modules_)
        if (const auto* engine = dynamic_cast<const ClockedEngine*>(&node->engine())) clocked.push_back(engine);
    if (clocked.empty()) return;
    timeline_.end_when([this, clocked] {
        const auto idle = [](const ClockedEngine* engine) { return engine->unanswered() == 0; };
        return jobs_.have_ended() && std::ranges::all_of(clocked, idle);
    });
}

Machine::~Machine() = default;

std::size_t Machine::add(const Job& job, Done done) { return jobs_.add(job, std::move(done)); }
void Machine::start(std::size_t job, Time when) { jobs_.start(job, when); }

/// All that jobs share is as at the start, and made for all of them.
void Machine::prepare() {
    jobs_.prepare();
    const bool noted = std::ranges::any_of(jobs_.all(), [](const auto& added) { return added->job->spans_noted; });
    for (const auto& node : node_modules_) node->parts().begin(noted);
    timeline_.fabric().account().clear();
    timeline_.fabric().restart(jobs_.all().front()->job->seed);
    declare_flows();
}

std::vector<Outcome> Machine::run_all() {
    const Time origin = origin_after(timeline_.rest());
    prepare();
    jobs_.begin(origin);
    begin_background();
    if (parts_.waveform != nullptr) parts_.waveform->begin();
    timeline_.run_all();
    if (const auto [unfinished, steps] = jobs_.progress(); unfinished > 0)
        throw Deadlock(deadlock_text(timeline_.fabric(), topology_, unfinished, steps,
                                     [this](std::uint64_t tag) { return describe_message(tag); }));
    active_steps_ = {};
    for (const auto& added : jobs_.all()) collect(*added->flight);
    for (const EdgeId e : topology_.edges.indices()) flit_hops_ += timeline_.fabric().account().use(e).flits;
    return jobs_.take();
}

/// From the first rank's start on; jobs without steps have ended before.
void Machine::begin_background() {
    if (!background_) return;
    const Time start = jobs_.first_start();
    background_->begin(start, jobs_.all().front()->job->seed);
    if (jobs_.have_ended()) background_->end_at(start);
}

/// It ends with the last job.
void Machine::end_background() {
    if (background_ && jobs_.have_ended()) background_->end_at(jobs_.last_moment());
}

void Machine::moved(Time at) {
    if (background_) background_->job_moved(at);
}

std::string Machine::name_of(Rank participant) const {
    const bool is_rank = participant.value < topology_.ranks;
    return topology_.node_name(is_rank ? node_of(participant)
                                       : jobs_.tree()->switches[participant.value - topology_.ranks]);
}

/// Of all jobs. Refusals go back from each receiver.
void Machine::declare_flows() {
    if (flows_.spray()) return;
    std::vector<Connection> connections;
    for (const auto& added : jobs_.all()) {
        const std::vector<Connection> own = connections_of(added->job->plan.schedule);
        connections.insert(connections.end(), own.begin(), own.end());
        if (added->job->source.may_refuse())
            for (const auto& [from, to, channel] : own) connections.push_back({to, from, channel});
    }
    if (jobs_.all().size() > 1 || jobs_.all().front()->job->source.may_refuse()) {
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
    JobInFlight& flight = jobs_.of(tag);
    flight.dispatch().departed(flight.name_of(tag, sequence), begin, end);
}

void Machine::departed_back_to_back(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time begin,
                                    Time each) {
    if (Background::owns(tag)) return;
    moved(begin + count * each);
    JobInFlight& flight = jobs_.of(tag);
    flight.dispatch().departed_back_to_back(flight.name_of(tag, first), count, begin, each);
}

void Machine::will_arrive(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time at) {
    if (Background::owns(tag)) return;
    JobInFlight& flight = jobs_.of(tag);
    flight.dispatch().will_arrive(flight.name_of(tag, first), count, at);
}

void Machine::arrived(std::uint64_t tag, std::uint32_t sequence) {
    if (Background::owns(tag)) return background_->arrived(tag, sequence);
    moved(timeline_.now());
    JobInFlight& flight = jobs_.of(tag);
    held_.arrived(flight.dispatch(), flight.name_of(tag, sequence));
}

void Machine::called(std::uint32_t call, std::uint32_t of_background) {
    if (of_background != 0) return background_->called(call, timeline_.has_pending_actions());
    moved(timeline_.now());
    timeline_.call(call);
}

std::string Machine::describe_message(std::uint64_t tag) const {
    const auto named = [&](Rank from, Rank to) { return name_of(from) + "->" + name_of(to); };
    if (Background::owns(tag)) {
        const auto [from, to] = background_->ends_of(tag);
        return named(from, to) + " (background";
    }
    const JobInFlight& flight = jobs_.of(tag);
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
    }
    if (parts_.waveform == nullptr) return;
    for (const auto& node : node_modules_) node->record_engine();
    outcome.waveform = parts_.waveform->signals(origin + outcome.first_start);
}

SimulationCost Machine::cost() const { return {timeline_.simulated_events(), flit_hops_}; }

}   // namespace oscar

#include "models/machine/flit_machine.hpp"

#include <stdexcept>
#include <utility>

#include "models/machine/base/kernel_time.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

namespace {

/// The links of one node, in order of their numbers.
LinkedModuleParams links_of(NodeId node, const FabricParams& params, const FlitMachineParams& machine) {
    LinkedModuleParams result;
    for (const EdgeId e : params.links.indices()) {
        const FabricLink& link = params.links[e];
        if (link.to == node) result.inputs.push_back({e, link.egress_latency, link.held});
        if (link.from == node)
            result.outputs.push_back({e,
                                      {link.link.bandwidth, link.link.buffer, params.flit, params.channels,
                                       machine.quantum, machine.waveform}});
    }
    return result;
}

}   // namespace

std::unique_ptr<LinkedModule> make_switch(const std::string& name, const LinkedModuleParams& params,
                                          PacketOwner& owner) {
    return std::make_unique<Switch>(name.c_str(), params, owner);
}

FlitMachine::FlitMachine(const FabricParams& params, const FlitMachineParams& machine, FabricClient& client)
    : Fabric(params, client), ends_(params.links.size()), sources_(params.links.size()) {
    make_nodes(machine);
    make_links(machine.waveform);
}

FlitMachine::~FlitMachine() = default;

void FlitMachine::make_nodes(const FlitMachineParams& machine) {
    PacketOwner& owner = *this;
    const MakeSwitch& make = machine.make_switch ? machine.make_switch : MakeSwitch(make_switch);
    std::uint32_t nodes = machine.ranks;
    for (const FabricLink& link : params_.links) nodes = std::max({nodes, link.from.value + 1, link.to.value + 1});
    for (const NodeId n : IndexRange<NodeId>(nodes)) {
        const LinkedModuleParams params = links_of(n, params_, machine);
        const std::string name = node_name(n, machine.ranks);
        LinkedModule* module = nullptr;
        if (n.value < machine.ranks) module = ports_.emplace_back(&make_port(rank_of(n), params, machine));
        else module = switches_.emplace_back(make(name, params, owner)).get();
        for (std::uint32_t i = 0; i < params.inputs.size(); ++i)
            ends_[params.inputs[i].edge].to = module, ends_[params.inputs[i].edge].input = i;
        for (std::uint32_t i = 0; i < params.outputs.size(); ++i) {
            ends_[params.outputs[i].edge].from = module, ends_[params.outputs[i].edge].output = i;
            sources_[params.outputs[i].edge] = dynamic_cast<PortModule*>(module);
        }
    }
}

NicPort& FlitMachine::make_port(Rank rank, const LinkedModuleParams& links, const FlitMachineParams& machine) {
    PacketOwner& owner = *this;
    NicPort* port = nullptr;
    const MakePort make_port = [&]() -> std::unique_ptr<sc_core::sc_module> {
        auto made = std::make_unique<NicPort>("nic", links, owner);
        port = made.get();
        return made;
    };
    const std::string name = node_name(node_of(rank), machine.ranks);
    if (machine.make_node) machine.make_node(rank, make_port);
    else bare_nodes_.push_back(std::make_unique<BareNode>(name.c_str(), make_port));
    return *port;
}

void FlitMachine::make_links(Waveform* waveform) {
    LinkObserver& observer = *this;
    for (const EdgeId e : params_.links.indices()) {
        const Ends& ends = ends_[e];
        const auto short_name = [](const LinkedModule* module) {
            const sc_core::sc_object* of = module;
            if (dynamic_cast<const NicPort*>(module)) of = module->get_parent_object();
            return std::string(of->basename());
        };
        const std::string name = "link_" + short_name(ends.from) + "-" + short_name(ends.to);
        Link& link = *links_.emplace_back(std::make_unique<Link>(
            sc_core::sc_gen_unique_name(name.c_str(), true), params_.links[e].link.propagation, observer, waveform));
        ends.from->out[ends.output].bind(link.in);
        link.credit.bind(ends.from->credit_in[ends.output]);
        link.out.bind(ends.to->in[ends.input]);
        ends.to->credit_out[ends.input].bind(link.returns);
    }
}

std::uint64_t FlitMachine::activations() const {
    std::uint64_t sum = 0;
    for (const NicPort* port : ports_) sum += port->activations();
    for (const auto& module : switches_) sum += module->activations();
    return sum;
}

void FlitMachine::restart(std::uint64_t) {
    for (NicPort* port : ports_) port->restart();
    for (const auto& module : switches_) module->restart();
}

void FlitMachine::send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                       std::span<const std::uint32_t>) {
    const Flow& own = flows_[flow];
    PortModule* source = sources_[own.path.front().edge];
    if (source == nullptr) throw std::invalid_argument("no packet begins in a switch of one's own");
    PacketHeader packet{message.tag, 0, open(flow, message, {}), order_of(message.tag), own.path, {}};
    TimeRunReader leaving(eligible);
    for (; packet.sequence < message.packets; ++packet.sequence, leaving.skip(1)) {
        packet.wire = message.wire_of(packet.sequence);
        source->send(packet, own.queue, leaving.front());
    }
}

void FlitMachine::crossed(const Flit& tail, Span span) {
    count_crossing(tail.packet.transfer, tail.packet.sequence, tail.link().edge, tail.hop, span);
}

/// The client is told by an event, at once, so that all its calls come from one process.
void FlitMachine::departed(const PacketHeader& packet, Time begin, Time end) {
    post(Kind::flit, kernel_now(), packet.path.front().edge.value,
         departures_.add({packet.tag, packet.sequence, begin, end}));
    posted_();
}

void FlitMachine::run(Kind, const Event& event) {
    const Departure departure = departures_.take(event.a);
    client_.departed(departure.tag, departure.sequence, departure.begin, departure.end);
}

void FlitMachine::taken(const Flit& tail, Time at) {
    arrive_at(at, tail.link().edge, tail.packet.transfer, tail.packet.sequence);
    posted_();
}

void FlitMachine::return_credit(const Hop& hop, Bytes size, Time at) {
    const Ends& ends = ends_[hop.edge];
    ends.to->credit_out[ends.input]->give_back(hop.channel, size, at);
}

std::optional<CreditWait> FlitMachine::blocked_on(const Hop& hop) const {
    const Ends& ends = ends_[hop.edge];
    return ends.from->blocked_on(ends.output, hop.channel);
}

std::optional<Hop> FlitMachine::waits_for(const Hop& hop) const {
    for (const EdgeId edge : ends_.indices())
        if (const auto channel = ends_[edge].from->waits_at(ends_[edge].output, hop)) return Hop{edge, *channel};
    return std::nullopt;
}

}   // namespace oscar

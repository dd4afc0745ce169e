#include "models/network/core/flit_fabric.hpp"

#include <algorithm>
#include <utility>

namespace oscar {

FlitFabric::FlitFabric(const FabricParams& params, FabricClient& client) : Fabric(params, client) {
    for (const FabricLink& link : params.links) {
        Port port{ExactTime::of_byte(link.link.bandwidth), {}, {}, params.channels - 1, {}, {}};
        port.channels.assign(params.channels, Channel{link.link.buffer, {}, {}});
        ports_.push_back(std::move(port));
    }
}

void FlitFabric::restart(std::uint64_t) {
    for (Port& port : ports_) {
        port.last_channel = params_.channels - 1;
        for (Channel& channel : port.channels)
            for (auto& [key, queue] : channel.queues) queue.left = Turn::never_left;
    }
}

void FlitFabric::send(FlowId flow, const FabricMessage& message, std::span<const Time> eligible,
                      std::span<const std::uint32_t>) {
    const std::uint32_t transfer = open(flow, message, eligible);
    for (std::uint32_t i = 0; i < message.packets; ++i) come(transfer, i, 0, transfers_[transfer].eligible[i]);
}

FlitFabric::Key FlitFabric::key_of(const Visit& visit) const {
    if (visit.hop == 0) return {false, flow_of(visit.transfer).queue};
    const Hop& by = flow_of(visit.transfer).path[visit.hop - 1];
    return {true, std::uint64_t{by.edge} * params_.channels + by.channel};
}

/// A packet comes to a link's queue; its head may leave from `eligible` on.
std::uint32_t FlitFabric::come(std::uint32_t transfer, std::uint32_t sequence, std::uint32_t hop, Time eligible) {
    if (free_visits_.empty()) {
        free_visits_.push_back(static_cast<std::uint32_t>(visits_.size()));
        visits_.emplace_back();
    }
    const std::uint32_t index = free_visits_.back();
    free_visits_.pop_back();
    Visit& visit = visits_[index];
    visit.transfer = transfer, visit.sequence = sequence, visit.hop = hop;
    visit.flits = std::max<std::uint64_t>(1, flits_of(wire_of(visit), params_.flit));
    visit.left = 0, visit.eligible = eligible, visit.ready.clear(), visit.onward.reset(), visit.in_flight = false;
    channel_of(hop_of(visit)).queues[key_of(visit)].visits.push_back(index);
    post(Kind::decision, eligible, hop_of(visit).edge, hop_of(visit).edge);
    return index;
}

void FlitFabric::run(Kind kind, const Event& event) {
    if (kind == Kind::decision) return decide(event.a);
    if (kind == Kind::flit) return flit_left(event.a);
    const Hop hop{event.a, static_cast<std::uint8_t>(event.b >> 24)};
    channel_of(hop).credits += Bytes{event.b & 0xffffff};
    post(Kind::decision, now(), hop.edge, hop.edge);
}

void FlitFabric::decide(std::uint32_t edge) {
    Port& port = ports_[edge];
    if (port.crossing) return;
    for (Channel& channel : port.channels) arbitrate(channel);
    for (std::uint32_t k = 1; k <= params_.channels; ++k) {
        const std::uint32_t c = (port.last_channel + k) % params_.channels;
        const Channel& channel = port.channels[c];
        if (!channel.elected) continue;
        const std::uint32_t head = channel.queues.at(*channel.elected).visits.front();
        if (wire_of(visits_[head]) <= channel.credits) return start(edge, c);
    }
}

/// Gives the turn to the queue that has waited longest, of those whose head is eligible.
void FlitFabric::arbitrate(Channel& channel) {
    if (channel.elected) return;
    std::optional<Turn> first;
    for (const auto& [key, queue] : channel.queues) {
        if (queue.visits.empty()) continue;
        const Visit& head = visits_[queue.visits.front()];
        if (head.eligible > now()) continue;
        const Turn turn = Turn::of(head.eligible, queue.left, order_of(transfers_[head.transfer].message.tag));
        if (first && *first <= turn) continue;
        first = turn;
        channel.elected = key;
    }
}

void FlitFabric::start(std::uint32_t edge, std::uint32_t c) {
    Port& port = ports_[edge];
    Channel& channel = port.channels[c];
    auto& waiting = channel.queues[*channel.elected].visits;
    port.crossing = waiting.front();
    waiting.pop_front();
    channel.credits -= wire_of(visits_[*port.crossing]);
    channel.elected.reset();
    port.last_channel = c;
    port.begin = now();
    port.last_left = ExactTime{now()};
    next_flit(*port.crossing);
}

Bytes FlitFabric::flit_size(const Visit& visit) const {
    const Bytes before{visit.left * params_.flit.count};
    return std::min(params_.flit, wire_of(visit) - before);
}

/// Sends the next flit of a packet that crosses its link, if one has come and the one before has left.
void FlitFabric::next_flit(std::uint32_t index) {
    Visit& visit = visits_[index];
    const std::uint32_t edge = hop_of(visit).edge;
    Port& port = ports_[edge];
    if (port.crossing != index || visit.in_flight) return;
    if (visit.hop > 0) {
        if (visit.ready.empty()) return;
        port.last_left = std::max(port.last_left, visit.ready.front());
        visit.ready.pop_front();
    }
    port.last_left = port.last_left + flit_size(visit) * port.byte;
    visit.in_flight = true;
    post(Kind::flit, port.last_left.rounded_up(), edge, index);
}

void FlitFabric::flit_left(std::uint32_t index) {
    visits_[index].in_flight = false;
    hand_on(index);
    Visit& visit = visits_[index];
    if (++visit.left == visit.flits) finish(index);
    else next_flit(index);
}

/// The flit that has just left is ready at the next link once it has travelled and passed the switch.
void FlitFabric::hand_on(std::uint32_t index) {
    const Hop hop = hop_of(visits_[index]);
    const auto& path = flow_of(visits_[index].transfer).path;
    if (visits_[index].hop + 1 == path.size()) return;
    const Time way = link(hop.edge).link.propagation + link(hop.edge).egress_latency;
    if (!visits_[index].onward) {
        const Visit& visit = visits_[index];
        const std::uint32_t onward = come(visit.transfer, visit.sequence, visit.hop + 1, now() + way);
        visits_[index].onward = onward;
    }
    const std::uint32_t onward = *visits_[index].onward;
    visits_[onward].ready.push_back(ports_[hop.edge].last_left + way);
    next_flit(onward);
}

void FlitFabric::finish(std::uint32_t index) {
    const Visit visit = visits_[index];
    const Hop hop = hop_of(visit);
    Port& port = ports_[hop.edge];
    port.crossing.reset();
    channel_of(hop).queues[key_of(visit)].left = now();
    free_visits_.push_back(index);
    post(Kind::decision, now(), hop.edge, hop.edge);
    note(visit.transfer, visit.sequence, hop_of(visit).edge, visit.hop, {port.begin, now()});
    const auto& path = flow_of(visit.transfer).path;
    if (visit.hop > 0) credit_back(path[visit.hop - 1], wire_of(visit), now());
    if (visit.hop + 1 == path.size()) {
        const Time taken = now() + link(hop.edge).link.propagation + link(hop.edge).egress_latency;
        credit_back(hop, wire_of(visit), taken);
        arrive_at(taken, hop.edge, visit.transfer, visit.sequence);
    }
    if (visit.hop == 0) client_.departed(transfers_[visit.transfer].message.tag, visit.sequence, port.begin, now());
}

void FlitFabric::credit_back(const Hop& hop, Bytes size, Time released) {
    const Time back = released + link(hop.edge).link.propagation;
    settle(back);
    post(Kind::credit, back, hop.edge, hop.edge,
         (std::uint32_t{hop.channel} << 24) + static_cast<std::uint32_t>(size.count));
}

std::optional<CreditWait> FlitFabric::blocked_on(const Hop& hop) const {
    const Channel& channel = ports_[hop.edge].channels[hop.channel];
    if (!channel.elected) return std::nullopt;
    const Visit& visit = visits_[channel.queues.at(*channel.elected).visits.front()];
    return CreditWait{transfers_[visit.transfer].message.tag, visit.sequence, hop, wire_of(visit), channel.credits};
}

std::optional<Hop> FlitFabric::waits_for(const Hop& hop) const {
    const Key key{true, std::uint64_t{hop.edge} * params_.channels + hop.channel};
    for (std::uint32_t edge = 0; edge < ports_.size(); ++edge)
        for (std::uint32_t c = 0; c < params_.channels; ++c) {
            const auto& queues = ports_[edge].channels[c].queues;
            if (const auto found = queues.find(key); found != queues.end() && !found->second.visits.empty())
                return Hop{edge, static_cast<std::uint8_t>(c)};
        }
    return std::nullopt;
}

}   // namespace oscar

#include "models/network/event/packet_fabric.hpp"

#include <algorithm>
#include <utility>

namespace oscar {
namespace {

constexpr Bytes unbounded{std::uint64_t{1} << 62};

/// The key of the queue of packets that have come by a hop; the keys of senders' queues are smaller.
std::uint64_t key_after(const Hop& hop, std::uint32_t channels) {
    return (std::uint64_t{1} << 32) + std::uint64_t{hop.edge.value} * channels + hop.channel;
}

}   // namespace

PacketFabric::PacketFabric(const FabricParams& params, FabricClient& client) : Fabric(params, client) {
    for (const FabricLink& link : params.links) {
        Port port{ExactTime::of_byte(link.link.bandwidth), {}, never, {}, params.channels - 1};
        for (std::uint32_t c = 0; c < params.channels; ++c) port.channels.push_back({Credits(link.link.buffer), {}});
        ports_.push_back(std::move(port));
    }
}

void PacketFabric::compose(std::unique_ptr<LinkPolicy> policy, std::unique_ptr<PacketTransport> transport) {
    policy_ = std::move(policy);
    transport_ = std::move(transport);
}

void PacketFabric::lift_credits() {
    for (Port& port : ports_)
        for (Channel& channel : port.channels) channel.credits = Credits(unbounded);
}

void PacketFabric::restart(std::uint64_t job_seed) {
    for (Port& port : ports_) {
        port.last_channel = params_.channels - 1;
        for (Channel& channel : port.channels) channel.queues.restart();
    }
    if (policy_) policy_->restart(job_seed);
    if (transport_) transport_->restart();
}

FlowId PacketFabric::add_flow(std::span<const Hop> path, std::uint32_t queue) {
    return transport_ ? transport_->add_flow(path, queue) : add_link_flow(path, queue);
}

void PacketFabric::count_separately(FlowId flow) {
    if (transport_) transport_->count_separately(flow);
    else count_link_flow_separately(flow);
}

FlowId PacketFabric::add_link_flow(std::span<const Hop> path, std::uint32_t queue) {
    const FlowId flow = Fabric::add_flow(path, queue);
    std::vector<std::uint32_t>& queues = queues_of_.emplace_back();
    for (std::size_t h = 0; h < path.size(); ++h)
        queues.push_back(channel_of(path[h]).queues.with(h == 0 ? queue : key_after(path[h - 1], params_.channels)));
    return flow;
}

void PacketFabric::send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                        std::span<const std::uint32_t>) {
    if (transport_) transport_->send(flow, message, eligible);
    else send_over_links(flow, message, eligible);
}

void PacketFabric::send_over_links(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible) {
    push({open(flow, message, eligible), 0, 0, {eligible.front().first, {}, {}}});
}

std::optional<TransportUse> PacketFabric::transport_use() const {
    return policy_ ? std::optional(policy_->use()) : std::nullopt;
}

PacketFacts PacketFabric::facts_of(const WaitingPacket& packet) const {
    const Flow& flow = flow_of(packet.transfer);
    return {transfers_[packet.transfer].message.tag, wire_of(packet), flow.path, flow.background};
}

void PacketFabric::push(const WaitingPacket& packet) {
    const FlowId flow = transfers_[packet.transfer].flow;
    const Hop hop = flows_[flow].path[packet.hop];
    Channel& channel = channel_of(hop);
    const std::uint32_t index = queues_of_[flow][packet.hop];
    Queue& queue = channel.queues[index];
    queue.packets.push_back(packet);
    if (queue.packets.size() > 1) return;
    channel.queues.take_place(index, order_of(packet));
    wake(hop.edge, std::max(packet.ready.first, ports_[hop.edge].free_at));
}

void PacketFabric::wake(EdgeId edge, Time at) {
    if (at >= ports_[edge].wakes_at) return;
    ports_[edge].wakes_at = at;
    post(Kind::decision, at, edge.value, edge.value);
}

void PacketFabric::run(Kind kind, const Event& event) {
    if (kind != Kind::decision) return kind == Kind::timer ? transport_->ring(event) : policy_->run(kind, event);
    const EdgeId edge{event.a};
    Port& port = ports_[edge];
    if (event.time != port.wakes_at) return;   // it has been woken earlier since
    port.wakes_at = never;
    decide(edge);
}

void PacketFabric::decide(EdgeId edge) {
    Port& port = ports_[edge];
    if (port.free_at > now()) return wake(edge, port.free_at);
    const auto channels = static_cast<std::uint32_t>(port.channels.size());
    Time next = never;
    for (std::uint32_t k = 1; k <= channels; ++k) {
        const std::uint32_t c = (port.last_channel + k) % channels;
        const Time sendable = when_sendable({edge, static_cast<std::uint8_t>(c)});
        if (sendable <= now()) return grant(edge, c);
        next = std::min(next, sendable);
    }
    if (next < never) wake(edge, next);
}

/// When the elected has credit or, if nobody is, somebody may be.
Time PacketFabric::when_sendable(const Hop& hop) const {
    const Channel& channel = channel_of(hop);
    if (const Queue* queue = channel.queues.elected(now())) {
        const Bytes wire = wire_of(queue->packets.front());
        const Time credited = channel.credits.when(wire);
        return policy_ ? policy_->room_at(hop, wire, credited) : credited;
    }
    return channel.queues.empty() ? never : channel.queues.next_turn();
}

void PacketFabric::grant(EdgeId edge, std::uint32_t c) {
    Port& port = ports_[edge];
    Channel& channel = port.channels[c];
    const Hop hop{edge, static_cast<std::uint8_t>(c)};
    const std::uint32_t index = channel.queues.serve();
    Queue& queue = channel.queues[index];
    const WaitingPacket packet = take_head(queue, transfers_[queue.packets.front().transfer]);
    const Bytes wire = wire_of(packet);
    channel.credits.take(wire, now());
    Crossing crossing = cross_link(edge, wire, now(), packet.ready);
    if (policy_) crossing = policy_->transmit(packet, hop, crossing);
    port.last_channel = c;
    port.free_at = queue.left = crossing.end;
    if (!queue.packets.empty()) channel.queues.take_place(index, order_of(queue.packets.front()));
    const auto waits = [](const Channel& other) { return !other.queues.empty(); };
    if (std::ranges::any_of(port.channels, waits)) wake(edge, crossing.end);
    count_crossing(packet.transfer, packet.sequence, edge, packet.hop, {now(), crossing.end});
    pass_on(packet, hop, crossing);
    if (packet.hop > 0) return;
    const std::uint64_t tag = transfers_[packet.transfer].message.tag;
    if (transport_) transport_->departed(tag, now(), crossing.end);
    else client_.departed(tag, packet.sequence, now(), crossing.end);
}

Crossing PacketFabric::cross_link(EdgeId edge, Bytes wire, Time begin, const FlitsReady& ready) const {
    const FabricLink& over = link(edge);
    return cross(over.link.propagation + over.egress_latency, ports_[edge].byte, params_.flit, wire, begin, ready);
}

/// `transfer`: of its head.
WaitingPacket PacketFabric::take_head(Queue& queue, const Transfer& transfer) {
    const WaitingPacket head = queue.packets.front();
    if (head.hop == 0 && head.sequence + 1 < transfer.message.packets) {
        WaitingPacket& rest = queue.packets.front();
        rest.ready.first = transfer.eligible[++rest.sequence];
        return head;
    }
    queue.packets.pop_front();
    return head;
}

void PacketFabric::pass_on(const WaitingPacket& packet, const Hop& hop, const Crossing& crossing) {
    if (packet.hop > 0) release(flow_of(packet.transfer).path[packet.hop - 1], wire_of(packet), crossing.end);
    const WaitingPacket next{packet.transfer, packet.sequence, packet.hop + 1, crossing.next};
    const Time taken = crossing.end + link(hop.edge).link.propagation + link(hop.edge).egress_latency;
    if (policy_) policy_->land(next, hop, taken);
    else forward(next, hop, taken);
}

void PacketFabric::forward(const WaitingPacket& next, const Hop& hop, Time taken) {
    if (next.hop < flow_of(next.transfer).path.size()) return push(next);
    if (!link(hop.edge).held) release(hop, wire_of(next), taken);
    arrive_at(taken, hop.edge, next.transfer, next.sequence);
}

void PacketFabric::release(const Hop& hop, Bytes size, Time at) {
    if (policy_) policy_->release(hop, size, at);
    else return_credit(hop, size, at);
}

void PacketFabric::return_credit(const Hop& hop, Bytes size, Time at) {
    const Time back = at + link(hop.edge).link.propagation;
    Channel& channel = channel_of(hop);
    channel.credits.give_back(size, back);
    settle(back);
    if (channel.queues.elected(now())) decide_at(hop.edge, back);
}

void PacketFabric::tell_arrived(std::uint64_t tag, std::uint32_t sequence) {
    if (transport_) transport_->arrived(tag);
    else client_.arrived(tag, sequence);
}

std::optional<CreditWait> PacketFabric::blocked_on(const Hop& hop) const {
    const Channel& channel = channel_of(hop);
    const Queue* queue = channel.queues.elected(now());
    if (queue == nullptr) return std::nullopt;
    const WaitingPacket& packet = queue->packets.front();
    CreditWait wait{transfers_[packet.transfer].message.tag, packet.sequence, hop, wire_of(packet),
                    channel.credits.free_at(now())};
    if (policy_) policy_->describe(wait);
    if (transport_) transport_->describe(wait);
    return wait;
}

std::optional<Hop> PacketFabric::waits_for(const Hop& hop) const {
    const std::uint64_t key = key_after(hop, params_.channels);
    for (const EdgeId edge : ports_.indices())
        for (std::uint32_t c = 0; c < params_.channels; ++c)
            if (ports_[edge].channels[c].queues.holds(key)) return Hop{edge, static_cast<std::uint8_t>(c)};
    return std::nullopt;
}

void PacketFabric::note_turn(FlowId flow, std::size_t h, Time left) {
    const Hop& hop = flows_[flow].path[h];
    channel_of(hop).queues[queues_of_[flow][h]].left = left;
    ports_[hop.edge].last_channel = hop.channel;
}

}   // namespace oscar

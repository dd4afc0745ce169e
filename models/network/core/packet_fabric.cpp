#include "models/network/core/packet_fabric.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace oscar {
namespace {

constexpr Bytes unbounded{std::uint64_t{1} << 62};

/// The name of the queue of what has come by a hop; those of senders are smaller.
std::uint64_t key_behind(const Hop& hop, std::uint32_t channels) {
    return (std::uint64_t{1} << 32) + std::uint64_t{hop.edge} * channels + hop.channel;
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

void PacketFabric::restart(std::uint64_t draw) {
    for (Port& port : ports_) {
        port.last_channel = params_.channels - 1;
        for (Channel& channel : port.channels)
            for (Queue& queue : channel.queues) queue.left = Turn::never_left;
    }
    if (policy_) policy_->restart(draw);
    if (transport_) transport_->restart();
}

std::uint32_t PacketFabric::queue_with(const Hop& hop, std::uint64_t key) {
    Channel& channel = channel_of(hop);
    const auto key_of = [&](std::uint32_t q) { return channel.queues[q].key; };
    const auto found = std::ranges::lower_bound(channel.by_key, key, {}, key_of);
    if (found != channel.by_key.end() && key_of(*found) == key) return *found;
    const auto index = static_cast<std::uint32_t>(channel.queues.size());
    channel.by_key.insert(found, index);
    channel.queues.push_back({key, {}});
    return index;
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
        queues.push_back(queue_with(path[h], h == 0 ? queue : key_behind(path[h - 1], params_.channels)));
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
    const Hop hop = flows_[flow.value].path[packet.hop];
    Channel& channel = channel_of(hop);
    const std::uint32_t index = queues_of_[flow.value][packet.hop];
    Queue& queue = channel.queues[index];
    queue.packets.push_back(packet);
    if (queue.packets.size() > 1) return;
    take_place(channel, index);
    wake(hop.edge, std::max(packet.ready.first, ports_[hop.edge].free_at));
}

void PacketFabric::wake(std::uint32_t edge, Time at) {
    if (at >= ports_[edge].wakes_at) return;
    ports_[edge].wakes_at = at;
    post(Kind::decision, at, edge, edge);
}

void PacketFabric::run(Kind kind, const Event& event) {
    if (kind != Kind::decision) return kind == Kind::timer ? transport_->ring(event) : policy_->run(kind, event);
    Port& port = ports_[event.a];
    if (event.time != port.wakes_at) return;   // it has been woken earlier since
    port.wakes_at = never;
    decide(event.a);
}

void PacketFabric::decide(std::uint32_t edge) {
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

/// A queue that is not empty waits for its turn.
void PacketFabric::take_place(Channel& channel, std::uint32_t index) const {
    const Queue& queue = channel.queues[index];
    const WaitingPacket& head = queue.packets.front();
    const std::uint64_t order = order_of(transfers_[head.transfer].message.tag);
    channel.waiting.push_back({Turn::of(head.ready.first, queue.left, order), index});
    std::push_heap(channel.waiting.begin(), channel.waiting.end(), std::greater<>{});
}

/// Whose turn it is, if it has come. Precondition, for a link that is to decide: it is free.
const PacketFabric::Queue* PacketFabric::elected(const Channel& channel) const {
    if (channel.waiting.empty() || channel.waiting.front().turn.since > now()) return nullptr;
    return &channel.queues[channel.waiting.front().queue];
}

/// When the elected has credit or, if nobody is, somebody may be.
Time PacketFabric::when_sendable(const Hop& hop) const {
    const Channel& channel = channel_of(hop);
    if (const Queue* queue = elected(channel)) {
        const Bytes wire = wire_of(queue->packets.front());
        const Time credited = channel.credits.when(wire);
        return policy_ ? policy_->room_at(hop, wire, credited) : credited;
    }
    return channel.waiting.empty() ? never : channel.waiting.front().turn.since;
}

void PacketFabric::grant(std::uint32_t edge, std::uint32_t c) {
    Port& port = ports_[edge];
    Channel& channel = port.channels[c];
    const Hop hop{edge, static_cast<std::uint8_t>(c)};
    std::pop_heap(channel.waiting.begin(), channel.waiting.end(), std::greater<>{});
    const std::uint32_t index = channel.waiting.back().queue;
    channel.waiting.pop_back();
    Queue& queue = channel.queues[index];
    const WaitingPacket packet = take_head(queue, transfers_[queue.packets.front().transfer]);
    const Bytes wire = wire_of(packet);
    channel.credits.take(wire, now());
    Crossing crossing = cross_link(edge, wire, now(), packet.ready);
    if (policy_) crossing = policy_->transmit(packet, hop, crossing);
    port.last_channel = c;
    port.free_at = queue.left = crossing.end;
    if (!queue.packets.empty()) take_place(channel, index);
    const auto waits = [](const Channel& other) { return !other.waiting.empty(); };
    if (std::ranges::any_of(port.channels, waits)) wake(edge, crossing.end);
    note(packet.transfer, packet.sequence, edge, packet.hop, {now(), crossing.end});
    pass_on(packet, hop, crossing);
    if (packet.hop > 0) return;
    const std::uint64_t tag = transfers_[packet.transfer].message.tag;
    if (transport_) transport_->departed(tag, now(), crossing.end);
    else client_.departed(tag, packet.sequence, now(), crossing.end);
}

Crossing PacketFabric::cross_link(std::uint32_t edge, Bytes wire, Time begin, const FlitsReady& ready) const {
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
    release(hop, wire_of(next), taken);
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
    if (elected(channel)) decide_at(hop.edge, back);
}

void PacketFabric::tell_arrived(std::uint64_t tag, std::uint32_t sequence) {
    if (transport_) transport_->arrived(tag);
    else client_.arrived(tag, sequence);
}

std::optional<CreditWait> PacketFabric::blocked_on(const Hop& hop) const {
    const Channel& channel = channel_of(hop);
    const Queue* queue = elected(channel);
    if (queue == nullptr) return std::nullopt;
    const WaitingPacket& packet = queue->packets.front();
    CreditWait wait{transfers_[packet.transfer].message.tag, packet.sequence, hop, wire_of(packet),
                    channel.credits.free_at(now())};
    if (policy_) policy_->describe(wait);
    if (transport_) transport_->describe(wait);
    return wait;
}

std::optional<Hop> PacketFabric::waits_for(const Hop& hop) const {
    const std::uint64_t key = key_behind(hop, params_.channels);
    for (std::uint32_t edge = 0; edge < ports_.size(); ++edge)
        for (std::uint32_t c = 0; c < params_.channels; ++c)
            for (const Queue& queue : ports_[edge].channels[c].queues)
                if (queue.key == key && !queue.packets.empty()) return Hop{edge, static_cast<std::uint8_t>(c)};
    return std::nullopt;
}

void PacketFabric::note_turn(FlowId flow, std::size_t h, Time left) {
    const Hop& hop = flows_[flow.value].path[h];
    channel_of(hop).queues[queues_of_[flow.value][h]].left = left;
    ports_[hop.edge].last_channel = hop.channel;
}

}   // namespace oscar

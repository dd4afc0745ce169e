#include "models/network/core/router_fabric.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace oscar {

RouterFabric::RouterFabric(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                           FabricClient& client)
    : Fabric(params, client),
      grid_(grid),
      router_(router),
      ports_(grid, params.links),
      cycle_(serialization(params.flit, params.links.front().link.bandwidth)),
      sources_(grid.routers()) {
    restart(0);
}

void RouterFabric::restart(std::uint64_t draw) {
    network_.emplace(grid_, router_, 1);
    network_->watch();
    origin_.reset();
    draw_ = draw;
    for (Source& source : sources_) {
        source.leaving = nullptr;
        for (auto& [key, queue] : source.queues) queue.left = Turn::never_left;
    }
    for (Way& way : ways_) way.sent = 0;
}

FlowId RouterFabric::add_flow(std::span<const Hop> path, std::uint32_t queue) {
    const FlowId flow = Fabric::add_flow(path, queue);
    const auto coins = ports_.coins_for(path);
    if (!coins) throw std::invalid_argument("routers go the shorter way along the row, then along the column");
    ways_.push_back({ports_.ends_of(path), *coins, 0, {}});
    return flow;
}

void RouterFabric::send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                        std::span<const std::uint32_t>) {
    if (!origin_) origin_ = now();
    Source& source = sources_[ways_[flow.value].ends.from];
    source.queues[flows_[flow.value].queue].messages.push_back({open(flow, message, eligible), 0});
    ++source.waiting;
    wake(edge_from(eligible.front().first));
}

void RouterFabric::wake(Time at) {
    if (at >= wakes_at_) return;
    wakes_at_ = at;
    post(Kind::decision, at, 0, 0);
}

/// The first cycle from `time` on that has not been simulated.
Time RouterFabric::edge_from(Time time) const {
    const std::int64_t since = (time - *origin_).ps;
    const std::int64_t cycles =
        std::max((since + cycle_.ps - 1) / cycle_.ps, static_cast<std::int64_t>(network_->now()));
    return *origin_ + cycles * cycle_;
}

Time RouterFabric::first_eligible() const {
    Time first = never;
    for (const Source& source : sources_) {
        if (source.waiting == 0) continue;
        for (const auto& [key, queue] : source.queues)
            if (!queue.messages.empty()) first = std::min(first, eligible(queue.messages.front()));
    }
    return first;
}

void RouterFabric::run(Kind, const Event& event) {
    if (event.time != wakes_at_) return;   // it has been woken earlier since
    wakes_at_ = never;
    if (network_->at_rest()) network_->skip_to(static_cast<Cycles>((now() - *origin_).ps / cycle_.ps));
    for (std::uint32_t node = 0; node < sources_.size(); ++node) begin_next(node);
    network_->step();
    for (const RouterNetwork::Sent& sent : network_->sent()) cross(sent);
    for (const RouterFlit& flit : network_->arrived())
        if (flit.tail) take(flit);
    network_->check_progress(2 * router_.credit_loop());   // whatever can move does so within one
    if (!network_->at_rest()) return wake(now() + cycle_);
    if (const Time next = first_eligible(); next < never) wake(edge_from(next));
}

/// The queue that has waited longest, of those whose head may leave; null if there is none.
RouterFabric::Queue* RouterFabric::arbitrate(Source& source) const {
    Queue* elected = nullptr;
    std::optional<Turn> first;
    for (auto& [key, queue] : source.queues) {
        if (queue.messages.empty() || eligible(queue.messages.front()) > now()) continue;
        const Waiting& head = queue.messages.front();
        const Turn turn = Turn::of(eligible(head), queue.left, order_of(transfers_[head.transfer].message.tag));
        if (first && *first <= turn) continue;
        first = turn;
        elected = &queue;
    }
    return elected;
}

void RouterFabric::begin_next(std::uint32_t node) {
    Source& source = sources_[node];
    if (!network_->idle(node)) return;
    if (source.leaving != nullptr) std::exchange(source.leaving, nullptr)->left = now();
    if (source.waiting == 0) return;
    Queue* queue = arbitrate(source);
    if (queue == nullptr) return;
    source.leaving = queue;
    Waiting& next = queue->messages.front();
    const Transfer& transfer = transfers_[next.transfer];
    Way& way = ways_[transfer.flow.value];
    const auto flits = static_cast<std::uint32_t>(packet_flits(transfer.message.wire_of(next.sequence), params_.flit));
    network_->begin(node, way.ends.to, network_->now(), coins(draw_, node, way.ends.to, way.sent++, way.coins), flits);
    way.unfinished.push_back(network_->now());
    under_way_[{node, network_->now()}] = {transfer.flow, next.transfer, next.sequence,
                                           std::vector<Time>(flow_of(next.transfer).path.size())};
    if (++next.sequence < transfer.message.packets) return;
    queue->messages.pop_front();
    --source.waiting;
}

/// A flit of a node is on its link in the cycle in which it is sent, one of a router when it has passed the switch.
void RouterFabric::cross(const RouterNetwork::Sent& sent) {
    const std::uint32_t edge = sent.out ? ports_.out_of(sent.router, *sent.out) : ports_.into(sent.router);
    const Time begin = now() + (sent.out ? std::int64_t{1} + router_.switch_delay : 0) * cycle_;
    carried_[edge].busy.append({begin, begin + cycle_});
    ++carried_[edge].flits;
    if (!sent.flit.head() && !sent.flit.tail) return;
    UnderWay& packet = under_way_.at({sent.flit.from, sent.flit.created});
    const auto& path = flow_of(packet.transfer).path;
    const auto hop = static_cast<std::size_t>(std::ranges::find(path, edge, &Hop::edge) - path.begin());
    if (sent.flit.head()) packet.begins[hop] = begin;
    if (sent.flit.tail) leave(packet, edge, hop, begin + cycle_);
}

/// The whole of a packet has crossed a link.
void RouterFabric::leave(const UnderWay& packet, std::uint32_t edge, std::size_t hop, Time end) {
    const FabricMessage& message = transfers_[packet.transfer].message;
    ++carried_[edge].packets;
    carried_[edge].wire_bytes += message.wire_of(packet.sequence).count;
    if (observer_) observer_->crossed(message.tag, packet.sequence, hop, packet.begins[hop], end);
    if (hop == 0) client_.departed(message.tag, packet.sequence, packet.begins[hop], end);
}

/// The tail of a packet has reached its node, which takes it, and those that it kept waiting, behind those before it.
void RouterFabric::take(const RouterFlit& tail) {
    settle(now() + std::int64_t{router_.credit_cycles()} * cycle_);
    UnderWay& last = under_way_.at({tail.from, tail.created});
    last.arrived = true;
    const Flow& flow = flow_of(last.transfer);
    const std::uint32_t edge = flow.path.back().edge;
    Fifo<Cycles>& unfinished = ways_[last.flow.value].unfinished;
    for (; !unfinished.empty(); unfinished.pop_front()) {
        const auto first = under_way_.find({tail.from, unfinished.front()});
        if (!first->second.arrived) return;
        arrive_at(now() + link(edge).egress_latency, edge, first->second.transfer, first->second.sequence);
        under_way_.erase(first);
    }
}

}   // namespace oscar

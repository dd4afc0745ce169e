#include "models/network/grid/grid_fabric.hpp"

#include <algorithm>
#include <stdexcept>

namespace oscar {

GridFabric::GridFabric(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                       FabricClient& client)
    : Fabric(params, client),
      grid_(grid),
      router_(router),
      cabling_(grid, params.links),
      clock_{serialization(params.flit, params.links.front().link.bandwidth)} {}

void GridFabric::restart(std::uint64_t job_seed) {
    clock_.origin.reset();
    seed_ = job_seed;
    for (FlowState& flow : flow_states_) flow.sent = 0;
}

FlowId GridFabric::add_flow(std::span<const Hop> path, std::uint32_t queue) {
    const FlowId flow = Fabric::add_flow(path, queue);
    const auto coins = cabling_.coins_for(path);
    if (!coins) throw std::invalid_argument("routers go the shorter way along the row, then along the column");
    flow_states_.push_back({cabling_.ends_of(path), *coins, 0, {}});
    return flow;
}

RouterPacketStart GridFabric::begin_packet(RouterPacket packet, Cycles created) {
    const Transfer& transfer = transfers_[packet.transfer];
    FlowState& flow = flow_states_[transfer.flow];
    const auto [from, to] = std::pair(flow.ends.from, flow.ends.to);
    flow.unfinished.push_back(created);
    under_way_[{from, created}] = {transfer.flow, packet, std::vector<Time>(flow_of(packet.transfer).path.size())};
    const RouterFlit head{
        created, static_cast<std::uint16_t>(from.value),          static_cast<std::uint16_t>(to.value),
        0,       coins(seed_, from, to, flow.sent++, flow.coins), true};
    return {head, static_cast<std::uint32_t>(packet_flits(transfer.message.wire_of(packet.sequence), params_.flit))};
}

void GridFabric::cross(EdgeId edge, const RouterFlit& flit, Time begin) {
    const Time end = begin + clock_.cycle;
    LinkAccount::Traffic& traffic = account_.of(edge, false);
    traffic.busy.append({begin, end});
    ++traffic.flits;
    if (!flit.head() && !flit.tail) return;
    UnderWay& packet = under_way_.at({NodeId{flit.from}, flit.created});
    const auto& path = flow_of(packet.packet.transfer).path;
    const auto hop = static_cast<std::size_t>(std::ranges::find(path, edge, &Hop::edge) - path.begin());
    if (flit.head()) packet.begins[hop] = begin;
    if (flit.tail) leave(packet, edge, hop, end);
}

/// The whole of a packet has crossed a link.
void GridFabric::leave(const UnderWay& packet, EdgeId edge, std::size_t hop, Time end) {
    const auto [transfer, sequence] = std::pair(packet.packet.transfer, packet.packet.sequence);
    const FabricMessage& message = transfers_[transfer].message;
    account_.of(edge, false).add(1, message.wire_of(sequence).count, 0);
    if (observer_) observer_->crossed(message.tag, sequence, hop, packet.begins[hop], end);
    if (hop == 0) tell_departed(edge, message.tag, sequence, packet.begins[hop], end);
}

void GridFabric::take(const RouterFlit& tail, Time at) {
    settle(at + std::int64_t{router_.credit_cycles()} * clock_.cycle);
    UnderWay& last = under_way_.at({NodeId{tail.from}, tail.created});
    last.arrived = true;
    const EdgeId edge = flow_of(last.packet.transfer).path.back().edge;
    Fifo<Cycles>& unfinished = flow_states_[last.flow].unfinished;
    for (; !unfinished.empty(); unfinished.pop_front()) {
        const auto first = under_way_.find({NodeId{tail.from}, unfinished.front()});
        if (!first->second.arrived) return;
        arrive_at(at + link(edge).egress_latency, edge, first->second.packet.transfer, first->second.packet.sequence);
        under_way_.erase(first);
    }
}

}   // namespace oscar

#include "models/network/grid/router_fabric.hpp"

#include <algorithm>

namespace oscar {

RouterFabric::RouterFabric(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                           FabricClient& client)
    : GridFabric(params, grid, router, client),
      sources_(grid.routers(), RouterSource([this](RouterPacket packet) { return eligible(packet); })) {
    restart(0);
}

void RouterFabric::restart(std::uint64_t job_seed) {
    GridFabric::restart(job_seed);
    network_.emplace(grid_, router_, 1);
    network_->watch();
    for (RouterSource& source : sources_) source.restart();
}

void RouterFabric::send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                        std::span<const std::uint32_t>) {
    if (!clock_.origin) clock_.origin = now();
    sources_[source_of(flow)].send(flows_[flow].queue, message_of(open(flow, message, eligible)));
    wake(edge_from(eligible.front().first));
}

void RouterFabric::wake(Time at) {
    if (at >= wakes_at_) return;
    wakes_at_ = at;
    post(Kind::decision, at, 0, 0);
}

/// The first cycle from `time` on that has not been simulated.
Time RouterFabric::edge_from(Time time) const {
    return clock_.begin_of(std::max(clock_.first_from(time), network_->now()));
}

void RouterFabric::run(Kind, const Event& event) {
    if (event.time != wakes_at_) return;   // it has been woken earlier since
    wakes_at_ = never;
    if (network_->at_rest()) network_->skip_to(clock_.first_from(now()));
    for (const NodeId node : sources_.indices()) begin_next(node);
    network_->step();
    for (const RouterNetwork::FlitDeparture& departure : network_->departures()) cross(departure);
    for (const RouterFlit& flit : network_->arrived())
        if (flit.tail) take(flit, now());
    network_->check_progress(Cycles{2} * router_.credit_loop());   // whatever can move does so within one
    if (!network_->at_rest()) return wake(now() + clock_.cycle);
    Time next = never;
    for (const RouterSource& source : sources_) next = std::min(next, source.first_eligible().value_or(never));
    if (next < never) wake(edge_from(next));
}

void RouterFabric::begin_next(NodeId node) {
    if (!network_->idle(node)) return;
    sources_[node].left(now());
    const auto packet = sources_[node].next(now());
    if (!packet) return;
    const auto [head, flits] = begin_packet(*packet, network_->now());
    network_->begin(node, NodeId{head.to}, head.created, head.coins, flits);
}

/// A flit of a node is on its link in the cycle in which it is sent, one of a router when it has passed the switch.
void RouterFabric::cross(const RouterNetwork::FlitDeparture& departure) {
    const EdgeId edge =
        departure.out ? cabling_.out_of(departure.router, *departure.out) : cabling_.into(departure.router);
    const std::int64_t behind = departure.out ? 1 + std::int64_t{router_.switch_delay} : 0;
    GridFabric::cross(edge, departure.flit, now() + behind * clock_.cycle);
}

}   // namespace oscar

#include "models/network/grid/router_network.hpp"

namespace oscar {

RouterNetwork::RouterNetwork(const RouterGrid& grid, const VcRouterParams& params, std::uint32_t packet_flits)
    : layout_(std::make_shared<RouterLayout>(grid, params)),
      packet_flits_(packet_flits),
      sources_(grid.routers(), params),
      from_sources_(params.node_cycles()),
      between_routers_(params.flit_cycles()),
      to_nodes_(params.flit_cycles()),
      credits_(params.credit_cycles()),
      credits_to_sources_(params.node_cycles()) {
    for (const RouterId r : grid.router_ids()) routers_.emplace_back(*layout_, r);
}

void RouterNetwork::begin(NodeId node, NodeId to, Cycles created, std::uint8_t coins, std::uint32_t flits) {
    const auto from = static_cast<std::uint16_t>(node.value);
    sources_.begin(node, {created, from, static_cast<std::uint16_t>(to.value), 0, coins, true}, flits);
}

/// The last credit was sent when the last flit moved; a node that holds a packet then sends.
bool RouterNetwork::at_rest() const {
    if (injected_ == 0) return true;
    return in_flight() == 0 && now_ > last_move_ + layout_->params.credit_cycles();
}

void RouterNetwork::step() {
    arrived_.clear();
    departures_.clear();
    receive();
    for (const RouterId r : routers_.indices()) {
        if (routers_[r].idle()) continue;
        for (const RouterStages::Departure& departure : routers_[r].step(now_)) depart(r, departure);
    }
    inject();
    ++now_;
}

void RouterNetwork::receive() {
    credits_.receive(now_, [&](Vc output) { router_of(output).take_credit(RouterLayout::local_of(output)); });
    credits_to_sources_.receive(now_, [&](Vc input) {
        sources_.credit(node_at(RouterLayout::router_of(input)),
                        static_cast<std::uint8_t>(RouterLayout::local_of(input)));
    });
    from_sources_.receive(now_, [&](const Moving& moving) { arrive(moving); });
    between_routers_.receive(now_, [&](const Moving& moving) { arrive(moving); });
    to_nodes_.receive(now_, [&](const Moving& moving) {
        arrived_.push_back(moving.flit);
        credits_.send(now_, moving.vc);
        ++ejected_;
        last_move_ = now_;
    });
}

void RouterNetwork::arrive(const Moving& moving) {
    router_of(moving.vc).arrive(RouterLayout::local_of(moving.vc), moving.flit, now_);
    last_move_ = now_;
}

void RouterNetwork::inject() {
    for (const RouterId router : routers_.indices()) {
        const NodeId node = node_at(router);
        if (sources_.idle(node)) continue;
        const auto sent = sources_.send(node);
        if (!sent) continue;
        const std::uint32_t local = layout_->local(index_of(Port::node), sent->vc);
        from_sources_.send(now_, {RouterLayout::number(router, local), sent->flit});
        if (watched_) departures_.push_back({router, std::nullopt, sent->flit});
        ++injected_;
        ++flit_hops_;
        last_move_ = now_;
    }
}

void RouterNetwork::depart(RouterId router, const RouterStages::Departure& departure) {
    const Vc input = RouterLayout::number(router, departure.input);
    const Vc output = RouterLayout::number(router, departure.output);
    ++flit_hops_;
    last_move_ = now_;
    if (watched_) departures_.push_back({router, departure.port, departure.flit});
    if (departure.port == Port::node) to_nodes_.send(now_, {output, departure.flit});
    else between_routers_.send(now_, {layout_->across[output], departure.flit});
    if (layout_->is_node(departure.input)) credits_to_sources_.send(now_, input);
    else credits_.send(now_, layout_->across[input]);
}

RouterWaits RouterNetwork::waits() const {
    IndexedVector<RouterId, const RouterStages*> routers;
    for (const RouterStages& router : routers_) routers.push_back(&router);
    return {*layout_, std::move(routers)};
}

void RouterNetwork::check_progress(Cycles patience) const {
    if (in_flight() == 0 || now_ - last_move_ <= patience) return;
    throw waits().deadlock(now_, in_flight(), patience);
}

std::optional<std::string> RouterNetwork::find_conservation_problem() const {
    const RouterLayout& layout = *layout_;
    std::vector<std::uint32_t> held(layout.across.size());   // per input VC: its flits and credits, wherever they are
    const auto arriving = [&](const Moving& moving) { ++held[moving.vc]; };
    from_sources_.for_each(arriving);
    between_routers_.for_each(arriving);
    credits_to_sources_.for_each([&](Vc input) { ++held[input]; });
    std::vector<std::uint32_t> to_sinks(held.size());   // per output VC to a node
    to_nodes_.for_each([&](const Moving& moving) { ++to_sinks[moving.vc]; });
    const auto is_sink = [&](Vc output) { return layout.is_node(RouterLayout::local_of(output)); };
    credits_.for_each([&](Vc output) { is_sink(output) ? ++to_sinks[output] : ++held[layout.across[output]]; });
    const auto credits = [&](Vc output) {
        return routers_[RouterLayout::router_of(output)].credits(RouterLayout::local_of(output));
    };

    std::optional<std::string> defect;
    layout.for_each_vc([&](Vc vc) {
        const RouterId router = RouterLayout::router_of(vc);
        const std::uint32_t local = RouterLayout::local_of(vc);
        const std::uint32_t free = is_sink(vc) ? sources_.credits(node_at(router), local) : credits(layout.across[vc]);
        if (free + held[vc] + routers_[router].held(local) != layout.params.vc_flits)
            defect = "credits and flits of " + layout.name_of(vc) + " do not add up";
        if (is_sink(vc) && credits(vc) + to_sinks[vc] != layout.params.vc_flits)
            defect = "credits to the node at " + layout.name_of(vc) + " do not add up";
    });
    return defect;
}

}   // namespace oscar

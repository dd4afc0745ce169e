#include "models/network/router/network.hpp"

namespace oscar {

RouterNetwork::RouterNetwork(const RouterGrid& grid, const VcRouterParams& params, std::uint32_t packet_flits)
    : grid_(grid),
      params_(params),
      packet_flits_(packet_flits),
      vcs_(params.vcs),
      vc_request_cycles_(params.routing_delay + params.vc_alloc_delay - 1),
      switch_vcs_(std::size_t{router_ports} * params.input_speedup),
      across_(std::size_t{64} * grid.routers()),
      inputs_(across_.size()),
      outputs_(across_.size()),
      buffers_(across_.size(), params.vc_flits),
      sources_(grid.routers(), params),
      from_sources_(params.node_cycles()),
      between_routers_(params.flit_cycles()),
      to_nodes_(params.flit_cycles()),
      credits_(params.credit_cycles()),
      credits_to_sources_(params.node_cycles()),
      vc_requests_(vc_request_cycles_),
      switch_requests_(params.sw_alloc_delay - 1) {
    const std::uint32_t all = router_ports * vcs_;
    for (std::uint32_t i = 0; i < all; ++i) {
        port_of_[i] = static_cast<std::uint8_t>(i / vcs_);
        class_of_[i] = grid_.class_of(i % vcs_, vcs_);
        port_vcs_[port_of_[i]] |= bit(i);
        class_vcs_[class_of_[i]] |= bit(i);
        switch_vcs_[port_of_[i] * params.input_speedup + i % vcs_ % params.input_speedup] |= bit(i);
    }
    const Router router{
        .vc_alloc = Islip(all, all, params.vc_alloc_iterations),
        .sw_alloc = Islip(router_ports * params.input_speedup, router_ports, params.sw_alloc_iterations)};
    routers_.assign(grid.routers(), router);
    for (std::uint32_t r = 0; r < grid.routers(); ++r) connect(r);
}

void RouterNetwork::connect(std::uint32_t router) {
    for (std::uint32_t p = 0; p < router_ports; ++p) {
        const auto port = static_cast<Port>(p);
        const auto neighbour = grid_.neighbour(router, port);
        if (!neighbour && port != Port::node) continue;   // nothing is routed there
        routers_[router].free |= port_vcs_[p];
        for (std::uint32_t v = 0; v < vcs_; ++v) {
            const Vc vc = number(router, p, v);
            across_[vc] = neighbour ? number(*neighbour, index_of(opposite(port)), v) : vc;
            outputs_[vc].credits = params_.vc_flits;
        }
    }
}

void RouterNetwork::begin(std::uint32_t node, std::uint32_t to, Cycles created, std::uint8_t coins,
                          std::uint32_t flits) {
    sources_.begin(node, {created, static_cast<std::uint16_t>(node), static_cast<std::uint16_t>(to), 0, coins, true},
                   flits);
}

/// The last credit was sent when the last flit moved; a node that holds a packet then sends.
bool RouterNetwork::at_rest() const {
    if (injected_ == 0) return true;
    return in_flight() == 0 && now_ > last_move_ + params_.credit_cycles();
}

void RouterNetwork::step() {
    arrived_.clear();
    sent_.clear();
    receive();
    for (std::uint32_t r = 0; r < routers_.size(); ++r) step_router(r);
    inject();
    ++now_;
}

void RouterNetwork::receive() {
    vc_requests_.receive(now_, [&](Vc input) { raise_vc_request(input); });
    switch_requests_.receive(now_, [&](Vc input) {
        inputs_[input].eligible = true;
        update_ready(input);
    });
    credits_.receive(now_, [&](Vc output) { take_credit(output); });
    credits_to_sources_.receive(
        now_, [&](Vc input) { sources_.credit(router_of(input), static_cast<std::uint8_t>(local(input))); });
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
    buffers_.push(moving.vc, moving.flit);
    last_move_ = now_;
    if (buffers_.size(moving.vc) > 1) return;
    if (inputs_[moving.vc].output) request_switch(moving.vc, now_);
    else begin_packet(moving.vc, now_);
}

void RouterNetwork::take_credit(Vc output) {
    OutputVc& state = outputs_[output];
    ++state.credits;
    if (state.owner) update_ready(*state.owner);
    else release_if_free(output);
}

/// A VC that belongs to no packet can be given to one; `when_empty` only with all its credits.
void RouterNetwork::release_if_free(Vc output) {
    if (params_.reuse == VcReuse::when_sent || outputs_[output].credits == params_.vc_flits)
        routers_[router_of(output)].free |= bit(local(output));
}

void RouterNetwork::inject() {
    for (std::uint32_t node = 0; node < routers_.size(); ++node) {
        if (sources_.idle(node)) continue;
        const auto sent = sources_.send(node);
        if (!sent) continue;
        from_sources_.send(now_, {number(node, index_of(Port::node), sent->vc), sent->flit});
        if (watched_) sent_.push_back({node, std::nullopt, sent->flit});
        ++injected_;
        ++flit_hops_;
        last_move_ = now_;
    }
}

/// Both allocators see the state that the cycle began with: VCs given now ask for the switch from the next cycle on,
/// and VCs that tails give back now are given from the next cycle on.
void RouterNetwork::step_router(std::uint32_t router) {
    Router& state = routers_[router];
    allocate_vcs(state);
    allocate_switch(state, router);
    for (const Grant& grant : granted_) give_vc(router, grant);
    granted_.clear();
}

void RouterNetwork::allocate_vcs(Router& state) {
    std::array<Islip::Group, 2 * router_ports> groups;
    std::size_t n = 0;
    for (std::uint32_t out = 0; out < router_ports; ++out)
        for (std::uint32_t c = 0; c < class_vcs_.size(); ++c) {
            const Mask asking = state.requests[out][c], free = state.free & port_vcs_[out] & class_vcs_[c];
            if (asking != 0 && free != 0) groups[n++] = {free, asking};
        }
    state.vc_alloc.allocate(std::span(groups.data(), n), [&](std::uint32_t input, std::uint32_t output) {
        granted_.push_back({input, output});
    });
}

void RouterNetwork::allocate_switch(Router& state, std::uint32_t router) {
    std::array<Islip::Group, router_ports> groups;
    std::size_t n = 0;
    for (std::uint32_t out = 0; out < router_ports; ++out) {
        if (state.ready[out] == 0) continue;
        Mask asking = 0;   // inputs of the switch
        for (std::uint32_t in = 0; in < switch_vcs_.size(); ++in)
            if ((state.ready[out] & switch_vcs_[in]) != 0) asking |= bit(in);
        groups[n++] = {bit(out), asking};
    }
    state.sw_alloc.allocate(std::span(groups.data(), n), [&](std::uint32_t in, std::uint32_t out) {
        const std::uint32_t vc = first_from(state.ready[out] & switch_vcs_[in], state.turn[in]);
        state.turn[in] = static_cast<std::uint8_t>(vc + 1);
        depart(64 * router + vc);
    });
}

void RouterNetwork::give_vc(std::uint32_t router, Grant grant) {
    Router& state = routers_[router];
    const Vc input = 64 * router + grant.input, output = 64 * router + grant.output;
    InputVc& vc = inputs_[input];
    for (Mask& asking : state.requests[index_of(vc.port)]) asking &= ~bit(grant.input);
    state.free &= ~bit(grant.output);
    outputs_[output].owner = input;
    vc.output = output;
    request_switch(input, now_ + 1);
}

void RouterNetwork::depart(Vc input) {
    InputVc& vc = inputs_[input];
    const Vc output = *vc.output;
    const RouterFlit flit = buffers_.pop(input);
    --outputs_[output].credits;
    vc.eligible = false;
    ++flit_hops_;
    last_move_ = now_;
    if (watched_) sent_.push_back({router_of(input), vc.port, flit});
    if (vc.port == Port::node) to_nodes_.send(now_, {output, flit});
    else between_routers_.send(now_, {across_[output], flit});
    if (port_of_[local(input)] == index_of(Port::node)) credits_to_sources_.send(now_, input);
    else credits_.send(now_, across_[input]);

    update_ready(input);
    if (flit.tail) {
        vc.output.reset();
        outputs_[output].owner.reset();
        release_if_free(output);
    }
    if (buffers_.size(input) == 0) return;
    if (flit.tail) begin_packet(input, now_ + 1);
    else request_switch(input, now_ + 1);
}

/// A head flit has come to the front of its buffer: it is routed, and asks for a VC from cycle `from` on.
void RouterNetwork::begin_packet(Vc input, Cycles from) {
    InputVc& vc = inputs_[input];
    const RouterFlit& head = buffers_.front(input);
    const std::uint32_t here = local(input);
    const RouteStep step =
        grid_.route(router_of(input), head.to, static_cast<Port>(port_of_[here]), class_of_[here], head.coins);
    vc.port = step.port;
    vc.classes = step.vc_class ? static_cast<std::uint8_t>(1u << *step.vc_class) : std::uint8_t{3};
    if (vc_request_cycles_ == 0) raise_vc_request(input);
    else vc_requests_.send(from, input);
}

void RouterNetwork::raise_vc_request(Vc input) {
    const InputVc& vc = inputs_[input];
    auto& requests = routers_[router_of(input)].requests[index_of(vc.port)];
    for (std::uint32_t c = 0; c < requests.size(); ++c)
        if ((vc.classes >> c & 1) != 0) requests[c] |= bit(local(input));
}

/// The flit at the front asks for the switch from cycle `from` on.
void RouterNetwork::request_switch(Vc input, Cycles from) {
    if (params_.sw_alloc_delay > 1) return switch_requests_.send(from, input);
    inputs_[input].eligible = true;
    update_ready(input);
}

/// Whether the flit at the front takes part in switch allocation: it is eligible and there is a credit for it.
void RouterNetwork::update_ready(Vc input) {
    const InputVc& vc = inputs_[input];
    Mask& ready = routers_[router_of(input)].ready[index_of(vc.port)];
    if (vc.eligible && outputs_[*vc.output].credits > 0) ready |= bit(local(input));
    else ready &= ~bit(local(input));
}

}   // namespace oscar

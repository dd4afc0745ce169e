#include "models/network/grid/router_stages.hpp"

#include <algorithm>

namespace oscar {

RouterStages::RouterStages(const RouterLayout& layout, RouterId router)
    : layout_(&layout),
      router_(router),
      vc_alloc_(router_ports * layout.params.vcs, router_ports * layout.params.vcs, layout.params.vc_alloc_iterations),
      sw_alloc_(router_ports * layout.params.input_speedup, router_ports, layout.params.sw_alloc_iterations),
      inputs_(std::size_t{router_ports} * layout.params.vcs),
      outputs_(inputs_.size()),
      buffers_(inputs_.size(), layout.params.vc_flits) {
    for (std::uint32_t p = 0; p < router_ports; ++p) {
        if (!layout.has_link(router, static_cast<Port>(p))) continue;   // nothing is routed there
        free_ |= layout.port_vcs[p];
        for_each_bit(layout.port_vcs[p], [&](std::uint32_t vc) { outputs_[vc].credits = layout.params.vc_flits; });
    }
}

void RouterStages::arrive(std::uint32_t input, const RouterFlit& flit, Cycles now) {
    buffers_.push(input, flit);
    ++held_;
    if (buffers_.size(input) > 1) return;
    if (inputs_[input].output) request_switch(input, now);
    else begin_packet(input, now);
}

void RouterStages::take_credit(std::uint32_t output) {
    OutputVc& state = outputs_[output];
    ++state.credits;
    if (state.owner) update_ready(*state.owner);
    else release_if_free(output);
}

/// A VC that belongs to no packet can be given to one; `when_empty` only with all its credits.
void RouterStages::release_if_free(std::uint32_t output) {
    const VcRouterParams& params = layout_->params;
    if (params.reuse == VcReuse::when_sent || outputs_[output].credits == params.vc_flits) free_ |= bit(output);
}

/// Both allocators see the state that the cycle began with: VCs given now ask for the switch from the next cycle on,
/// and VCs that tails give back now are given from the next cycle on.
std::span<const RouterStages::Departure> RouterStages::step(Cycles now) {
    left_count_ = 0;
    if (pending_ != 0) raise_due(now);
    std::array<Grant, 64> granted;
    const std::size_t grants = asking_ != 0 ? allocate_vcs(granted) : 0;
    if (ready_vcs_ != 0) allocate_switch(now);
    for (std::size_t i = 0; i < grants; ++i) give_vc(granted[i], now);
    return {left_.data(), left_count_};
}

std::optional<Cycles> RouterStages::next_work(Cycles now) const {
    if (ready_vcs_ != 0) return now + 1;
    for (std::uint32_t out = 0; asking_ != 0 && out < router_ports; ++out)
        for (std::uint32_t c = 0; c < layout_->class_vcs.size(); ++c)
            if (requests_[out][c] != 0 && (free_ & layout_->port_vcs[out] & layout_->class_vcs[c]) != 0) return now + 1;
    std::optional<Cycles> next;
    for_each_bit(pending_, [&](std::uint32_t vc) { next = next ? std::min(*next, inputs_[vc].due) : inputs_[vc].due; });
    return next;
}

/// Requests that have reached the last cycle of their stage take part in it.
void RouterStages::raise_due(Cycles now) {
    for_each_bit(pending_, [&](std::uint32_t input) {
        InputVc& vc = inputs_[input];
        if (vc.due > now) return;
        pending_ &= ~bit(input);
        if (!vc.output) return raise_vc_request(input);
        vc.eligible = true;
        update_ready(input);
    });
}

std::size_t RouterStages::allocate_vcs(std::array<Grant, 64>& granted) {
    std::array<Islip::Group, std::size_t{2} * router_ports> groups;
    std::size_t n = 0, grants = 0;
    for (std::uint32_t out = 0; out < router_ports; ++out)
        for (std::uint32_t c = 0; c < layout_->class_vcs.size(); ++c) {
            const Mask asking = requests_[out][c], free = free_ & layout_->port_vcs[out] & layout_->class_vcs[c];
            if (asking != 0 && free != 0) groups[n++] = {free, asking};
        }
    vc_alloc_.allocate(std::span(groups.data(), n), [&](std::uint32_t input, std::uint32_t output) {
        granted[grants++] = {static_cast<std::uint8_t>(input), static_cast<std::uint8_t>(output)};
    });
    return grants;
}

void RouterStages::allocate_switch(Cycles now) {
    const std::vector<Mask>& switch_vcs = layout_->switch_vcs;
    std::array<Islip::Group, router_ports> groups;
    std::size_t n = 0;
    for (std::uint32_t out = 0; out < router_ports; ++out) {
        if (ready_[out] == 0) continue;
        Mask asking = 0;   // inputs of the switch
        for (std::uint32_t in = 0; in < switch_vcs.size(); ++in)
            if ((ready_[out] & switch_vcs[in]) != 0) asking |= bit(in);
        groups[n++] = {bit(out), asking};
    }
    sw_alloc_.allocate(std::span(groups.data(), n), [&](std::uint32_t in, std::uint32_t out) {
        const std::uint32_t vc = first_from(ready_[out] & switch_vcs[in], turn_[in]);
        turn_[in] = static_cast<std::uint8_t>(vc + 1);
        depart(vc, now);
    });
}

void RouterStages::give_vc(Grant grant, Cycles now) {
    InputVc& vc = inputs_[grant.input];
    for (Mask& asking : requests_[index_of(vc.port)]) asking &= ~bit(grant.input);
    asking_ &= ~bit(grant.input);
    free_ &= ~bit(grant.output);
    outputs_[grant.output].owner = grant.input;
    vc.output = grant.output;
    request_switch(grant.input, now + 1);
}

void RouterStages::depart(std::uint32_t input, Cycles now) {
    InputVc& vc = inputs_[input];
    const std::uint8_t output = *vc.output;
    const RouterFlit flit = buffers_.pop(input);
    --held_;
    --outputs_[output].credits;
    vc.eligible = false;
    left_[left_count_++] = {static_cast<std::uint8_t>(input), output, vc.port, flit};

    update_ready(input);
    if (flit.tail) {
        vc.output.reset();
        outputs_[output].owner.reset();
        release_if_free(output);
    }
    if (buffers_.size(input) == 0) return;
    if (flit.tail) begin_packet(input, now + 1);
    else request_switch(input, now + 1);
}

/// A head flit has come to the front of its buffer: it is routed, and asks for a VC from cycle `from` on.
void RouterStages::begin_packet(std::uint32_t input, Cycles from) {
    InputVc& vc = inputs_[input];
    const RouterFlit& head = buffers_.front(input);
    const RouteStep step = layout_->grid.route(router_, NodeId{head.to}, static_cast<Port>(layout_->port_of[input]),
                                               layout_->class_of[input], head.coins);
    vc.port = step.port;
    vc.classes = step.vc_class ? static_cast<std::uint8_t>(1u << *step.vc_class) : std::uint8_t{3};
    const std::uint32_t before = layout_->params.routing_delay + layout_->params.vc_alloc_delay - 1;
    if (before == 0) return raise_vc_request(input);
    vc.due = from + before;
    pending_ |= bit(input);
}

void RouterStages::raise_vc_request(std::uint32_t input) {
    const InputVc& vc = inputs_[input];
    auto& requests = requests_[index_of(vc.port)];
    for (std::uint32_t c = 0; c < requests.size(); ++c)
        if ((vc.classes >> c & 1) != 0) requests[c] |= bit(input);
    asking_ |= bit(input);
}

/// The flit at the front asks for the switch from cycle `from` on.
void RouterStages::request_switch(std::uint32_t input, Cycles from) {
    if (layout_->params.sw_alloc_delay > 1) {
        inputs_[input].due = from + layout_->params.sw_alloc_delay - 1;
        pending_ |= bit(input);
        return;
    }
    inputs_[input].eligible = true;
    update_ready(input);
}

/// Whether the flit at the front takes part in switch allocation: it is eligible and there is a credit for it.
void RouterStages::update_ready(std::uint32_t input) {
    const InputVc& vc = inputs_[input];
    Mask& ready = ready_[index_of(vc.port)];
    if (vc.eligible && outputs_[*vc.output].credits > 0) {
        ready |= bit(input);
        ready_vcs_ |= bit(input);
    } else {
        ready &= ~bit(input);
        ready_vcs_ &= ~bit(input);
    }
}

std::optional<RouterStages::Wait> RouterStages::wait_of(std::uint32_t input) const {
    const InputVc& vc = inputs_[input];
    if (vc.port == Port::node) return std::nullopt;
    if (vc.output) return Wait{false, *vc.output};
    for (std::uint32_t v = 0; v < layout_->params.vcs; ++v) {
        const std::uint32_t output = layout_->local(index_of(vc.port), v);
        if ((vc.classes >> layout_->class_of[output] & 1) == 0) continue;
        const auto owner = outputs_[output].owner;
        return owner && *owner != input ? Wait{true, *owner} : Wait{false, output};
    }
    return std::nullopt;
}

}   // namespace oscar

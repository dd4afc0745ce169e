#include "models/machine/router/router_module.hpp"

#include <algorithm>
#include <string>

namespace oscar::inline machine {

RouterModule::RouterModule(const sc_core::sc_module_name& name, const RouterGridParams& params, std::uint32_t number)
    : CycledModule(name, params.clock, Phase::first),
      in("in", router_ports),
      credit_out("credit_out", router_ports),
      out("out", router_ports),
      credit_in("credit_in", router_ports),
      params_(params),
      number_(number),
      stages_(params.layout, number) {
    for (std::uint32_t p = 0; p < router_ports; ++p) {
        const auto port = static_cast<Port>(p);
        in[p].bind(inputs_.emplace_back(*this, port == Port::node ? 1 : 0));   // an interface register
        credit_in[p].bind(
            outputs_.emplace_back(*this, params.layout.params.credit_delay, [this] { return stages_.held() > 0; }));
        if (params.layout.has_link(number, port))
            buffers_[p] = level_of(params.waveform, std::string(this->name()) + "." + to_text(port), "buffer");
    }
}

void RouterModule::restart() {
    restart_cycles();
    stages_ = RouterStages(params_.layout, number_);
    for (FlitInput& input : inputs_) input.clear();
    for (CreditInput& output : outputs_) output.clear();
}

/// Credits concern a router only while it holds flits.
Cycles RouterModule::act(Cycles now) {
    for (std::uint32_t p = 0; p < router_ports; ++p) receive(p, now);
    for (const RouterStages::Departure& departure : stages_.step(now)) send(departure, now);
    Cycles next = stages_.next_work(now).value_or(no_cycle);
    for (const FlitInput& input : inputs_) next = std::min(next, input.next());
    if (stages_.held() > 0)
        for (const CreditInput& output : outputs_) next = std::min(next, output.next());
    return next;
}

void RouterModule::receive(std::uint32_t port, Cycles now) {
    const RouterLayout& layout = params_.layout;
    outputs_[port].receive(now, [&](std::uint8_t vc) { stages_.take_credit(layout.local(port, vc)); });
    inputs_[port].receive(now, [&](std::uint8_t vc, const RouterFlit& flit) {
        stages_.arrive(layout.local(port, vc), flit, now);
        if (buffers_[port] != nullptr) buffers_[port]->add(clock().begin_of(now), 1);
    });
}

/// The flit passes the switch, and its credit goes back.
void RouterModule::send(const RouterStages::Departure& departure, Cycles now) {
    const RouterLayout& layout = params_.layout;
    const std::uint32_t from = layout.port_of[departure.input];
    const auto vc = [&](std::uint8_t local) { return static_cast<std::uint8_t>(local % layout.params.vcs); };
    const Time begin = clock().begin_of(now + 1 + layout.params.switch_delay);
    out[index_of(departure.port)]->put(vc(departure.output), departure.flit, begin, begin + clock().cycle);
    credit_out[from]->give_back(vc(departure.input), params_.flit, clock().begin_of(now + 2));
    if (buffers_[from] != nullptr) buffers_[from]->add(clock().begin_of(now), -1);
}

}   // namespace oscar::inline machine

#include "models/machine/router/router_module.hpp"

#include <algorithm>
#include <string>

namespace oscar {

RouterModule::RouterModule(const sc_core::sc_module_name& name, const RouterGridParams& params, RouterId router)
    : LinkedRouter(name, params, router), stages_(params.layout, router) {
    for (std::uint32_t p = 0; p < router_ports; ++p) {
        const auto port = static_cast<Port>(p);
        if (params.layout.has_link(router, port))
            buffers_[p] = level_of(params.waveform, std::string(this->name()) + "." + to_text(port), "buffer");
    }
}

void RouterModule::restart() {
    LinkedRouter::restart();
    stages_ = RouterStages(params().layout, router());
}

Cycles RouterModule::act(Cycles now) {
    for (std::uint32_t p = 0; p < router_ports; ++p) receive(p, now);
    for (const RouterStages::Departure& departure : stages_.step(now)) send(departure, now);
    return std::min(stages_.next_work(now).value_or(no_cycle), next_to_come());
}

void RouterModule::receive(std::uint32_t port, Cycles now) {
    const RouterLayout& layout = params().layout;
    credits(port).receive(now, [&](std::uint8_t vc) { stages_.take_credit(layout.local(port, vc)); });
    flits(port).receive(now, [&](std::uint8_t vc, const RouterFlit& flit) {
        stages_.arrive(layout.local(port, vc), flit, now);
        if (buffers_[port] != nullptr) buffers_[port]->add(clock().begin_of(now), 1);
    });
}

/// The flit passes the switch, and its credit goes back.
void RouterModule::send(const RouterStages::Departure& departure, Cycles now) {
    const RouterLayout& layout = params().layout;
    const std::uint32_t from = layout.port_of[departure.input];
    const auto vc = [&](std::uint8_t local) { return static_cast<std::uint8_t>(local % layout.params.vcs); };
    const Time begin = clock().begin_of(now + 1 + layout.params.switch_delay);
    out[index_of(departure.port)]->put(vc(departure.output), departure.flit, begin, begin + clock().cycle);
    credit_out[from]->give_back(vc(departure.input), params().flit, clock().begin_of(now + 2));
    if (buffers_[from] != nullptr) buffers_[from]->add(clock().begin_of(now), -1);
}

}   // namespace oscar

#include "models/machine/router/linked_router.hpp"

#include <algorithm>

namespace oscar {

LinkedRouter::LinkedRouter(const sc_core::sc_module_name& name, const RouterGridParams& params, RouterId router)
    : CycledModule(name, params.clock, Phase::first),
      in("in", router_ports),
      credit_out("credit_out", router_ports),
      out("out", router_ports),
      credit_in("credit_in", router_ports),
      params_(params),
      router_(router) {
    const Cycles credit_delay = params.layout.params.credit_delay;
    for (std::uint32_t p = 0; p < router_ports; ++p) {
        const Cycles interface_register = static_cast<Port>(p) == Port::node ? 1 : 0;
        in[p].bind(flits_.emplace_back(*this, interface_register));
        credit_in[p].bind(credits_.emplace_back(*this, credit_delay, [this] { return waits_for_credit(); }));
    }
}

void LinkedRouter::restart() {
    restart_cycles();
    for (FlitInput& input : flits_) input.clear();
    for (CreditInput& output : credits_) output.clear();
}

Cycles LinkedRouter::next_to_come() const {
    Cycles next = no_cycle;
    for (const FlitInput& input : flits_) next = std::min(next, input.next());
    if (waits_for_credit())
        for (const CreditInput& output : credits_) next = std::min(next, output.next());
    return next;
}

}   // namespace oscar

#include "models/machine/router/cycled_module.hpp"

#include <algorithm>
#include <utility>

#include "models/machine/base/kernel_time.hpp"

namespace oscar {

CycledModule::CycledModule(const sc_core::sc_module_name& name, const RouterClock& clock, Phase phase)
    : sc_module(name), clock_(clock), phase_(phase) {
    SC_METHOD(run);
    sensitive << wake_;
    dont_initialize();
}

void CycledModule::wake(Cycles cycle) {
    cycle = std::max(cycle, acts_next_);
    if (cycle >= wakes_at_) return;
    wakes_at_ = cycle;
    wake_.notify(to_sc(clock_.begin_of(cycle) - kernel_now()));   // SystemC keeps the earliest notification
}

void CycledModule::run() {
    ++activations_;
    const Cycles now = wakes_at_;
    if (phase_ == Phase::second && std::exchange(reached_, now) != now) return wake_.notify(sc_core::SC_ZERO_TIME);
    wakes_at_ = no_cycle;
    acts_next_ = now + 1;
    if (const Cycles next = act(now); next != no_cycle) wake(next);
}

}   // namespace oscar

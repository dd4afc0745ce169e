// A module that acts in cycles of a clock, and only in those in which it has something to do.
#pragma once

#include <cstdint>
#include <limits>

#include <systemc>

#include "models/network/grid/router_clock.hpp"

namespace oscar {

inline constexpr Cycles no_cycle = std::numeric_limits<Cycles>::max();

/// Its process runs when it has been woken. No clock signal exists: a module without work costs nothing.
class CycledModule : public sc_core::sc_module {
public:
    /// The delta cycle of an instant in which it acts.
    enum class Phase : std::uint8_t {
        first,    ///< what concerns it is known before
        second,   ///< after the process of the Timeline, which may give it something for this very cycle
    };

    SC_HAS_PROCESS(CycledModule);
    /// `clock` must outlive it.
    CycledModule(const sc_core::sc_module_name& name, const RouterClock& clock, Phase phase);

    /// Asks for an activation in `cycle`, or in the first one after it in which it has not acted.
    void wake(Cycles cycle);
    const RouterClock& clock() const { return clock_; }
    /// The activations of its process so far.
    std::uint64_t activations() const { return activations_; }

protected:
    /// Does what is due in cycle `now`, and returns the next cycle in which it wants to act: later, or no_cycle.
    virtual Cycles act(Cycles now) = 0;
    /// Counts cycles from 0 again. Precondition: it is not to be woken any more.
    void restart_cycles() { acts_next_ = 0, reached_ = no_cycle; }

private:
    void run();

    const RouterClock& clock_;
    Phase phase_;
    Cycles wakes_at_ = no_cycle;
    Cycles acts_next_ = 0;        ///< no earlier
    Cycles reached_ = no_cycle;   ///< cycle whose first delta cycle has been
    std::uint64_t activations_ = 0;
    sc_core::sc_event wake_;
};

}   // namespace oscar

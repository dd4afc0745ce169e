// Base of an engine of a user's own with a clock: a SystemC module that takes blocks and finishes them later.
#pragma once

#include <memory>
#include <string>

#include <systemc>

#include "models/engine/clocked_engine.hpp"
#include "models/engine/engine_params.hpp"
#include "models/machine/base/kernel_time.hpp"

namespace oscar {

/// Its clock, whose edges are those of `params.clock`, runs while there is work: edge() is called at each rising edge
/// from the one on at which a block is offered until all are finished. A derived class may also bring an sc_clock of
/// its own and leave edge() empty; that costs an event in each cycle of the whole run.
///
/// A block that is not finished `params.answer_limit` after its data was there ends the run with an error that names
/// the engine, the block and the cycle.
class ClockedEngineModule : public sc_core::sc_module, public ClockedEngine {
public:
    SC_HAS_PROCESS(ClockedEngineModule);
    ClockedEngineModule(const sc_core::sc_module_name& name, const EngineParams& params);

    void begin() override;

protected:
    /// A rising edge: offered(), accept() and finish() act on this cycle.
    virtual void edge() = 0;
    /// The number of the cycle that has just begun, counted from time 0.
    Cycles cycle() const { return clock_.next_edge(now()); }

    Time now() const override { return kernel_now(); }
    void will_offer(Time at) override;
    void all_answered() override { limit_.cancel(); }

private:
    void run_edge();
    void check_limit();

    Clock clock_;
    Time answer_limit_;
    sc_core::sc_event work_, limit_;
};

}   // namespace oscar

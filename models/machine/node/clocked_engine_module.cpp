#include "models/machine/node/clocked_engine_module.hpp"

#include <stdexcept>

namespace oscar {

ClockedEngineModule::ClockedEngineModule(const sc_core::sc_module_name& name, const EngineParams& params)
    : sc_module(name), clock_(params.clock), answer_limit_(params.answer_limit) {
    SC_METHOD(run_edge);
    sensitive << work_;
    dont_initialize();
    SC_METHOD(check_limit);
    sensitive << limit_;
    dont_initialize();
}

void ClockedEngineModule::begin() {
    ClockedEngine::begin();
    work_.cancel();
    limit_.cancel();
}

/// An earlier notification of an sc_event prevails over a later one.
void ClockedEngineModule::will_offer(Time at) {
    work_.notify(to_sc(clock_.edge(clock_.next_edge(at)) - now()));
    limit_.notify(to_sc(oldest().ready + answer_limit_ - now()));
}

void ClockedEngineModule::run_edge() {
    edge();
    const bool working = accepted(EngineArray::encoder) + accepted(EngineArray::decoder) > 0;
    const Time next = clock_.edge(cycle() + 1);
    if (working) work_.notify(to_sc(next - now()));
    else if (const auto offer = next_offer())
        work_.notify(to_sc(std::max(next, clock_.edge(clock_.next_edge(*offer))) - now()));
}

/// Blocks that were finished in time may have left the limit of an earlier one behind.
void ClockedEngineModule::check_limit() {
    const Request late = oldest();
    const Time end = late.ready + answer_limit_;
    if (end > now()) return limit_.notify(to_sc(end - now()));
    fail(std::make_exception_ptr(std::runtime_error(
        std::string(name()) + ": the " + (late.unit == EngineArray::encoder ? "encoder" : "decoder") +
        " has not answered for a block of " + std::to_string(late.values) + " values, whose data was there at cycle " +
        std::to_string(clock_.next_edge(late.ready)) + ", by cycle " + std::to_string(cycle()) +
        ", which is engine.answer_limit later")));
}

}   // namespace oscar

// The timed run of a method's collective: its messages on the simulated machine, with what surrounds them.
#pragma once

#include <optional>
#include <vector>

#include "models/exchange/exchange.hpp"
#include "models/machine/machine.hpp"
#include "sim/run/iteration/agreement.hpp"
#include "sim/run/iteration/progress.hpp"

namespace oscar {

struct TimedCollective {
    Outcome outcome;
    EngineMemoryTraffic engine_reads;   ///< what engines read beside the values
    Bytes table_memory;                 ///< of the tables that are kept, and of the ones in the lanes
    std::optional<Time> closed_form;    ///< of its steps
    CriticalPath kernels;               ///< of the GPU, around it
    CriticalPath learning;              ///< of the tables for which the iteration before left counts
    bool learns = false;                ///< there are such tables
};

/// Runs an exchange, whose reference has run, on the machine, between `simulated`, its participants there. `start`: per
/// rank, empty: all at once.
TimedCollective run_timed(Machine& machine, const MethodSetting& setting, Exchange& exchange,
                          const Participants& simulated, const Agreement& agreement, const IterationCodes& codes,
                          const std::vector<Time>& start, const ShareDone& progress);

}   // namespace oscar

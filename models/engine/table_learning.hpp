// Table learning between two AllReduces: the time in which engines make their tables of the counts of the last one.
#pragma once

#include <algorithm>
#include <span>

#include "models/engine/engine_memory_traffic.hpp"
#include "models/engine/table_unit_cycles.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// In which an engine makes a table: kinds `cycles` and `rtl` have the table unit with one divider.
inline Cycles cycles_of_a_table(const EngineParams& engine) {
    return engine.kind == EngineKind::pipelined ? engine.table_update : table_unit_cycles(1);
}

/// `engines`: [rank]. Before the first step, where `engine.learning` is exposed: each engine makes the number of tables
/// that the rank with the most holds, one after the other. All ranks wait for the slowest engine.
inline CriticalPath table_learning(std::span<const EngineParams> engines, const EngineMemoryTraffic& traffic) {
    CriticalPath path;
    for (const EngineParams& engine : engines)
        if (engine.learning == Exposure::exposed)
            path.engine_ps =
                std::max(path.engine_ps, Clock(engine.clock).edge(traffic.tables_kept * cycles_of_a_table(engine)).ps);
    return path;
}

}   // namespace oscar

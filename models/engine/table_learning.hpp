// Table learning between two AllReduces: the time in which engines make their tables of the counts of the last one.
#pragma once

#include <span>

#include "models/engine/engine_memory_traffic.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// `engines`: [rank]. Before the first step, where `engine.learning` is exposed: each engine makes the number of tables
/// that the rank with the most holds, one after the other, in `table_update` cycles each. All ranks wait for the
/// slowest engine.
CriticalPath table_learning(std::span<const EngineParams> engines, const EngineMemoryTraffic& traffic);

}   // namespace oscar

// Table learning between two AllReduces: the time in which engines make their tables of the counts of the last one.
#pragma once

#include "models/nic/engine_memory_traffic.hpp"
#include "models/nic/node.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar::inline nic {

/// Before the first step, where `engine.learning` is exposed: each engine makes the number of tables that the rank with
/// the most holds, one after the other, in `table_update` cycles each. All ranks wait for the slowest engine.
CriticalPath table_learning(const Nodes& nodes, const EngineMemoryTraffic& traffic);

}   // namespace oscar::inline nic

#include "models/nic/table_learning.hpp"

#include <algorithm>

namespace oscar::inline nic {

CriticalPath table_learning(const Nodes& nodes, const EngineMemoryTraffic& traffic) {
    const Cycles tables = traffic.table_memory_needed.count / table_memory.count;
    CriticalPath path;
    for (const auto& [gpu, nic, engine] : nodes)
        if (engine.learning == Exposure::exposed)
            path.engine_ps = std::max(path.engine_ps, Clock(engine.clock).edge(tables * engine.table_update).ps);
    return path;
}

}   // namespace oscar::inline nic

#include "models/nic/table_learning.hpp"

#include <algorithm>

namespace oscar::inline nic {

CriticalPath table_learning(const Nodes& nodes, const EngineMemoryTraffic& traffic) {
    CriticalPath path;
    for (const auto& [gpu, nic, engine] : nodes)
        if (engine.learning == Exposure::exposed)
            path.engine_ps =
                std::max(path.engine_ps, Clock(engine.clock).edge(traffic.tables_kept * engine.table_update).ps);
    return path;
}

}   // namespace oscar::inline nic

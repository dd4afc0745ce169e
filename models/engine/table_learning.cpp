#include "models/engine/table_learning.hpp"

#include <algorithm>

namespace oscar {

CriticalPath table_learning(std::span<const EngineParams> engines, const EngineMemoryTraffic& traffic) {
    CriticalPath path;
    for (const EngineParams& engine : engines)
        if (engine.learning == Exposure::exposed)
            path.engine_ps =
                std::max(path.engine_ps, Clock(engine.clock).edge(traffic.tables_kept * engine.table_update).ps);
    return path;
}

}   // namespace oscar

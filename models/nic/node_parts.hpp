// The parts of a node that serve the blocks of messages.
#pragma once

#include <memory>

#include "models/engine/engine.hpp"
#include "models/nic/dma.hpp"
#include "models/nic/island_port.hpp"
#include "models/nic/node_params.hpp"
#include "models/nic/reduce_unit.hpp"
#include "models/nic/staging_memory.hpp"

namespace oscar {

/// References to parts that somebody else owns. All jobs that a rank takes part in share them.
struct NodeParts {
    Dma& dma;
    Engine& engine;
    ReduceUnit& reduce_unit;
    IslandPort* island_port = nullptr;   ///< of the rank's own GPU; null: it has none
    StagingMemory* staging = nullptr;    ///< null: unlimited

    /// Nothing is under way, and use is counted from now on. `noted`: its spans are going to be asked for.
    void begin(bool noted) const {
        dma.begin(noted);
        engine.begin();
        reduce_unit.begin(noted);
        if (island_port != nullptr) island_port->begin(noted);
        if (staging != nullptr) staging->begin();
    }
};

}   // namespace oscar

// The parts of a node that serve the blocks of messages.
#pragma once

#include <memory>

#include "models/engine/engine.hpp"
#include "models/nic/dma.hpp"
#include "models/nic/node_params.hpp"
#include "models/nic/reduce_unit.hpp"
#include "models/nic/staging_memory.hpp"

namespace oscar {

/// References to parts that somebody else owns.
struct NodeParts {
    Dma& dma;
    Engine& engine;
    ReduceUnit& reduce_unit;
    StagingMemory* staging = nullptr;   ///< null: unlimited
};

}   // namespace oscar

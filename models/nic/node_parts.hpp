// The parts of a node that serve the blocks of messages.
#pragma once

#include <memory>

#include "models/nic/dma.hpp"
#include "models/nic/engine.hpp"
#include "models/nic/node.hpp"
#include "models/nic/reduce_unit.hpp"

namespace oscar::inline nic {

/// References to parts that somebody else owns.
struct NodeParts {
    Dma& dma;
    Engine& engine;
    ReduceUnit& reduce_unit;
};

}   // namespace oscar::inline nic

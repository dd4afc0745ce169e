// Checks of gpu.island_port.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a port where the topology has no islands, or where some ranks have none; a method whose messages cannot
/// change between ports and NICs, or whose codes the GPU does not make.
void check_island_port(const Experiment& experiment);

}   // namespace oscar

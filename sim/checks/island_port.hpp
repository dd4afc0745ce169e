// Checks of gpu.island_port and of what needs it: NICs that GPUs share, switches of islands that add.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a port where the topology has no islands, or where some ranks have none; a method whose messages cannot
/// change between ports and NICs, or whose codes the GPU does not make.
void check_island_port(const Experiment& experiment);

/// ConfigError: GPUs that share a NIC and reach each other by it alone, or whose nodes say different things of it; a
/// NIC of an island for fewer GPUs than the others.
void check_gpus_per_nic(const Experiment& experiment);

/// ConfigError: switches of islands that add, where the topology has no such islands or GPUs no ports to them, or
/// where nothing says what they add with.
void check_inside_of_islands(const Experiment& experiment);

}   // namespace oscar

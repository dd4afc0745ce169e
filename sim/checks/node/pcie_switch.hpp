// Check of `gpu.pcie_switch`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: uplinks that unequal numbers of GPUs share, a NIC whose GPUs are on two switches, or nodes that say
/// different things of their switches.
void check_pcie_switch(const Experiment& experiment);

}   // namespace oscar

// Check of `nic.staging_memory`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: memory below a packet, which no NIC could ever take in, a network whose links wait for no credits, or
/// background traffic.
void check_staging_memory(const Experiment& experiment);

}   // namespace oscar

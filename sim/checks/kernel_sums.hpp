// What kernels of GPUs can add: check of the keys that have them add.
#pragma once

#include <string>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError at `node`, the key that has kernels add what comes: a method whose values kernels do not have, or whose
/// sums must stay in the NIC. `instead`: what may be left out or written in its place.
void check_sums_of_kernels(const Parameters& parameters, const ConfigNode& node, const std::string& instead);

}   // namespace oscar

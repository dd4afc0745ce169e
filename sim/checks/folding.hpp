// Check of `folding`: ranks that shall be folded, and something distinguishes them.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: folding: always, and ranks that differ.
void check_folding(const Experiment& experiment);

}   // namespace oscar

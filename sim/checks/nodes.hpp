// Checks of `nodes`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: an entry without ranks, a rank that does not exist or is in two entries, an engine that makes other
/// bytes, a late start with a step, a slowdown without.
void check_nodes(const Experiment& experiment);

}   // namespace oscar

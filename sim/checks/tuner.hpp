// Checks of `tuner`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a payload with values, a collective beside the tuner, ranks or a size that it cannot choose for.
void check_tuner(const Experiment& experiment);

/// ConfigError: a topology without the hops of the tuner.
void check_tuner_topology(const Experiment& experiment);

}   // namespace oscar

// Checks of engine.kind.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a kind whose arrays are those of the RTL, with a method, payload or number of streams that it does not
/// have; RTL that nobody has made.
void check_engine_kind(const Experiment& experiment);

}   // namespace oscar

// Checks of engine.technology.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a figure that is missing, for it would count as nothing; an empty list of units.
void check_technology(const Experiment& experiment);

}   // namespace oscar

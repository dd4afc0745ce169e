// Technologies by name: the figures of an engine's parts as configs/technologies has them.
#pragma once

#include "sim/config/node.hpp"

namespace oscar {

/// Puts the figures of configs/technologies/NAME.yaml in the place of `engine.technology: NAME` of an experiment, and
/// under the other keys of `engine.technology: {kind: NAME, ...}`. Leaves a map without a kind as it is. ConfigError:
/// no such technology.
void expand_technology(ConfigNode& experiment);

}   // namespace oscar

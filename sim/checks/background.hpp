// Checks of `network.background`.
#pragma once

#include "sim/checks/cabled_experiment.hpp"

namespace oscar {

/// ConfigError: a sender that is none or named twice, a pattern that so few ranks or these senders do not allow.
void check_background(const Experiment& experiment);

/// ConfigError: no path for a message that may come, or none back for its receiver's answers.
void check_background_ways(const CabledExperiment& cabled);

}   // namespace oscar

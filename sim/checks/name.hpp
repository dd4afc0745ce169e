// Checks of `experiment`.
#pragma once

#include "sim/config/folder_name.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a name that no folder can have.
inline void check_experiment_name(const Experiment& experiment) {
    require_folder_name(experiment.source.child("experiment"), experiment.parameters.experiment);
}

}   // namespace oscar

// Checks of `jobs`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: beside jobs, values, a tuner, starts or scales of ranks, or codes in GPU memory.
void check_surroundings_of_jobs(const Experiment& experiment);

/// ConfigError: a job of fewer than two ranks, a rank that does not exist or is in two jobs, a collective that does not
/// fit, two jobs of one name.
void check_jobs(const Experiment& experiment);

}   // namespace oscar

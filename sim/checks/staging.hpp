// Check of `gpu.staging`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: staging in GPU memory where kernels cannot add what comes, or some ranks alone that stage so.
void check_staging(const Experiment& experiment);

}   // namespace oscar

// The training step on a terminal.
#pragma once

#include <string>

#include "sim/report/report.hpp"

namespace oscar::inline report {

/// Steps, their speed-ups and Amdahl's law over the first method, and below it the buckets; empty where the experiment
/// has no step.
std::string step_table(const Report& report);

}   // namespace oscar::inline report

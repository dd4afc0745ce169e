// The training step on a terminal.
#pragma once

#include <string>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// Steps and their speed-ups; with View::wide also Amdahl's law over the first method, and each bucket. Empty where the
/// experiment has no step.
std::string step_table(const Report& report, const View& view);

}   // namespace oscar

// Synthetic traffic on a grid of routers: parameters in, report out.
#pragma once

#include "sim/terminal/progress.hpp"
#include "sim/traffic/parameters.hpp"
#include "sim/traffic/report.hpp"

namespace oscar {

/// Measures the configured loads, then looks for the saturation; `progress` is told how far each load is. Deterministic
/// but for TrafficReport::host. Throws RouterDeadlock.
TrafficReport run_traffic(const TrafficParameters& parameters, const Progress& progress);

}   // namespace oscar

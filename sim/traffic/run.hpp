// Synthetic traffic on a grid of routers: parameters in, report out.
#pragma once

#include <functional>
#include <string>

#include "sim/traffic/parameters.hpp"
#include "sim/traffic/report.hpp"

namespace oscar::inline traffic {

/// Measures the configured loads, then looks for the saturation; `progress` is told what is being done. Deterministic
/// but for TrafficReport::host. Throws RouterDeadlock.
TrafficReport run_traffic(const TrafficParameters& parameters, const std::function<void(const std::string&)>& progress);

}   // namespace oscar::inline traffic

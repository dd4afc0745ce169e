// One experiment: configuration and trace in, report out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/checks/load.hpp"
#include "sim/report/report.hpp"
#include "sim/terminal/progress.hpp"

namespace oscar::inline experiment {

/// Checks all that can be checked without reading a gradient, and gives the folder of the trace, if there is one.
/// Throws ConfigError or InputError, as run.
std::optional<std::filesystem::path> check(const Experiment& experiment);

/// Runs an experiment. One per process (SystemC). Deterministic but for Report::host, with any number of `threads`, at
/// least one, which share the work of the ranks on real values; the simulation is on the caller's. Throws ConfigError
/// or InputError (the trace, or what of it is wanted), Deadlock, CorruptStream.
Report run(const Experiment& experiment, const Progress& progress, std::uint32_t threads = 1);

}   // namespace oscar::inline experiment

// One experiment: configuration and trace in, report out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sim/checks/load_experiment.hpp"
#include "sim/report/report.hpp"
#include "sim/terminal/progress.hpp"

namespace oscar {

/// Checks all that can be checked without reading a gradient, and gives the folder of the trace, if there is one.
/// Throws ConfigError or InputError, as run.
std::optional<std::filesystem::path> check(const Experiment& experiment);

/// Told before a run what its user should know then, like how long it takes.
using Announce = std::function<void(const std::string& sentence)>;

/// Runs an experiment. One per process: it builds a machine, and SystemC takes none once another has run. Deterministic
/// but for Report::host, with any number of `threads`, at least one, which share the work of the ranks on real values;
/// the simulation is on the caller's. `announce`: none: nothing is told. Throws ConfigError or InputError (the trace,
/// or what of it is wanted), Deadlock, CorruptStream.
Report run(const Experiment& experiment, const Progress& progress, std::uint32_t threads = 1,
           const Announce& announce = {});

}   // namespace oscar

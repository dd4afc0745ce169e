// Experiments that have been read and checked against themselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/checks/checks.hpp"
#include "sim/config/base.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Reads, resolves and checks the configuration `source` of `file`: relative paths are found from there, and its name
/// is the default name. Throws ConfigError.
inline Experiment make_experiment(ConfigNode source, const std::filesystem::path& file) {
    Experiment experiment = read_experiment(std::move(source), file);
    run_checks(checks_as_written, experiment);
    resolve(experiment);
    run_checks(checks_as_resolved, experiment);
    return experiment;
}

/// Reads the experiment file that find_config finds, over its bases, and applies `--set` overrides in order. Throws
/// ConfigError.
inline Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    FoundConfig found = load_named(file, FileKind::run, overrides);
    return make_experiment(std::move(found.root), found.file);
}

}   // namespace oscar

// Experiments that have been read and checked against themselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Reads, resolves and checks the configuration `source` of `file`: relative paths are found from there, and its name
/// is the default name. Throws ConfigError.
Experiment make_experiment(ConfigNode source, const std::filesystem::path& file);

/// Reads the experiment file that find_config finds, over its bases, and applies `--set` overrides in order. Throws
/// ConfigError.
Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides);

}   // namespace oscar

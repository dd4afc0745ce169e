// Configurations that build on others: `base: FILE`, or `base: [FILE, FILE]`.
#pragma once

#include <filesystem>

#include "sim/config/node.hpp"

namespace oscar::inline config {

/// `root`, read from `file`, over the files that its key `base` names, each over the one before it (lay_over); the key
/// goes. A base may have bases of its own. It is a file that find_beside finds, or the name of one of configs/parts,
/// here or shipped. What it says keeps its location there. ConfigError: see load_config; no such file; a base that is
/// no map, or that builds on itself.
ConfigNode over_its_bases(ConfigNode root, const std::filesystem::path& file);

}   // namespace oscar::inline config

// Configurations by name, and those that build on others: `base: FILE`, or `base: [FILE, FILE]`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/file_kind.hpp"
#include "sim/config/node.hpp"

namespace oscar {

/// The file that the value `node` of a key `base` in `file` names: what find_beside or find_base_named finds.
/// ConfigError: no text, no such file.
std::filesystem::path find_base(const ConfigNode& node, const std::filesystem::path& file);

/// `root`, read from `file`, over the files that its key `base` names, each over the one before it (overlay); the key
/// goes. A base may have bases of its own. What it says keeps its location there. ConfigError: see load_config,
/// find_base; a base that is no map, or that builds on itself; two machines in one list; more than 1000 bases in all.
ConfigNode over_its_bases(ConfigNode root, const std::filesystem::path& file);

/// A configuration, and the file in which it was found.
struct FoundConfig {
    std::filesystem::path file;
    ConfigNode root;
};

/// The configuration of a command that a user calls `name` (find_config; "-" is standard input, as if it lay in the
/// file standard-input.yaml here), an experiment over its bases, with `--set` overrides applied in order. ConfigError:
/// see find_config, load_config, require_file_kind, over_its_bases, apply_override.
FoundConfig load_named(const std::filesystem::path& name, FileKind kind, const std::vector<std::string>& overrides);

}   // namespace oscar

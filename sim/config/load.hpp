// Loading of configurations from YAML files, with overrides from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/config/node.hpp"

namespace oscar {

/// The one YAML document of a file. Locations name the file as `file` spells it.
/// ConfigError: no such file, a directory, pipe or device, unreadable, larger than 16 MiB, empty, not YAML, not UTF-8,
/// a key twice in one map, an alias, a second document.
ConfigNode load_config(const std::filesystem::path& file);

/// Reads the one YAML document of a text, with the errors of load_config; `source` is the file name that they quote.
/// JSON is YAML, so this also reads an echo.
ConfigNode parse_config(std::string_view yaml, std::string_view source);

/// Reads the one YAML document on standard input, which may be a pipe or device, with the errors of load_config;
/// locations name it so.
ConfigNode load_standard_input();

/// Sets one value as `--set` does: `assignment` is `path.to.key=VALUE`, VALUE is YAML (`{kind: ring}`, `[1, 2]`,
/// `400Gbps`), and stands over what is there (overlay). Missing maps are created; entries of a list are named by index
/// (`methods.0`) and must exist; a single value that stands where a map is needed becomes its `kind` (`chunks:
/// predicted` and chunks.block=256 give {kind: predicted, block: 256}). Errors of the new value are located at `--set
/// path.to.key=VALUE`, cut after 60 characters. ConfigError: no '=', an empty key or value, VALUE is not YAML, no such
/// list entry.
void apply_override(ConfigNode& root, std::string_view assignment);

/// Puts `value` at the dotted `path`, none of whose keys may be empty, as apply_override does; `value` keeps the
/// location where it was written, so errors of it point there. ConfigError: no such list entry.
void set_value(ConfigNode& root, std::string_view path, ConfigNode value);

/// Puts `above` over `below`, which stand at the same path. The one rule of files over bases, `--set` and sweeps:
///
/// * Maps merge key by key. Over a single value, a map gives parameters to the kind of that name.
/// * Where a map names another kind, entries of the old one stay and say so (`of_kind`): those that the new kind does
///   not have are left out when it is read (read_kind).
/// * A single value, a list and null replace as a whole. A list over a list, and a kind's name over a map with
///   parameters, say what they replaced (`replaced`).
void overlay(ConfigNode& below, ConfigNode above);

}   // namespace oscar

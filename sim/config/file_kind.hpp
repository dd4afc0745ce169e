// Kind of a YAML file: the command that it is for.
#pragma once

#include <cstdint>

#include "sim/config/node.hpp"

namespace oscar {

/// A kind of file, named after the command that reads it.
enum class FileKind : std::uint8_t { run, sweep, traffic, predict };

/// ConfigError if `root`, the top of a file, has a key that only files of another kind have: the error names the
/// command that reads the file. An experiment with a tuner is one for predict, too.
void require_file_kind(const ConfigNode& root, FileKind kind);

}   // namespace oscar

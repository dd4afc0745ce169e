// Hashes of arrays written into a trace.yaml that is there.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sim/config/node.hpp"

namespace oscar {

/// `text`, a trace.yaml that was read as `root`, as format 2: with hash number i, which stands in place of an older
/// one, in iteration number i. Comments and layout stay where that can be done; else it is written anew
/// (manifest_text). Law: reading it gives the same manifest but for format and hashes. ConfigError: see read_manifest.
std::string with_hashes(const std::string& text, const ConfigNode& root, std::span<const std::string> hashes);

/// Hashes every array of the trace in `folder` and writes them into its trace.yaml, whatever hashes that had.
/// ConfigError: see load_config, read_manifest. TraceError: see MappedFile. Throws as fail_to_write.
void write_hashes(const std::filesystem::path& folder);

}   // namespace oscar

// Trace folders by path, or by name among the shipped ones.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace oscar {

/// True if `folder` is a folder with a trace.yaml. Never throws.
bool holds_trace(const std::filesystem::path& folder);

/// The trace that a user calls `name`, seen from the configuration `file`: what find_beside finds of that path, else
/// of traces/`name`; nothing where neither holds a trace.
std::optional<std::filesystem::path> find_trace_beside(const std::filesystem::path& name,
                                                       const std::filesystem::path& file);

/// The trace that a user of the command line calls `name`: that folder, or the one of that path or of traces/`name`
/// in the current folder or in data_folder(); nothing where none holds a trace.
std::optional<std::filesystem::path> find_trace_named(const std::filesystem::path& name);

/// The file `name` of a trace's `folder`. TraceError: it is a link that leads out of the folder, so that what is read
/// would not be the trace.
std::filesystem::path file_of_folder(const std::filesystem::path& folder, const std::string& name);

/// Why `name` leads to no trace, and what to write: "no such folder 'traces/lnet' (did you mean traces/lenet?), here,
/// …". `places`: where was searched, like places_beside(); empty: not named, and neither is `name`, which stands
/// before.
std::string why_no_trace(const std::filesystem::path& name, const std::string& places);

}   // namespace oscar

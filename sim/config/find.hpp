// Search paths for the relative paths of a configuration.
#pragma once

#include <filesystem>
#include <optional>

namespace oscar::inline config {

/// `wanted` if it is absolute or exists in the current folder; else what exists of that name in the folder of the
/// configuration `file` or in one above it; else nothing.
std::optional<std::filesystem::path> find_beside(const std::filesystem::path& wanted,
                                                 const std::filesystem::path& file);

}   // namespace oscar::inline config

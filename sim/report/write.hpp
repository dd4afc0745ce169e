// Result files appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace oscar {

/// Makes `folder` if it is missing and checks that a file can be written there. Throws InputError otherwise.
void check_writable(const std::filesystem::path& folder);

/// Writes `text` under a temporary name and renames it to `file`. Throws InputError if it cannot.
void write_by_rename(const std::filesystem::path& file, const std::string& text);

}   // namespace oscar

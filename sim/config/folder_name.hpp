// Folder names below results/ as configurations give them, and their checks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/config/node.hpp"

namespace oscar {

/// Why `name` cannot name a folder within another one, and how to write it; nothing if it can. A name that would lead
/// elsewhere cannot: one with a '/', "." and "..".
std::optional<std::string> why_no_folder_name(std::string_view name);

/// ConfigError at `node` if `name`, which it holds or stands for, cannot name a folder.
void require_folder_name(const ConfigNode& node, std::string_view name);

}   // namespace oscar

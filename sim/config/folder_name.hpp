// Folder names below results/ as configurations give them, and their checks.
#pragma once

#include <fmt/format.h>

#include <climits>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/config/node.hpp"
#include "sim/config/text.hpp"

namespace oscar {

/// Why `name` cannot name a folder within another one, and how to write it; nothing if it can. A name that would lead
/// elsewhere cannot: one with a '/', "." and "..".
inline std::optional<std::string> why_no_folder_name(std::string_view name) {
    const bool leads_elsewhere = name == "." || name == ".." || name.find('/') != std::string_view::npos;
    if (!leads_elsewhere && is_printable(name) && !name.empty() && name.size() <= NAME_MAX) return std::nullopt;
    return fmt::format(
        "{} cannot name a folder within the results; write a name without '/', of at most {} bytes, like ring8",
        in_quotes(name), NAME_MAX);
}

/// ConfigError at `node` if `name`, which it holds or stands for, cannot name a folder.
inline void require_folder_name(const ConfigNode& node, std::string_view name) {
    if (const auto reason = why_no_folder_name(name)) node.fail(*reason);
}

}   // namespace oscar

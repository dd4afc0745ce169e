#include "sim/config/folder_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "sim/config/text.hpp"
#include "sim/config/utf8.hpp"

namespace oscar::inline config {

std::optional<std::string> why_no_folder_name(std::string_view name) {
    const bool leads_elsewhere = name == "." || name == ".." || name.find('/') != std::string_view::npos;
    const bool has_controls =
        std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (!leads_elsewhere && !has_controls && !name.empty() && name.size() <= NAME_MAX && is_utf8(name))
        return std::nullopt;
    return fmt::format(
        "{} cannot name a folder within the results; write a name without '/', of at most {} bytes, like ring8",
        in_quotes(name), NAME_MAX);
}

void require_folder_name(const ConfigNode& node, std::string_view name) {
    if (const auto reason = why_no_folder_name(name)) node.fail(*reason);
}

}   // namespace oscar::inline config

#include "sim/config/folder_name.hpp"

#include <fmt/format.h>

#include <climits>

#include "sim/config/error.hpp"
#include "sim/config/text.hpp"

namespace oscar {

std::optional<std::string> why_no_folder_name(std::string_view name) {
    const bool leads_elsewhere = name == "." || name == ".." || name.find('/') != std::string_view::npos;
    if (!leads_elsewhere && is_printable(name) && !name.empty() && name.size() <= NAME_MAX) return std::nullopt;
    return fmt::format(
        "{} cannot name a folder within the results; write a name without '/', of at most {} bytes, like ring8",
        in_quotes(name), NAME_MAX);
}

void require_folder_name(const ConfigNode& node, std::string_view name) {
    if (const auto reason = why_no_folder_name(name)) node.fail(*reason);
}

}   // namespace oscar

#include "sim/describe/json_text.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// Appends a value whose lines are indented by `indent`.
void append_text(std::string& text, const nlohmann::ordered_json& value, std::size_t indent) {
    const bool on_a_line =
        value.is_array() && std::ranges::none_of(value, [](const auto& entry) { return entry.is_structured(); });
    if (value.empty() || !value.is_structured()) {
        text += value.dump();
        return;
    }
    const std::string line = on_a_line ? "" : "\n" + std::string(indent + 2, ' ');
    text += value.is_array() ? '[' : '{';
    bool first = true;
    for (const auto& [key, entry] : value.items()) {
        if (!first) text += on_a_line ? ", " : ",";
        text += line;
        if (value.is_object()) text += nlohmann::ordered_json(key).dump() + ": ";
        append_text(text, entry, indent + 2);
        first = false;
    }
    if (!on_a_line) text += "\n" + std::string(indent, ' ');
    text += value.is_array() ? ']' : '}';
}

}   // namespace

std::string json_text(const nlohmann::ordered_json& value) {
    std::string text;
    append_text(text, value, 0);
    return text;
}

}   // namespace oscar

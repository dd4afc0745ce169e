#include "sim/config/node.hpp"

#include <fmt/format.h>

#include "sim/config/text.hpp"

namespace oscar {
namespace {

[[noreturn]] void fail_at(const Location& location, std::string_view path, std::string_view what) {
    constexpr std::size_t longest_path = 200;
    throw ConfigError(location.text(), shortened(path, longest_path), what);
}

}   // namespace

std::string Location::text() const { return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column); }

const ConfigNode* ConfigNode::find(std::string_view name) const {
    for (const ConfigNode& entry : children)
        if (entry.key == name) return &entry;
    return nullptr;
}

ConfigNode ConfigNode::child(std::string_view name) const {
    if (const ConfigNode* entry = find(name)) return *entry;
    ConfigNode missing;
    missing.key = name;
    missing.path = join_path(path, name);
    missing.location = missing.key_location = location;
    return missing;
}

void ConfigNode::fail(std::string_view what) const { fail_at(location, path, what); }
void ConfigNode::fail_at_key(std::string_view what) const { fail_at(key_location, path, what); }

std::string_view to_text(ConfigNode::Form form) {
    switch (form) {
        case ConfigNode::Form::scalar:
            return "a single value";
        case ConfigNode::Form::list:
            return "a list";
        case ConfigNode::Form::map:
            return "a map";
        case ConfigNode::Form::null:
            break;
    }
    return "nothing";
}

std::string join_path(std::string_view parent, std::string_view key) {
    return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

}   // namespace oscar

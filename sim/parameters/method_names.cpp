#include "sim/parameters/method_names.hpp"

#include <algorithm>

#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/config/suggest.hpp"

namespace oscar {
namespace {

const MethodPreset* preset_at(const ConfigNode& node) {
    const ConfigNode* kind = read_detail::kind_node(node);
    if (kind == nullptr) return nullptr;
    const auto found = std::ranges::find(method_presets, kind->text, &MethodPreset::name);
    return found == method_presets.end() ? nullptr : &*found;
}

/// Gives the node and all below it the place of `at`.
void place(ConfigNode& node, const ConfigNode& at, const std::string& path) {
    node.path = path;
    node.location = node.key_location = at.location;
    for (ConfigNode& entry : node.children) place(entry, at, join_path(path, entry.key));
}

}   // namespace

std::string_view method_meant_by(std::string_view word) {
    const auto found = std::ranges::find(method_synonyms, bare_word(word), &Synonym::word);
    return found == method_synonyms.end() ? "" : found->name;
}

ConfigNode with_preset(const ConfigNode& node) {
    const MethodPreset* preset = preset_at(node);
    if (preset == nullptr) return node;
    ConfigNode method = parse_config(preset->keys, preset->name);
    set_value(method, "name", parse_config(preset->name, preset->name));
    place(method, node, node.path);
    method.key = node.key;
    for (const ConfigNode& entry : node.children) {
        if (entry.key == "kind") continue;
        const auto same = std::ranges::find(method.children, entry.key, &ConfigNode::key);
        if (same == method.children.end()) method.children.push_back(entry);
        else overlay(*same, entry);
    }
    return method;
}

}   // namespace oscar

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/describe/echo.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

/// Without the folder: a report is the same wherever the files lie.
std::string brief(Location location) {
    if (location.line > 0) location.source = std::filesystem::path(location.source).filename().string();
    return location.text();
}

/// "/network/topology/island" for network.topology.island.
nlohmann::json::json_pointer pointer_to(std::string path) {
    std::ranges::replace(path, '.', '/');
    return nlohmann::json::json_pointer("/" + path);
}

/// The entries of `node` that were written for another kind, and that the echo of what was read does not have.
void add_left_out(const ConfigNode& node, const nlohmann::ordered_json& echo, std::vector<std::string>& notes) {
    std::vector<std::string_view> keys;
    const ConfigNode* first = nullptr;
    for (const ConfigNode& entry : node.children) {
        if (entry.of_kind.empty() || echo.contains(pointer_to(entry.path))) continue;
        if (first == nullptr) first = &entry;
        keys.push_back(entry.key);
    }
    if (first == nullptr) return;
    notes.push_back(fmt::format("{}: left out {} of kind {} ({}): {} has no such parameter", node.path,
                                fmt::join(keys, ", "), first->of_kind, brief(first->key_location),
                                node.child("kind").text));
}

void add_notes(const ConfigNode& node, const nlohmann::ordered_json& echo, std::vector<std::string>& notes) {
    add_left_out(node, echo, notes);
    if (!node.replaced.empty())
        notes.push_back(node.form == ConfigNode::Form::list
                            ? fmt::format("{}: the list at {} replaces {}; lists are not merged", node.path,
                                          brief(node.location), node.replaced)
                            : fmt::format("{}: {} ({}) replaces {}, which have their defaults; write {{kind: {}}} to "
                                          "keep what it has of them",
                                          node.path, node.text, brief(node.location), node.replaced, node.text));
    for (const ConfigNode& entry : node.children) add_notes(entry, echo, notes);
}

}   // namespace

std::vector<std::string> notes_on_merging(const Experiment& experiment) {
    std::vector<std::string> notes;
    add_notes(experiment.source, to_json(experiment.parameters), notes);
    return notes;
}

}   // namespace oscar

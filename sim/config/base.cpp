#include "sim/config/base.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/find.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

namespace oscar {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view base_key = "base";

/// The files that lead to one another: the first is the user's.
using Chain = std::vector<fs::path>;

ConfigNode over_bases(ConfigNode root, const Chain& chain);

/// The map in a file that a base names. The file may be any that the user can read, so no word of one that is no
/// configuration is repeated, keys included.
ConfigNode load_map(const fs::path& file) try {
    ConfigNode base = load_config(file);
    if (base.form != ConfigNode::Form::map)
        base.fail(fmt::format("is {}, but a map of parameters is due", to_text(base.form)));
    return base;
} catch (const ConfigError& error) {
    if (error.place.empty()) throw;
    throw ConfigError(error.place, "", error.reason);
}

ConfigNode load_base(const ConfigNode& node, Chain chain) {
    const fs::path found = find_base(node, chain.back());
    std::error_code ignored;
    const bool again =
        std::ranges::any_of(chain, [&](const fs::path& file) { return fs::equivalent(file, found, ignored); });
    if (again) node.fail(fmt::format("'{}' builds on itself; remove this base", found.string()));
    chain.push_back(found);
    return over_bases(load_map(found), chain);
}

ConfigNode over_bases(ConfigNode root, const Chain& chain) {
    const ConfigNode* entry = root.find(base_key);
    if (entry == nullptr) return root;
    ConfigNode merged = root;
    merged.children.clear();
    if (entry->form == ConfigNode::Form::scalar) overlay(merged, load_base(*entry, chain));
    else require_list(*entry);
    for (const ConfigNode& base : entry->children) overlay(merged, load_base(base, chain));
    std::erase_if(root.children, [](const ConfigNode& child) { return child.key == base_key; });
    overlay(merged, std::move(root));
    return merged;
}

}   // namespace

fs::path find_base(const ConfigNode& node, const fs::path& file) {
    const std::string remedy =
        fmt::format("name an experiment file, one of configs/experiments, a machine: {}, or a part: {}",
                    fmt::join(names_of_bases("machines"), ", "), fmt::join(names_of_bases("parts"), ", "));
    std::string name;
    read(node, name);
    if (name.empty()) node.fail(fmt::format("is empty; {}", remedy));
    if (auto found = find_beside(name, file, is_no_folder)) return *found;
    if (auto named = find_base_named(name)) return *named;
    if (find_beside(name, file)) node.fail(fmt::format("{} is a folder; {}", in_quotes(name), remedy));
    node.fail(fmt::format("no such file {}{}, {}; {}", in_quotes(name), suggested_base(name), places_beside(), remedy));
}

ConfigNode over_its_bases(ConfigNode root, const fs::path& file) { return over_bases(std::move(root), {file}); }

FoundConfig load_named(const fs::path& name, FileKind kind, const std::vector<std::string>& overrides) {
    FoundConfig found;
    if (name == "-") found = {"standard-input.yaml", load_standard_input()};
    else found.root = load_config(found.file = find_config(name, kind));
    require_file_kind(found.root, kind);
    if (kind == FileKind::run) found.root = over_its_bases(std::move(found.root), found.file);
    for (const std::string& assignment : overrides) apply_override(found.root, assignment);
    return found;
}

}   // namespace oscar

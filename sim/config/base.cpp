#include "sim/config/base.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/find.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

namespace oscar {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view base_key = "base", folder_of_machines = folders_of_parts[1];

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

/// True for a file of configs/machines.
bool is_machine(const fs::path& file) {
    return file.parent_path().filename() == folder_of_machines &&
           file.parent_path().parent_path().filename() == "configs";
}

/// Of two whole machines in a list the second would hide the first.
[[noreturn]] void refuse_second(const ConfigNode& first, const ConfigNode& second) {
    second.fail(fmt::format(
        "{} is a second machine beside {}, which it would hide; name one (its nodes follow from ranks), or parts: {}",
        second.text, first.text, fmt::join(names_of_bases("parts"), ", ")));
}

/// More than any experiment is made of; as many are read in less than a second.
constexpr std::size_t most_bases = 1000;

/// Puts an experiment together from the files that it builds on.
class Bases {
public:
    explicit Bases(fs::path file) : chain_{std::move(file)} {}

    /// `root`, read from the last file of the chain, over its bases.
    ConfigNode below(ConfigNode root) {
        has_machine_ = false;
        const ConfigNode* entry = root.find(base_key);
        if (entry == nullptr) return root;
        ConfigNode merged = root;
        merged.children.clear();
        if (entry->form == ConfigNode::Form::scalar) overlay(merged, load(*entry));
        else require_list(*entry);
        const ConfigNode* machine = nullptr;
        for (const ConfigNode& base : entry->children) {
            overlay(merged, load(base));
            if (!has_machine_) continue;
            if (machine != nullptr) refuse_second(*machine, base);
            machine = &base;
        }
        if (!entry->children.empty()) has_machine_ = machine != nullptr;
        std::erase_if(root.children, [](const ConfigNode& child) { return child.key == base_key; });
        overlay(merged, std::move(root));
        return merged;
    }

private:
    ConfigNode load(const ConfigNode& node) {
        const fs::path found = find_base(node, chain_.back());
        std::error_code ignored;
        const auto is_found = [&](const fs::path& file) { return fs::equivalent(file, found, ignored); };
        if (std::ranges::any_of(chain_, is_found))
            node.fail(fmt::format("'{}' builds on itself; remove this base", found.string()));
        if (++loaded_ > most_bases)
            node.fail(
                fmt::format("is base number {}; an experiment takes {} at most, those of its bases included; "
                            "write several of them as one file",
                            loaded_, most_bases));
        chain_.push_back(found);
        ConfigNode base = below(load_map(found));
        has_machine_ = has_machine_ || is_machine(found);
        chain_.pop_back();
        return base;
    }

    std::vector<fs::path> chain_;   ///< the files that lead to one another: the first is the user's
    bool has_machine_ = false;      ///< the file that was loaded last is a machine, or builds on one
    std::size_t loaded_ = 0;
};

}   // namespace

fs::path find_base(const ConfigNode& node, const fs::path& file) {
    const std::string remedy =
        fmt::format("name an experiment file, one of configs/experiments, a machine: {}, or a part: {}",
                    fmt::join(names_of_bases(folder_of_machines), ", "), fmt::join(names_of_bases("parts"), ", "));
    std::string name;
    read(node, name);
    if (name.empty()) node.fail(fmt::format("is empty; {}", remedy));
    if (auto found = find_beside(name, file, is_no_folder)) return *found;
    if (auto named = find_base_named(name)) return *named;
    if (find_beside(name, file)) node.fail(fmt::format("{} is a folder; {}", in_quotes(name), remedy));
    node.fail(fmt::format("no such file {}{}, {}; {}", in_quotes(name), suggested_base(name), places_beside(), remedy));
}

ConfigNode over_its_bases(ConfigNode root, const fs::path& file) { return Bases(file).below(std::move(root)); }

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

#include "sim/config/technology_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/config/find.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/config/suggest.hpp"

namespace oscar {
namespace {

constexpr const char* technologies = "technologies";

/// The map that the file of this name holds. ConfigError at `name`: there is none.
ConfigNode shipped_technology(const ConfigNode& name) {
    const std::vector<std::string> names = names_of_bases(technologies);
    if (std::ranges::find(names, name.text) == names.end())
        name.fail(fmt::format("{} is no technology{}; choose one of {}, or write its figures as a map",
                              in_quotes(name.text),
                              did_you_mean(name.text, std::vector<std::string_view>(names.begin(), names.end())),
                              fmt::join(names, ", ")));
    for (const auto& root : shipped_roots())
        if (const auto file = root / "configs" / technologies / (name.text + ".yaml"); is_no_folder(file))
            return load_config(file).child("engine").child("technology");
    return name;
}

ConfigNode* entry_of(ConfigNode* map, std::string_view key) {
    if (map == nullptr) return nullptr;
    const auto found = std::ranges::find(map->children, key, &ConfigNode::key);
    return found == map->children.end() ? nullptr : &*found;
}

}   // namespace

void expand_technology(ConfigNode& experiment) {
    ConfigNode* written = entry_of(entry_of(&experiment, "engine"), "technology");
    const ConfigNode* name = written == nullptr ? nullptr : read_detail::kind_node(*written);
    if (name == nullptr) return;
    ConfigNode technology = shipped_technology(*name);
    technology.key = written->key;
    technology.key_location = written->key_location;
    if (written->form == ConfigNode::Form::map) {
        std::erase_if(written->children, [](const ConfigNode& entry) { return entry.key == "kind"; });
        overlay(technology, std::move(*written));
    }
    *written = std::move(technology);
}

}   // namespace oscar

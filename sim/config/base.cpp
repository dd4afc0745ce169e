#include "sim/config/base.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/find.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

namespace oscar::inline config {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view base_key = "base";

/// The files that lead to one another: the first is the user's.
using Chain = std::vector<fs::path>;

fs::path find_base(const ConfigNode& node, const fs::path& file) {
    std::string wanted;
    read(node, wanted);
    if (wanted.empty()) node.fail("is empty; name an experiment file or one of configs/parts");
    if (auto found = find_beside(wanted, file)) return *found;
    if (auto part = find_part(wanted)) return *part;
    node.fail(fmt::format("no such file '{}'{}, {}; name an experiment file or one of configs/parts", wanted,
                          suggested_part(wanted), places_beside()));
}

ConfigNode over_bases(ConfigNode root, const Chain& chain);

ConfigNode load_base(const ConfigNode& node, Chain chain) {
    const fs::path found = find_base(node, chain.back());
    std::error_code ignored;
    const bool again =
        std::ranges::any_of(chain, [&](const fs::path& file) { return fs::equivalent(file, found, ignored); });
    if (again) node.fail(fmt::format("'{}' builds on itself; remove this base", found.string()));
    chain.push_back(found);
    ConfigNode base = load_config(found);
    if (base.form != ConfigNode::Form::map)
        base.fail(fmt::format("is {}, but a map of parameters is due", to_text(base.form)));
    return over_bases(std::move(base), chain);
}

ConfigNode over_bases(ConfigNode root, const Chain& chain) {
    const ConfigNode* entry = root.find(base_key);
    if (entry == nullptr) return root;
    ConfigNode merged = root;
    merged.children.clear();
    if (entry->form == ConfigNode::Form::scalar) lay_over(merged, load_base(*entry, chain));
    else require_list(*entry);
    for (const ConfigNode& base : entry->children) lay_over(merged, load_base(base, chain));
    std::erase_if(root.children, [](const ConfigNode& child) { return child.key == base_key; });
    lay_over(merged, std::move(root));
    return merged;
}

}   // namespace

ConfigNode over_its_bases(ConfigNode root, const fs::path& file) { return over_bases(std::move(root), {file}); }

}   // namespace oscar::inline config

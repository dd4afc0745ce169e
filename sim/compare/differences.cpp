#include "sim/compare/differences.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

bool has_names(const Json& list) {
    std::set<std::string> names;
    return std::ranges::all_of(list, [&](const Json& entry) {
        return entry.is_object() && entry.contains("name") && entry["name"].is_string() &&
               names.insert(entry["name"].get<std::string>()).second;
    });
}

/// Entries in their order, and where each key is: found at once in lists of any length.
struct Keyed {
    std::vector<std::pair<std::string, const Json*>> entries;
    std::unordered_map<std::string, const Json*> of;

    void add(std::string key, const Json& value) {
        of.emplace(key, &value);
        entries.emplace_back(std::move(key), &value);
    }
    /// Null where the key is missing.
    const Json& at(const std::string& key) const {
        static const Json nothing;
        const auto place = of.find(key);
        return place == of.end() ? nothing : *place->second;
    }
};

/// Entries of a map by key, of a list by name or else by number.
Keyed keyed(const Json& value, bool named) {
    Keyed result;
    if (value.is_object())
        for (const auto& [key, entry] : value.items()) result.add(key, entry);
    else
        for (std::size_t i = 0; i < value.size(); ++i)
            result.add(named ? value[i]["name"].get<std::string>() : std::to_string(i), value[i]);
    return result;
}

void collect(const Json& a, const Json& b, const std::string& place, std::vector<Difference>& found) {
    const bool lists = a.is_array() && b.is_array();
    if (!lists && (!a.is_object() || !b.is_object())) {
        if (a != b) found.push_back({place, a, b});
        return;
    }
    const bool named = lists && has_names(a) && has_names(b);
    const Keyed of_a = keyed(a, named), of_b = keyed(b, named);
    const auto within = [&](const std::string& key) { return place.empty() ? key : place + "." + key; };
    for (const auto& [key, value] : of_a.entries) collect(*value, of_b.at(key), within(key), found);
    for (const auto& [key, value] : of_b.entries)
        if (!of_a.of.contains(key)) collect(Json(), *value, within(key), found);
}

}   // namespace

std::vector<Difference> differences(const Json& a, const Json& b) {
    std::vector<Difference> found;
    collect(a, b, "", found);
    return found;
}

}   // namespace oscar

#include "sim/compare/differences.hpp"

#include <algorithm>
#include <set>

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

/// A list as an object: by name, else by number.
Json by_key(const Json& list, bool named) {
    Json object = Json::object();
    for (std::size_t i = 0; i < list.size(); ++i)
        object[named ? list[i]["name"].get<std::string>() : std::to_string(i)] = list[i];
    return object;
}

void collect(const Json& a, const Json& b, const std::string& place, std::vector<Difference>& found) {
    if (a.is_array() && b.is_array()) {
        const bool named = has_names(a) && has_names(b);
        return collect(by_key(a, named), by_key(b, named), place, found);
    }
    if (!a.is_object() || !b.is_object()) {
        if (a != b) found.push_back({place, a, b});
        return;
    }
    const auto at = [&](const std::string& key) { return place.empty() ? key : place + "." + key; };
    for (const auto& [key, value] : a.items()) collect(value, b.contains(key) ? b[key] : Json(), at(key), found);
    for (const auto& [key, value] : b.items())
        if (!a.contains(key)) collect(Json(), value, at(key), found);
}

}   // namespace

std::vector<Difference> differences(const Json& a, const Json& b) {
    std::vector<Difference> found;
    collect(a, b, "", found);
    return found;
}

}   // namespace oscar

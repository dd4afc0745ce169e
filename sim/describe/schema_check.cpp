#include "sim/describe/schema_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Problem = std::optional<std::string>;

struct TypeName {
    std::string_view type, words;
    bool (*is)(const Json&);
};

constexpr std::array type_names{
    TypeName{"object", "a map", [](const Json& value) { return value.is_object(); }},
    TypeName{"array", "a list", [](const Json& value) { return value.is_array(); }},
    TypeName{"string", "a text", [](const Json& value) { return value.is_string(); }},
    TypeName{"integer", "a number", [](const Json& value) { return value.is_number(); }},
    TypeName{"number", "a number", [](const Json& value) { return value.is_number(); }},
    TypeName{"boolean", "true or false", [](const Json& value) { return value.is_boolean(); }},
    TypeName{"null", "null", [](const Json& value) { return value.is_null(); }},
};

const TypeName& type_of(const Json& value) {
    return *std::ranges::find_if(type_names, [&](const TypeName& type) { return type.is(value); });
}

Problem find_type_mismatch(const Json& value, const Json& type, const std::string& place) {
    const Json types = type.is_array() ? type : Json::array({type});
    std::string due;
    for (const Json& name : types) {
        const auto known = std::ranges::find(type_names, name.get<std::string_view>(), &TypeName::type);
        if (known == type_names.end() || known->is(value)) return std::nullopt;
        due += fmt::format("{}{}", due.empty() ? "" : " or ", known->words);
    }
    return fmt::format("{}{}is {}, and {} is due", place, place.empty() ? "" : ": ", type_of(value).words, due);
}

Problem find_mismatch_of_all(const Json& value, const Json& alternatives, const std::string& place) {
    Problem first;
    for (const Json& schema : alternatives) {
        Problem problem = find_mismatch(value, schema, place);
        if (!problem) return std::nullopt;
        if (!first) first = std::move(problem);
    }
    return first;
}

Problem find_mismatch_in_map(const Json& map, const Json& schema, const std::string& place) {
    const auto properties = schema.find("properties"), others = schema.find("additionalProperties");
    for (const auto& [key, value] : map.items()) {
        const Json* due = properties != schema.end() && properties->contains(key) ? &properties->at(key) : nullptr;
        if (due == nullptr && others != schema.end()) due = &*others;
        if (due == nullptr) continue;
        if (auto problem = find_mismatch(value, *due, place.empty() ? key : fmt::format("{}.{}", place, key)))
            return problem;
    }
    return std::nullopt;
}

Problem find_mismatch_in_list(const Json& list, const Json& schema, const std::string& place) {
    const auto items = schema.find("items");
    if (items == schema.end()) return std::nullopt;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (auto problem = find_mismatch(list[i], *items, fmt::format("{}[{}]", place, i))) return problem;
    return std::nullopt;
}

}   // namespace

Problem find_mismatch(const Json& value, const Json& schema, const std::string& place) {
    if (!schema.is_object()) return std::nullopt;   // true and false: any value, and a key that is not known
    if (schema.contains("anyOf")) return find_mismatch_of_all(value, schema.at("anyOf"), place);
    const Json type = schema.contains("enum") ? Json("string") : schema.value("type", Json::array());
    if (!type.empty())
        if (auto problem = find_type_mismatch(value, type, place)) return problem;
    if (value.is_object()) return find_mismatch_in_map(value, schema, place);
    if (value.is_array()) return find_mismatch_in_list(value, schema, place);
    return std::nullopt;
}

}   // namespace oscar

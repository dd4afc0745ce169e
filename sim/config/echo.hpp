// The resolved parameters as JSON for the report. Law: read(parse_config(to_json(p).dump())) gives p again.
//
// As read.hpp, this walks the field tables, and types with an own `nlohmann::ordered_json to_json(const T&)` in their
// namespace join in.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "sim/config/text.hpp"

namespace oscar::inline config {

/// Numbers as numbers, true and false as such.
template <class T>
requires std::is_arithmetic_v<T> nlohmann::ordered_json to_json(T value) { return value; }

inline nlohmann::ordered_json to_json(const std::string& text) { return text; }

/// Quantities as text with unit, choices as their text.
template <class T>
requires Quantity<T> || ChoiceEnum<T> nlohmann::ordered_json to_json(T value) { return plain_text(value); }

template <FieldTable P>
nlohmann::ordered_json to_json(const P& params);
template <const auto& List>
nlohmann::ordered_json to_json(const OneOf<List>& value);
template <class T>
nlohmann::ordered_json to_json(const std::vector<T>& values);

/// The value or null.
template <class T>
nlohmann::ordered_json to_json(const std::optional<T>& value) {
    return value ? to_json(*value) : nlohmann::ordered_json(nullptr);
}

template <class T>
nlohmann::ordered_json to_json(const std::vector<T>& values) {
    auto list = nlohmann::ordered_json::array();
    for (const T& value : values) list.push_back(to_json(value));
    return list;
}

/// An object with the keys of the field table, in its order.
template <FieldTable P>
nlohmann::ordered_json to_json(const P& params) {
    auto object = nlohmann::ordered_json::object();
    for_each_field<P>([&](const auto& field) { object[std::string(field.key)] = to_json(params.*field.member); });
    return object;
}

/// The parameters of the chosen kind after its name under `kind`.
template <const auto& List>
nlohmann::ordered_json to_json(const OneOf<List>& value) {
    nlohmann::ordered_json object{{"kind", value.name()}};
    std::visit([&](const auto& params) { object.update(to_json(params)); }, value.params);
    return object;
}

}   // namespace oscar::inline config

// The resolved parameters as JSON for the report. Law: read(parse_config(to_json(p).dump())) gives p again.
//
// As read.hpp, this walks the field tables, and types with an own `nlohmann::ordered_json to_json(const T&)` in their
// namespace join in.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "sim/config/text.hpp"

namespace oscar {

// Single values: numbers as numbers, true and false as such.
nlohmann::ordered_json to_json(bool value);
nlohmann::ordered_json to_json(std::uint32_t value);
nlohmann::ordered_json to_json(std::uint64_t value);
nlohmann::ordered_json to_json(int value);
nlohmann::ordered_json to_json(std::int64_t value);
nlohmann::ordered_json to_json(double value);
nlohmann::ordered_json to_json(const std::string& text);

namespace echo_detail {

/// Appends `key` to the object.
void set(nlohmann::ordered_json& object, std::string_view key, nlohmann::ordered_json value);

/// The parameters of a kind after its name under `kind`.
nlohmann::ordered_json kind_of(std::string_view name, const nlohmann::ordered_json& params);

}   // namespace echo_detail

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
    for_each_field<P>([&](const auto& field) { echo_detail::set(object, field.key, to_json(params.*field.member)); });
    return object;
}

/// The parameters of the chosen kind after its name under `kind`.
template <const auto& List>
nlohmann::ordered_json to_json(const OneOf<List>& value) {
    return echo_detail::kind_of(value.name(),
                                std::visit([](const auto& params) { return to_json(params); }, value.params));
}

}   // namespace oscar

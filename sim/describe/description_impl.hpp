// The templates of description.hpp. Include that instead.
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include "sim/describe/description.hpp"
#include "sim/describe/echo.hpp"

namespace oscar {
namespace description_detail {

template <class T>
inline constexpr bool is_one_of = false;
template <const auto& List>
inline constexpr bool is_one_of<OneOf<List>> = true;

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// The form of a type without parts: no list, optional value, choice, kind or set of parameters.
template <class T>
constexpr ValueForm form_of() {
    if constexpr (std::same_as<T, bool>) return ValueForm::boolean;
    else if constexpr (std::integral<T>) return ValueForm::whole_number;
    else if constexpr (std::floating_point<T>) return ValueForm::number;
    else if constexpr (std::same_as<T, std::string>) return ValueForm::text;
    else if constexpr (std::same_as<T, Time>) return ValueForm::time;
    else if constexpr (std::same_as<T, Bytes>) return ValueForm::bytes;
    else if constexpr (std::same_as<T, Bandwidth>) return ValueForm::bandwidth;
    else if constexpr (std::same_as<T, Frequency>) return ValueForm::frequency;
    else if constexpr (std::same_as<T, Area>) return ValueForm::area;
    else if constexpr (std::same_as<T, Energy>) return ValueForm::energy;
    else if constexpr (std::same_as<T, Power>) return ValueForm::power;
    else if constexpr (std::same_as<T, EnergyPerBit>) return ValueForm::energy_per_bit;
    else return ValueForm::map;
}

/// A value without parts.
ValueDescription of_form(ValueForm form);
/// A list of values like `element`.
ValueDescription list_of(ValueDescription element);
/// A map with these parameters.
ValueDescription map_of(std::vector<ParameterDescription> parameters);

/// Appends a choice to the choices of `made`.
void add_choice(ValueDescription& made, std::string_view text, std::string_view meaning);
/// Appends a kind to the kinds of `made`; the first one is the default.
void add_kind(ValueDescription& made, std::string_view name, std::string_view meaning,
              std::vector<ParameterDescription> parameters);
/// Appends a parameter without a range, and returns it; the reference is valid until the next one is appended.
ParameterDescription& add_parameter(std::vector<ParameterDescription>& made, std::string_view key,
                                    std::string_view meaning, nlohmann::ordered_json initial, ValueDescription value);

/// An enumeration: all entries of choices(E), in their order.
template <ChoiceEnum E>
ValueDescription describe_choice() {
    ValueDescription made = of_form(ValueForm::choice);
    for (const auto& choice : choices(E{})) add_choice(made, choice.text, choice.meaning);
    return made;
}

/// Sets the range of `parameter`; a field that has none, or whose type is not Ranged, leaves it null.
template <class Owner, class T>
void add_range(ParameterDescription& parameter, const Field<Owner, T>& field) {
    if (!field.bounded) return;
    if constexpr (Ranged<T>) {
        parameter.min = to_json(field.min);
        parameter.max = to_json(field.max);
    } else if constexpr (is_optional<T>) {
        if constexpr (Ranged<typename T::value_type>) {
            parameter.min = to_json(*field.min);
            parameter.max = to_json(*field.max);
        }
    }
}

}   // namespace description_detail

template <class T>
ValueDescription describe_value(const T& initial) {
    using namespace description_detail;
    if constexpr (is_list<T>) {
        return list_of(describe_value(typename T::value_type{}));
    } else if constexpr (is_optional<T>) {
        ValueDescription made = describe_value(initial.value_or(typename T::value_type{}));
        made.nullable = true;
        return made;
    } else if constexpr (ChoiceEnum<T>) {
        return describe_choice<T>();
    } else if constexpr (is_one_of<T>) {
        ValueDescription made = describe_kinds(T::list);
        made.initial_kind = initial.params.index();
        return made;
    } else if constexpr (FieldTable<T>) {
        return map_of(describe_parameters(initial));
    } else {
        return of_form(form_of<T>());
    }
}

template <FieldTable P>
std::vector<ParameterDescription> describe_parameters(const P& defaults) {
    std::vector<ParameterDescription> made;
    for_each_field<P>([&](const auto& field) {
        const auto& initial = defaults.*field.member;
        ParameterDescription& parameter = description_detail::add_parameter(made, field.key, field.meaning,
                                                                            to_json(initial), describe_value(initial));
        description_detail::add_range(parameter, field);
        parameter.per_rank = field.per_rank;
    });
    return made;
}

template <class List>
ValueDescription describe_kinds(const List& list) {
    ValueDescription made = description_detail::of_form(ValueForm::kind);
    for_each_kind(list, [&]<class P>(const Kind<P>& kind) {
        description_detail::add_kind(made, kind.name, kind.meaning, describe_parameters(P{}));
    });
    return made;
}

}   // namespace oscar

// The templates of description.hpp. Include that instead.
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include "sim/config/description.hpp"
#include "sim/config/echo.hpp"

namespace oscar::inline config {
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

/// Of a type without parts.
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
    else return ValueForm::map;
}

inline ValueDescription of_form(ValueForm form) {
    ValueDescription made;
    made.form = form;
    return made;
}

template <ChoiceEnum E>
ValueDescription describe_choice() {
    ValueDescription made = of_form(ValueForm::choice);
    for (const auto& choice : choices(E{}))
        made.choices.push_back({std::string(choice.text), std::string(choice.meaning)});
    return made;
}

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
        ValueDescription made = of_form(ValueForm::list);
        made.element = {describe_value(typename T::value_type{})};
        return made;
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
        ValueDescription made = of_form(ValueForm::map);
        made.parameters = describe_parameters(initial);
        return made;
    } else {
        return of_form(form_of<T>());
    }
}

template <FieldTable P>
std::vector<ParameterDescription> describe_parameters(const P& defaults) {
    std::vector<ParameterDescription> made;
    for_each_field<P>([&](const auto& field) {
        const auto& initial = defaults.*field.member;
        ParameterDescription& parameter = made.emplace_back();
        parameter.key = field.key;
        parameter.meaning = field.meaning;
        parameter.initial = to_json(initial);
        description_detail::add_range(parameter, field);
        parameter.value = describe_value(initial);
    });
    return made;
}

template <class List>
ValueDescription describe_kinds(const List& list) {
    ValueDescription made = description_detail::of_form(ValueForm::kind);
    for_each_kind(list, [&]<class P>(const Kind<P>& kind) {
        made.kinds.push_back({std::string(kind.name), std::string(kind.meaning), describe_parameters(P{})});
    });
    return made;
}

}   // namespace oscar::inline config

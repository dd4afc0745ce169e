// The templates of describe.hpp. Include that instead.
#pragma once

#include "sim/config/describe.hpp"

namespace oscar::inline config {
namespace describe_detail {

template <class T>
inline constexpr bool is_one_of = false;
template <const auto& List>
inline constexpr bool is_one_of<OneOf<List>> = true;

template <class T>
struct ElementOf;   // of a list or an optional
template <class T>
struct ElementOf<std::vector<T>> {
    using Type = T;
};
template <class T>
struct ElementOf<std::optional<T>> {
    using Type = T;
};

template <class T>
concept List = requires(T t) {
    t.push_back(typename ElementOf<T>::Type{});
};
template <class T>
concept Optional = requires(T t) {
    t.emplace(typename ElementOf<T>::Type{});
};

/// "list of numbers" for "number"; words without a plural stay as they are: "list of bytes".
std::string list_text(const std::string& element);

/// What may stand there, when no range says it.
template <class T>
std::string type_text() {
    if constexpr (List<T>) return list_text(type_text<typename ElementOf<T>::Type>());
    else if constexpr (Optional<T>) return type_text<typename ElementOf<T>::Type>() + " or null";
    else if constexpr (std::same_as<T, bool>) return "true or false";
    else if constexpr (std::integral<T>) return "whole number";
    else if constexpr (std::floating_point<T>) return "number";
    else if constexpr (std::same_as<T, std::string>) return "text";
    else if constexpr (std::same_as<T, Time>) return "time";
    else if constexpr (std::same_as<T, Bytes>) return "bytes";
    else if constexpr (std::same_as<T, Bandwidth>) return "bandwidth";
    else if constexpr (std::same_as<T, Frequency>) return "frequency";
    else if constexpr (ChoiceEnum<T>) return "one of";
    else if constexpr (is_one_of<T>) return "one kind of";
    else return "map";
}

template <class Owner, class T>
std::string legal_text(const Field<Owner, T>& field) {
    if constexpr (Ranged<T>) {
        if (field.bounded) return plain_text(field.min) + " to " + plain_text(field.max);
    } else if constexpr (Optional<T>) {
        if constexpr (Ranged<typename ElementOf<T>::Type>)
            if (field.bounded) return plain_text(*field.min) + " to " + plain_text(*field.max) + " or null";
    }
    return type_text<T>();
}

/// The rows below a parameter of type T: its choices, its kinds, or the parameters of its entries.
template <class T>
void rows_below(const std::string& key, std::vector<DescribeRow>& rows) {
    if constexpr (List<T> || Optional<T>) {
        rows_below<typename ElementOf<T>::Type>(List<T> ? key + "[]" : key, rows);
    } else if constexpr (ChoiceEnum<T>) {
        for (const auto& choice : choices(T{}))
            rows.push_back({"", "", "  " + std::string(choice.text), std::string(choice.meaning)});
    } else if constexpr (is_one_of<T>) {
        for_each_kind(T::list, [&](const auto& kind) {
            rows.push_back({"", "", "  " + std::string(kind.name), std::string(kind.meaning)});
        });
    } else if constexpr (FieldTable<T>) {
        describe_rows(T{}, key + ".", rows);
    }
}

}   // namespace describe_detail

template <FieldTable P>
void describe_rows(const P& params, const std::string& prefix, std::vector<DescribeRow>& rows) {
    for_each_field<P>([&]<class Owner, class T>(const Field<Owner, T>& field) {
        const std::string key = prefix + std::string(field.key);
        if constexpr (FieldTable<T>) {
            describe_rows(params.*field.member, key + ".", rows);
        } else {
            rows.push_back({key, describe_default(to_json(params.*field.member)), describe_detail::legal_text(field),
                            std::string(field.meaning)});
            describe_detail::rows_below<T>(key, rows);
        }
    });
}

template <class List>
std::string describe_family(const List& list) {
    std::vector<DescribeRow> rows;
    for_each_kind(list, [&]<class P>(const Kind<P>& kind) {
        rows.push_back({std::string(kind.name), "", rows.empty() ? "the default" : "", std::string(kind.meaning)});
        describe_rows(P{}, "  ", rows);
    });
    return describe_table(rows);
}

}   // namespace oscar::inline config

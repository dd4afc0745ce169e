// Parameter sets described once: key, member, meaning, legal range. Readers, `describe` and reports walk the table.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "models/core/entries.hpp"

namespace oscar {

/// Stands in a Field for the limits of a type that has none, such as text, a list or a kind of a family.
struct NoLimit {};

/// One parameter or statistic of `Owner`: its key in the YAML or JSON, its member, and what it means.
template <class Owner, class T>
struct Field {
    using Value = T;
    /// A literal type for every T, so that the table is constant whatever its members are.
    using Limit = std::conditional_t<std::is_trivially_copyable_v<T>, T, NoLimit>;
    std::string_view key;
    T Owner::*member;
    std::string_view meaning;
    Limit min{}, max{};
    bool bounded = false;    ///< whether [min, max] applies
    bool per_rank = false;   ///< whether each rank may have a value of its own (`nodes`)
};

/// A field whose values are not limited.
template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view key, T Owner::*member, std::string_view meaning) {
    return {key, member, meaning, {}, {}, false, false};
}
/// A field whose legal values are min .. max, both included.
template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view key, T Owner::*member, std::string_view meaning,
                                std::type_identity_t<T> min, std::type_identity_t<T> max) {
    return {key, member, meaning, min, max, true, false};
}
/// The field, of which each rank may have a value of its own.
template <class Owner, class T>
constexpr Field<Owner, T> per_rank(Field<Owner, T> field) {
    field.per_rank = true;
    return field;
}

/// An aggregate whose member initialisers are the defaults and whose `fields()` are Entries of Field.
template <class P>
concept FieldTable = requires {
    P{};
    P::fields();
};

/// Calls f(field) for each field of `P`, in order.
template <FieldTable P, class F>
constexpr void for_each_field(F&& f) {
    for_each(P::fields(), f);
}

/// The text of one value of an enumeration. An enumeration that stands in a configuration declares beside itself
/// `constexpr auto choices(E) { return std::array{Choice{"text", E::value, "meaning"}, …}; }`.
template <class E>
struct Choice {
    std::string_view text;
    E value;
    std::string_view meaning;
};
/// Deduces the enumeration from the value, so that lists of choices need not repeat it.
template <class E>
Choice(const char*, E, const char*) -> Choice<E>;

template <class E>
concept ChoiceEnum = std::is_enum_v<E> && requires(E e) {
    choices(e);
};

/// The text of `value` in a configuration; "?" if choices() does not list it.
template <ChoiceEnum E>
constexpr std::string_view to_text(E value) {
    for (const auto& choice : choices(value))
        if (choice.value == value) return choice.text;
    return "?";
}

}   // namespace oscar

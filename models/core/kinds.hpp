// Families are lists: a kind is a name, a meaning and the parameter set that builds it.
#pragma once

#include <string_view>
#include <variant>

#include "models/core/fields.hpp"

namespace oscar {

/// One choosable implementation of a family: its name in the YAML and the parameters that build it.
template <FieldTable P>
struct Kind {
    using Params = P;
    std::string_view name, meaning;
};
/// The kind that parameter set P builds. Keeps views of both texts, so they have to be literals.
template <FieldTable P>
constexpr Kind<P> kind(std::string_view name, std::string_view meaning) {
    return {name, meaning};
}

template <class List>
struct ParamsOf;
template <class... P>
struct ParamsOf<Entries<Kind<P>...>> {
    using Variant = std::variant<P...>;
};

/// The parameters of one kind out of the family `List`. The first kind of the list is the default.
template <const auto& List>
struct OneOf {
    using Variant = typename ParamsOf<std::remove_cvref_t<decltype(List)>>::Variant;
    static constexpr const auto& list = List;

    OneOf() = default;
    template <class P>
    requires std::constructible_from<Variant, P> &&(!std::same_as<std::remove_cvref_t<P>, OneOf>)OneOf(P chosen)
        : params(std::move(chosen)) {}   // NOLINT(google-explicit-constructor): a kind is a family member

    Variant params;

    /// The name of the chosen kind.
    std::string_view name() const {
        std::string_view result;
        std::size_t i = 0;
        for_each(List, [&](const auto& kind) {
            if (i++ == params.index()) result = kind.name;
        });
        return result;
    }
};

/// Calls f(kind) for each kind of a family's list.
template <class List, class F>
constexpr void for_each_kind(const List& list, F&& f) {
    for_each(list, f);
}

}   // namespace oscar

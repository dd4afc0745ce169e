// Constant lists of values of different types: the fields of a parameter set, the kinds of a family.
#pragma once

#include <cstddef>
#include <utility>

namespace oscar {
namespace entries_detail {

/// Entry `I` of a list. The position makes entries of one type different bases.
template <std::size_t I, class T>
struct At {
    T value;
};

template <class Positions, class... T>
struct Holder;
template <std::size_t... I, class... T>
struct Holder<std::index_sequence<I...>, T...> : At<I, T>... {
    constexpr explicit Holder(const T&... values) : At<I, T>{values}... {}

    /// Returns f(values...): all values are arguments of one call, in order.
    template <class F>
    constexpr decltype(auto) apply(F&& f) const {
        return f(static_cast<const At<I, T>&>(*this).value...);
    }
};

}   // namespace entries_detail

/// The values in order. A std::tuple would hold them as well, but takes the compiler far longer.
template <class... T>
struct Entries : entries_detail::Holder<std::index_sequence_for<T...>, T...> {
    static constexpr std::size_t size = sizeof...(T);
    using entries_detail::Holder<std::index_sequence_for<T...>, T...>::Holder;
};
/// Deduces the types of the list from the values that it is written with.
template <class... T>
Entries(T...) -> Entries<T...>;

/// Entry `I`.
template <std::size_t I, class T>
constexpr const T& get(const entries_detail::At<I, T>& entry) {
    return entry.value;
}

/// Calls f(value) for each, in order.
template <class... T, class F>
constexpr void for_each(const Entries<T...>& entries, F&& f) {
    entries.apply([&](const T&... values) { (f(values), ...); });
}

/// One list after the other.
template <class... A>
constexpr Entries<A...> concatenate(const Entries<A...>& entries) {
    return entries;
}
/// Appends any number of lists to the first; entries are copied, and each list keeps its order.
template <class... A, class... B, class... More>
constexpr auto concatenate(const Entries<A...>& first, const Entries<B...>& second, const More&... more) {
    return concatenate(first.apply([&](const A&... a) {
        return second.apply([&](const B&... b) { return Entries<A..., B...>(a..., b...); });
    }),
                       more...);
}

}   // namespace oscar

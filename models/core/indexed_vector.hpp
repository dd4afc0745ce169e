// Vectors whose elements only one kind of index finds.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/index.hpp"

namespace oscar {

/// The indices 0 .. count-1 in order, for loops.
template <class I>
class IndexRange {
public:
    class Iterator {
    public:
        constexpr explicit Iterator(std::uint32_t at) : at_(at) {}
        constexpr I operator*() const { return {at_}; }
        constexpr Iterator& operator++() {
            ++at_;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

    private:
        std::uint32_t at_;
    };

    constexpr explicit IndexRange(std::uint32_t count) : count_(count) {}
    constexpr Iterator begin() const { return Iterator(0); }
    constexpr Iterator end() const { return Iterator(count_); }

private:
    std::uint32_t count_;
};

/// A std::vector that is indexed by `I` alone, such as IndexedVector<EdgeId, FabricLink>.
template <class I, class T>
class IndexedVector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    IndexedVector(std::vector<T> values) : std::vector<T>(std::move(values)) {}

    decltype(auto) operator[](I index) { return std::vector<T>::operator[](index.value); }
    decltype(auto) operator[](I index) const { return std::vector<T>::operator[](index.value); }

    /// The index after the last one: that of the next element to be appended.
    I next() const { return {static_cast<std::uint32_t>(this->size())}; }
    /// The indices of all elements, in order.
    IndexRange<I> indices() const { return IndexRange<I>(next().value); }
};

}   // namespace oscar

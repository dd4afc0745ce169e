// Pool of items in flight, by reusable index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oscar {

/// Gives each item an index until it is taken out. The index freed last is given out first.
template <class T>
class Slots {
public:
    /// Stores a copy and returns its index: the one freed last, or the next new one.
    std::uint32_t add(const T& item) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(items_.size()));
            items_.emplace_back();
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        items_[index] = item;
        return index;
    }
    /// Frees the index and returns its item. Precondition: the index has been given out.
    T take(std::uint32_t index) {
        free_.push_back(index);
        return items_[index];
    }
    /// Precondition of both: the index has been given out.
    T& operator[](std::size_t index) { return items_[index]; }
    const T& operator[](std::size_t index) const { return items_[index]; }
    /// Frees all; indices begin at 0 again.
    void clear() {
        items_.clear();
        free_.clear();
    }

private:
    std::vector<T> items_;              ///< by index
    std::vector<std::uint32_t> free_;   ///< indices
};

}   // namespace oscar

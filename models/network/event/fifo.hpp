// A queue in one array.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace oscar {

/// First in, first out, in a ring that grows by doubling and never shrinks: no allocation once it has its greatest
/// length.
template <class T>
class Fifo {
public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    /// The oldest item. Precondition: not empty.
    T& front() { return items_[head_]; }
    const T& front() const { return items_[head_]; }
    /// Number i from the front.
    T& operator[](std::size_t i) { return items_[(head_ + i) & (items_.size() - 1)]; }
    const T& operator[](std::size_t i) const { return items_[(head_ + i) & (items_.size() - 1)]; }

    /// Appends a copy of the item; references to items are invalid if the ring grows.
    void push_back(const T& item) {
        if (size_ == items_.size()) grow();
        (*this)[size_++] = item;
    }
    /// Removes the oldest item. Precondition: not empty.
    void pop_front() {
        head_ = (head_ + 1) & (items_.size() - 1);
        --size_;
    }
    /// Removes all items and keeps the memory.
    void clear() { head_ = size_ = 0; }

private:
    void grow() {
        std::vector<T> larger(items_.empty() ? 4 : 2 * items_.size());
        for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
        items_ = std::move(larger);
        head_ = 0;
    }

    std::vector<T> items_;   ///< a power of two of them, or none
    std::size_t head_ = 0, size_ = 0;
};

}   // namespace oscar

// A vector whose elements stay where they are.
#pragma once

#include <cstddef>
#include <vector>

namespace oscar {

/// Elements that stay valid in their places while others are added at the end. They lie in blocks of a power of two, so
/// that one is found by a shift and a mask; std::deque divides by a number that depends on the size of T, which in
/// places that each message asks for is a visible part of the time.
template <class T>
class StableVector {
public:
    StableVector() = default;
    explicit StableVector(std::size_t size) {
        while (size_ < size) emplace_back();
    }

    T& operator[](std::size_t i) { return blocks_[i / block][i % block]; }
    const T& operator[](std::size_t i) const { return blocks_[i / block][i % block]; }
    /// Adds a T{}.
    void emplace_back() {
        if (size_ == blocks_.size() * block) blocks_.push_back(std::vector<T>(block));
        ++size_;
    }
    std::size_t size() const { return size_; }

private:
    static constexpr std::size_t block = 16;

    std::vector<std::vector<T>> blocks_;
    std::size_t size_ = 0;
};

}   // namespace oscar

// Things that are under way, by numbers that are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oscar {

/// Gives each thing a number until it is taken out. The number taken out last is given out first.
template <class T>
class Slots {
public:
    /// Stores a copy and returns its number: the one freed last, or the next new one.
    std::uint32_t add(const T& thing) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(things_.size()));
            things_.emplace_back();
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        things_[number] = thing;
        return number;
    }
    /// Frees the number and returns its thing. Precondition: the number has been given out.
    T take(std::uint32_t number) {
        free_.push_back(number);
        return things_[number];
    }
    /// Precondition of both: the number has been given out.
    T& operator[](std::size_t number) { return things_[number]; }
    const T& operator[](std::size_t number) const { return things_[number]; }
    /// Numbers begin at 0 again.
    void clear() {
        things_.clear();
        free_.clear();
    }

private:
    std::vector<T> things_;             ///< by number
    std::vector<std::uint32_t> free_;   ///< numbers
};

}   // namespace oscar

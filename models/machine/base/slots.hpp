// Things with numbers, for the events that are about them.
#pragma once

#include <cstdint>
#include <vector>

namespace oscar {

/// A number is used again once its thing has been taken.
template <class T>
class Slots {
public:
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
    T take(std::uint32_t number) {
        free_.push_back(number);
        return things_[number];
    }

private:
    std::vector<T> things_;
    std::vector<std::uint32_t> free_;   ///< numbers
};

}   // namespace oscar

// Numbers in as few bytes each as the largest of them needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace oscar {

/// A vector of numbers below 2^32. It takes 1 byte for each while all have been below 2^8, then 2 bytes while they have
/// been below 2^16, else 4: counts per step, and numbers of few things, are small.
class NarrowVector {
public:
    NarrowVector() = default;
    explicit NarrowVector(std::size_t size, std::uint32_t value = 0) { resize(size, value); }

    std::uint32_t operator[](std::size_t i) const {
        switch (width_) {
            case 1:
                return bytes_[i];
            case 2:
                return load<std::uint16_t>(i);
            default:
                return load<std::uint32_t>(i);
        }
    }
    void set(std::size_t i, std::uint32_t value) {
        if (value > most_) widen(value);
        store(i, value);
    }
    void push_back(std::uint32_t value) {
        if (value > most_) widen(value);
        bytes_.resize(bytes_.size() + width_);
        store(size() - 1, value);
    }
    void resize(std::size_t size, std::uint32_t value = 0) {
        if (value > most_) widen(value);
        const std::size_t before = this->size();
        bytes_.resize(size * width_);
        for (std::size_t i = before; i < size && value > 0; ++i) store(i, value);
    }
    std::size_t size() const { return bytes_.size() / width_; }
    bool empty() const { return bytes_.empty(); }
    /// The bytes that each number takes.
    std::size_t width() const { return width_; }

private:
    template <class T>
    T load(std::size_t i) const {
        T value;
        std::memcpy(&value, bytes_.data() + i * sizeof(T), sizeof(T));
        return value;
    }
    template <class T>
    void put(std::size_t i, std::uint32_t number) {
        const auto value = static_cast<T>(number);
        std::memcpy(bytes_.data() + i * sizeof(T), &value, sizeof(T));
    }
    void store(std::size_t i, std::uint32_t value) {
        switch (width_) {
            case 1:
                return put<std::uint8_t>(i, value);
            case 2:
                return put<std::uint16_t>(i, value);
            default:
                return put<std::uint32_t>(i, value);
        }
    }
    void widen(std::uint32_t value) {
        NarrowVector wider;
        wider.width_ = value > std::numeric_limits<std::uint16_t>::max() ? 4 : 2;
        wider.most_ = wider.width_ == 4 ? std::numeric_limits<std::uint32_t>::max()
                                        : std::uint32_t{std::numeric_limits<std::uint16_t>::max()};
        wider.bytes_.resize(size() * wider.width_);
        for (std::size_t i = 0; i < size(); ++i) wider.store(i, (*this)[i]);
        *this = std::move(wider);
    }

    std::size_t width_ = 1;
    std::uint32_t most_ = std::numeric_limits<std::uint8_t>::max();
    std::vector<std::uint8_t> bytes_;
};

}   // namespace oscar

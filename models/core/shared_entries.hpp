// Entries of which many are equal, and are held once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

#include "models/core/narrow_vector.hpp"
#include "models/core/stable_vector.hpp"

namespace oscar {

/// A T for each of many numbers, whose T are mostly equal to those of numbers that were settled shortly before: steps
/// of a timestep that pass alike, messages of one size. An entry that changes has a place of its own until it is
/// settled. Memory: 1, 2 or 4 bytes for each number, and a T for each that changes at once or differs from those
/// settled before.
template <class T>
class SharedEntries {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>,
                  "its bytes are what is hashed and compared");

public:
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;
        Iterator() = default;
        Iterator(const SharedEntries& all, std::size_t number) : all_(&all), number_(number) {}
        reference operator*() const { return (*all_)[number_]; }
        pointer operator->() const { return &**this; }
        Iterator& operator++() {
            ++number_;
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++number_;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.number_ == b.number_; }

    private:
        const SharedEntries* all_ = nullptr;
        std::size_t number_ = 0;
    };
    using iterator = Iterator;
    using const_iterator = Iterator;
    using value_type = T;

    SharedEntries() = default;
    SharedEntries(std::initializer_list<T> entries) {
        for (const T& entry : entries) push_back(entry);
    }
    SharedEntries(const std::vector<T>& entries) {
        for (const T& entry : entries) push_back(entry);
    }

    /// New entries are T{}, or as given.
    void resize(std::size_t size) { place_.resize(size); }
    void resize(std::size_t size, const T& entry) {
        const std::size_t before = place_.size();
        place_.resize(size);
        for (std::size_t i = before; i < size; ++i) set(i, entry);
    }
    void push_back(const T& entry) { resize(size() + 1, entry); }

    const T& operator[](std::size_t i) const { return held_[place_[i]].entry; }
    /// The entry in a place of its own; valid until it is settled. References to other entries stay valid.
    T& change(std::size_t i) {
        const std::uint32_t place = place_[i];
        if (held_[place].own) return held_[place].entry;
        const std::uint32_t own = vacant();
        held_[own] = {held_[place].entry, true};
        place_.set(i, own);
        return held_[own].entry;
    }
    /// The entry changes no more for now: it gives up its own place if an equal one has been settled.
    void settle(std::size_t i) {
        const std::uint32_t place = place_[i];
        if (!held_[place].own) return;
        std::uint32_t& equal = recent_[hash(held_[place].entry) % recent_.size()];
        if (same(held_[equal].entry, held_[place].entry)) {
            place_.set(i, equal);
            vacant_.push_back(place);
        } else {
            equal = place;
        }
        held_[place].own = false;
    }
    void set(std::size_t i, const T& entry) {
        change(i) = entry;
        settle(i);
    }

    std::size_t size() const { return place_.size(); }
    bool empty() const { return place_.empty(); }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }
    /// The entries that are held.
    std::size_t held() const { return held_.size() - vacant_.size(); }

    friend bool operator==(const SharedEntries& a, const SharedEntries& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend bool operator==(const SharedEntries& a, const std::vector<T>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    struct Held {
        T entry{};
        bool own = false;   ///< of one number, which may change it
    };
    static std::uint64_t hash(const T& entry) {
        std::array<std::uint64_t, (sizeof(T) + 7) / 8> words{};
        std::memcpy(words.data(), &entry, sizeof(T));
        std::uint64_t hash = 0;
        for (const std::uint64_t word : words) hash = (hash ^ (hash >> 32) ^ word) * 0x9e3779b97f4a7c15ULL;
        return hash >> 40;
    }
    static bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }
    std::uint32_t vacant() {
        if (vacant_.empty()) {
            held_.emplace_back();
            return static_cast<std::uint32_t>(held_.size() - 1);
        }
        const std::uint32_t place = vacant_.back();
        vacant_.pop_back();
        return place;
    }

    NarrowVector place_;                                ///< per number, in held_; 0 at first
    StableVector<Held> held_ = StableVector<Held>(1);   ///< first T{}, which is never vacant
    std::vector<std::uint32_t> vacant_;
    std::vector<std::uint32_t> recent_ = std::vector<std::uint32_t>(4096);   ///< by hash, a place settled last
};

}   // namespace oscar

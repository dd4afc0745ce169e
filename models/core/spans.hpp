// Spans of simulated time in few bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// A span of simulated time [begin, end).
struct Span {
    Time begin, end;
    friend bool operator==(Span, Span) = default;
};

/// Spans in any order. Each is held as the time from the begin of the one before to its own, and its length; equal ones
/// at equal distances are held once. Memory: some 10 bytes for each run of those, and none for the others of a run.
class Spans {
    struct Run {
        Time distance, length;   ///< of begins, and from begin to end
        std::uint64_t count = 0;
    };

public:
    class Iterator {
    public:
        using iterator_concept = std::forward_iterator_tag;
        using iterator_category = std::input_iterator_tag;
        using value_type = Span;
        using difference_type = std::ptrdiff_t;
        using pointer = const Span*;
        using reference = Span;
        Iterator() = default;
        Iterator(const Spans& all, std::size_t number) : all_(&all), number_(number), begin_(all.origin_) {
            if (number_ < all.size_) read();
        }
        Span operator*() const { return {begin_, begin_ + run_.length}; }
        Iterator& operator++() {
            if (++number_ < all_->size_) read();
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.number_ == b.number_; }

    private:
        friend class Spans;
        void read();
        const Spans* all_ = nullptr;
        std::size_t number_ = 0, byte_ = 0;
        Time begin_;
        Run run_;   ///< what is left of it
    };
    using iterator = Iterator;
    using const_iterator = Iterator;
    using value_type = Span;

    Spans() = default;
    Spans(std::initializer_list<Span> spans) {
        for (const Span span : spans) push_back(span);
    }
    explicit Spans(const std::vector<Span>& spans) {
        for (const Span span : spans) push_back(span);
    }

    void push_back(Span span);
    void clear() { *this = {}; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size_}; }
    Span front() const { return *begin(); }
    /// Precondition: not empty.
    Span back() const { return {last_ + origin_, last_ + origin_ + run_.length}; }
    /// Number i, which takes time in proportion to i.
    Span operator[](std::size_t i) const {
        Iterator at = begin();
        for (; i > 0; --i) ++at;
        return *at;
    }
    std::vector<Span> all() const { return {begin(), end()}; }
    /// The same spans, each `time` earlier.
    Spans earlier(Time time) const {
        Spans result = *this;
        result.origin_ -= time;
        return result;
    }
    /// The bytes that hold them.
    std::size_t bytes() const { return bytes_.size(); }
    friend bool operator==(const Spans& a, const Spans& b);
    friend bool operator==(const Spans& a, const std::vector<Span>& b);

private:
    void write(std::uint64_t number);
    void write(Time time);
    std::uint64_t read(std::size_t& byte) const;
    Time read_time(std::size_t& byte) const;

    std::vector<std::uint8_t> bytes_;   ///< the runs before the last: distance, length, count
    Run run_;                           ///< the last
    Time last_;                         ///< where the last span begins, without origin_
    Time origin_;                       ///< added to all
    std::size_t size_ = 0;
};

}   // namespace oscar

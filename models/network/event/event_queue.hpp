// Event queue of a timing core.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// An event and its time. Events of one instant run in order of `order`, which depends on what they are and never on
/// when they were requested.
struct Event {
    Time time;
    std::uint64_t order = 0;
    std::uint32_t a = 0, b = 0;   ///< whom it concerns

    friend bool operator>(const Event& x, const Event& y) {
        return x.time > y.time || (x.time == y.time && x.order > y.order);
    }
};

/// Events by time: a timing wheel whose slots are sorted as they become current, and a heap for what lies beyond it.
/// Memory: that of the slots that had events at once, whichever they were.
/// Source: Varghese and Lauck, SOSP 1987, scheme 4.
class EventQueue {
public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    /// Precondition: event.time >= 0, and not before what has been popped.
    void push(const Event& event) {
        ++size_;
        place(event);
    }
    /// The first. Precondition: not empty.
    const Event& top() {
        if (current_.empty()) advance();
        return current_.front();
    }
    /// Removes the first and returns it. Precondition: not empty.
    Event pop() {
        if (current_.empty()) advance();
        std::pop_heap(current_.begin(), current_.end(), std::greater<>{});
        const Event event = current_.back();
        current_.pop_back();
        --size_;
        return event;
    }

private:
    static constexpr int slot_bits = 12;   ///< a slot is 4.096 ns, about a packet's time between two events of a port
    static constexpr std::int64_t slots = 4096;

    static std::int64_t slot_of(const Event& event) { return event.time.ps >> slot_bits; }

    void place(const Event& event) {
        const std::int64_t slot = slot_of(event);
        if (slot <= slot_) push_to(current_, event);
        else if (slot < slot_ + slots) place_in_wheel(slot % slots, event);
        else push_to(beyond_, event);
    }
    void place_in_wheel(std::int64_t index, const Event& event) {
        std::vector<Event>& events = wheel_[static_cast<std::size_t>(index)];
        if (events.capacity() == 0 && !spare_.empty()) {
            events.swap(spare_.back());
            spare_.pop_back();
        }
        events.push_back(event);
        occupied_[static_cast<std::size_t>(index / 64)] |= std::uint64_t{1} << (index % 64);
    }
    static void push_to(std::vector<Event>& heap, const Event& event) {
        heap.push_back(event);
        std::push_heap(heap.begin(), heap.end(), std::greater<>{});
    }

    /// Makes the next slot with events the current one. Law: all beyond the wheel is later than all in it.
    void advance() {
        if (const auto index = next_occupied(); index >= 0) {
            const std::int64_t distance = (index - slot_ % slots + slots) % slots;
            slot_ += distance;
            std::vector<Event>& next = wheel_[static_cast<std::size_t>(index)];
            current_.swap(next);
            if (next.capacity() > 0) spare_.push_back(std::exchange(next, {}));
            occupied_[static_cast<std::size_t>(index / 64)] &= ~(std::uint64_t{1} << (index % 64));
            std::make_heap(current_.begin(), current_.end(), std::greater<>{});
        } else slot_ = slot_of(beyond_.front());
        while (!beyond_.empty() && slot_of(beyond_.front()) < slot_ + slots) {
            const Event event = beyond_.front();
            std::pop_heap(beyond_.begin(), beyond_.end(), std::greater<>{});
            beyond_.pop_back();
            place(event);
        }
    }
    /// The index in the wheel of the first slot with events after the current one; -1 if there is none.
    std::int64_t next_occupied() const {
        const std::int64_t first = (slot_ + 1) % slots;
        const auto words = static_cast<std::int64_t>(occupied_.size());
        for (std::int64_t k = 0; k <= words; ++k) {
            const std::int64_t word = (first / 64 + k) % words;
            std::uint64_t bits = occupied_[static_cast<std::size_t>(word)];
            if (k == 0) bits &= ~std::uint64_t{0} << (first % 64);
            if (bits != 0) return word * 64 + std::countr_zero(bits);
        }
        return -1;
    }

    std::size_t size_ = 0;
    std::int64_t slot_ = 0;        ///< number of the current slot, from time 0 on
    std::vector<Event> current_;   ///< a heap: what is in the current slot, or before it
    std::array<std::vector<Event>, slots> wheel_;
    std::array<std::uint64_t, slots / 64> occupied_{};
    std::vector<std::vector<Event>> spare_;   ///< empty, with memory for the next slots that get events
    std::vector<Event> beyond_;               ///< a heap
};

}   // namespace oscar

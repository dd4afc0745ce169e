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

/// Events by time: a timing wheel whose slots are sorted as they become current, and heaps for what is added to the
/// current one and for what lies beyond the wheel.
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
        if (is_passed()) advance();
        return added_is_next() ? added_.front() : current_[next_];
    }
    /// Removes the first and returns it. Precondition: not empty.
    Event pop() {
        if (is_passed()) advance();
        --size_;
        return added_is_next() ? pop_from(added_) : current_[next_++];
    }

private:
    static constexpr int slot_bits = 12;   ///< a slot is 4.096 ns, about a packet's time between two events of a port
    static constexpr std::int64_t slots = 4096;

    static std::int64_t slot_of(const Event& event) { return event.time.ps >> slot_bits; }

    /// True if nothing is left of the current slot.
    bool is_passed() const { return next_ == current_.size() && added_.empty(); }
    bool added_is_next() const {
        return !added_.empty() && (next_ == current_.size() || current_[next_] > added_.front());
    }

    void place(const Event& event) {
        const std::int64_t slot = slot_of(event);
        if (slot <= slot_) push_to(added_, event);
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
    static Event pop_from(std::vector<Event>& heap) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<>{});
        const Event event = heap.back();
        heap.pop_back();
        return event;
    }
    /// Events of ranks that do the same at once were mostly pushed in their order.
    static void sort(std::vector<Event>& events) {
        const auto is_before = [](const Event& x, const Event& y) { return y > x; };
        if (!std::ranges::is_sorted(events, is_before)) std::ranges::sort(events, is_before);
    }

    /// Makes the next slot with events the current one. Law: all beyond the wheel is later than all in it.
    void advance() {
        current_.clear();
        next_ = 0;
        if (const auto index = next_occupied(); index >= 0) {
            const std::int64_t distance = (index - slot_ % slots + slots) % slots;
            slot_ += distance;
            std::vector<Event>& next = wheel_[static_cast<std::size_t>(index)];
            current_.swap(next);
            if (next.capacity() > 0) spare_.push_back(std::exchange(next, {}));
            occupied_[static_cast<std::size_t>(index / 64)] &= ~(std::uint64_t{1} << (index % 64));
            sort(current_);
        } else slot_ = slot_of(beyond_.front());
        while (!beyond_.empty() && slot_of(beyond_.front()) < slot_ + slots) place(pop_from(beyond_));
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
    std::vector<Event> current_;   ///< what was in the current slot when it became that, in order
    std::size_t next_ = 0;         ///< in current_, the first that has not been popped
    std::vector<Event> added_;     ///< a heap: what has come to the current slot since, or to one before it
    std::array<std::vector<Event>, slots> wheel_;
    std::array<std::uint64_t, slots / 64> occupied_{};
    std::vector<std::vector<Event>> spare_;   ///< empty, with memory for the next slots that get events
    std::vector<Event> beyond_;               ///< a heap
};

}   // namespace oscar

// Per-step state of the steps of a job that are under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "models/core/index.hpp"

namespace oscar {

/// A T for each step in flight. Memory: 4 bytes per step of the job, and one T for each step at the peak of steps in
/// flight. T::clear() resets a T for the next step; the T may keep its capacity. References stay valid until the step
/// is erased.
template <class T>
class ActiveSteps {
public:
    explicit ActiveSteps(std::size_t steps = 0) : slot_(steps, none) {}

    /// The T of a step, which is in flight from now on.
    T& operator[](StepId step) {
        std::uint32_t& slot = slot_[step.value];
        if (slot == none) slot = vacant();
        return held_[slot];
    }
    /// Precondition: the step is in flight.
    T& at(StepId step) { return held_.at(slot_.at(step.value)); }
    const T& at(StepId step) const { return held_.at(slot_.at(step.value)); }

    /// Precondition: the step is in flight.
    void erase(StepId step) {
        std::uint32_t& slot = slot_[step.value];
        held_[slot].clear();
        vacant_.push_back(slot);
        slot = none;
    }

    /// The number of steps in flight.
    std::size_t size() const { return held_.size() - vacant_.size(); }
    /// The most that were in flight at once.
    std::size_t peak() const { return held_.size(); }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t vacant() {
        if (vacant_.empty()) {
            held_.emplace_back();
            return static_cast<std::uint32_t>(held_.size() - 1);
        }
        const std::uint32_t slot = vacant_.back();
        vacant_.pop_back();
        return slot;
    }

    std::vector<std::uint32_t> slot_;   ///< per step, in held_
    std::deque<T> held_;
    std::vector<std::uint32_t> vacant_;
};

}   // namespace oscar

// Per-step state of the steps of a job that are under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/core/index.hpp"
#include "models/core/narrow_vector.hpp"
#include "models/core/stable_vector.hpp"

namespace oscar {

/// A T for each step in flight. Memory: 1, 2 or 4 bytes per step of the job, as many as the number of a T needs, and
/// one T for each step at the peak of steps in flight. T::clear() resets a T for the next step; the T may keep its
/// capacity. References stay valid until the step is erased.
template <class T>
class ActiveSteps {
public:
    explicit ActiveSteps(std::size_t steps = 0) : slot_(steps) {}

    /// The T of a step, which is in flight from now on.
    T& operator[](StepId step) {
        if (slot_[step.value] == none) slot_.set(step.value, vacant());
        return at(step);
    }
    /// std::out_of_range: the step is not in flight.
    T& at(StepId step) { return held_[place_of(step)]; }
    const T& at(StepId step) const { return held_[place_of(step)]; }

    /// Precondition: the step is in flight.
    void erase(StepId step) {
        at(step).clear();
        vacant_.push_back(slot_[step.value]);
        slot_.set(step.value, none);
    }

    /// The number of steps in flight.
    std::size_t size() const { return held_.size() - vacant_.size(); }
    /// The most that were in flight at once.
    std::size_t peak() const { return held_.size(); }

private:
    static constexpr std::uint32_t none = 0;
    std::size_t place_of(StepId step) const {
        const std::uint32_t slot = slot_[step.value];
        if (slot == none) throw std::out_of_range("step " + std::to_string(step.value) + " is not in flight");
        return slot - std::size_t{1};
    }
    std::uint32_t vacant() {
        if (vacant_.empty()) {
            held_.emplace_back();
            return static_cast<std::uint32_t>(held_.size());
        }
        const std::uint32_t slot = vacant_.back();
        vacant_.pop_back();
        return slot;
    }

    NarrowVector slot_;   ///< per step, one more than its place in held_
    StableVector<T> held_;
    std::vector<std::uint32_t> vacant_;
};

}   // namespace oscar

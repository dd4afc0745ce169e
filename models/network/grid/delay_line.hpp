// Fixed-delay line: items arrive in order, a constant number of cycles after they were sent.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// Things that arrive a fixed number of cycles after they were sent, in the order of sending.
template <class T>
class DelayLine {
public:
    explicit DelayLine(std::uint32_t delay) : delay_(delay), slots_(std::bit_ceil(std::size_t{delay} + 1)) {}

    /// The thing arrives `delay` cycles after `now`, the running cycle.
    void send(Cycles now, const T& thing) { slot(now + delay_).push_back(thing); }

    /// Calls f(thing) for all that arrives now. f may send on this line unless its delay is 0.
    template <class F>
    void receive(Cycles now, F&& f) {
        std::vector<T>& due = slot(now);
        for (const T& thing : due) f(thing);
        due.clear();
    }

    /// Calls f(thing) for all that is in flight.
    template <class F>
    void for_each(F&& f) const {
        for (const auto& due : slots_)
            for (const T& thing : due) f(thing);
    }

private:
    std::vector<T>& slot(Cycles at) { return slots_[at & (slots_.size() - 1)]; }

    std::uint32_t delay_;
    std::vector<std::vector<T>> slots_;
};

}   // namespace oscar

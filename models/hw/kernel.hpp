// The border between picoseconds and SystemC.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <systemc>

#include "models/core/units.hpp"

namespace oscar {

inline sc_core::sc_time to_sc(Time time) { return sc_core::sc_time::from_value(static_cast<std::uint64_t>(time.ps)); }
inline Time now() { return {static_cast<std::int64_t>(sc_core::sc_time_stamp().value())}; }

/// Calls for a later time, in order of time and, at equal times, in order of asking. One SystemC process serves them:
/// a second notification of a pending sc_event would be dropped, so the queue stands beside the event.
class Agenda : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Agenda);
    explicit Agenda(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_METHOD(run_due);
        sensitive << due_;
        dont_initialize();
    }

    /// Precondition: at >= now().
    void at(Time time, std::function<void()> action) {
        calls_.push({time, sequence_++, std::move(action)});
        notify_next();
    }
    std::uint64_t calls() const { return sequence_; }

    /// Runs the kernel until no event is left anywhere; rethrows what a call threw.
    static void run_all() {
        sc_core::sc_start();
        if (const auto thrown = std::exchange(failure(), nullptr)) std::rethrow_exception(thrown);
    }

private:
    struct Call {
        Time time;
        std::uint64_t sequence;
        std::function<void()> action;
        bool operator<(const Call& other) const {   // priority_queue keeps the largest on top
            return other.time < time || (other.time == time && other.sequence < sequence);
        }
    };

    static std::exception_ptr& failure() {   // one per process, as the kernel is
        static std::exception_ptr thrown;
        return thrown;
    }

    void run_due() {
        while (!calls_.empty() && calls_.top().time <= now()) {
            const auto action = std::move(const_cast<Call&>(calls_.top()).action);
            calls_.pop();
            try {
                action();
            } catch (...) {   // the kernel would turn it into an sc_report and lose its type
                failure() = std::current_exception();
                notify_next();
                sc_core::sc_pause();
                return;
            }
        }
        notify_next();
    }

    /// A call is late only when another agenda's exception has stopped the kernel before it.
    void notify_next() {
        if (!calls_.empty()) due_.notify(to_sc(std::max(Time{}, calls_.top().time - now())));
    }

    std::priority_queue<Call> calls_;
    std::uint64_t sequence_ = 0;
    sc_core::sc_event due_;
};

}   // namespace oscar

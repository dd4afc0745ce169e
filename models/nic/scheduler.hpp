// Simulated time as the parts of a NIC see it.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

#include "models/network/event/fabric.hpp"

namespace oscar {

/// Order of the calls of one instant. Packets that arrive at that instant come before all of them; arbitration for
/// links comes after all of them.
enum class Stage : std::uint32_t { start, ready, timestep, slot };

/// Runs actions at given times, in one order with the events of a network.
class Scheduler {
public:
    virtual ~Scheduler() = default;

    Fabric& fabric() const { return fabric_; }
    Time now() const { return fabric_.now(); }

    /// Calls `action` at `time` >= now(); at equal times in order of stage, then of `order`.
    virtual void at(Time time, Stage stage, std::uint32_t order, std::function<void()> action) = 0;
    /// The same, from a process that is none of this scheduler's. Default: there are no others.
    virtual void post(Time time, Stage stage, std::uint32_t order, std::function<void()> action) {
        at(time, stage, order, std::move(action));
    }
    /// Another process has been given something to do, which may come before the actions that are already known.
    virtual void others_have_work() {}
    /// Ends the run with this error.
    virtual void fail(std::exception_ptr why) { std::rethrow_exception(std::move(why)); }

protected:
    explicit Scheduler(Fabric& fabric) : fabric_(fabric) {}

private:
    Fabric& fabric_;
};

}   // namespace oscar

// Simulated time as the parts of a NIC see it.
#pragma once

#include <cstdint>
#include <functional>

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

protected:
    explicit Scheduler(Fabric& fabric) : fabric_(fabric) {}

private:
    Fabric& fabric_;
};

}   // namespace oscar

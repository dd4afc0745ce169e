// A job while it runs: what its NICs share.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/collective/step_lists.hpp"
#include "models/hw/active_steps.hpp"
#include "models/hw/assembly.hpp"
#include "models/hw/job.hpp"

namespace oscar {

/// A step on its way, for its sender: the message on which its packets are views, and when each packet could leave,
/// then when its last bit had left.
struct Outbound {
    std::shared_ptr<const Encoded> message;
    std::array<std::vector<Moment>, packet_kinds> departures;
    void clear() {
        message.reset();
        for (auto& kind : departures) kind.clear();
    }
};

/// A step on its way, for its receiver.
struct Inbound {
    Assembly assembly;
    std::size_t next_block = 0;
    Moment operand;          ///< local values (reduce) and classes are there
    Moment done;             ///< last block decoded or added so far
    bool compared = false;   ///< the tables of its first coded block are those that the receiver holds
    bool refused = false;    ///< what comes of the first message is dropped
    void clear() {
        assembly.clear();
        next_block = 0;
        operand = done = {};
        compared = refused = false;
    }
};

/// Memory is O(steps) words, O(steps under way) for all else. A step is outbound from its issue, inbound from the
/// first of: its receiver begins its timestep, a packet comes. Both end when all of it has been taken in.
struct RunningJob {
    RunningJob(const Job& j, Time begin, Outcome& o)
        : job(j),
          origin(begin),
          outcome(o),
          incoming(steps_by_receiver(schedule())),
          outbound(schedule().steps.size()),
          inbound(schedule().steps.size()) {}
    const Schedule& schedule() const { return job.plan.schedule; }
    const Step& step(StepId id) const { return schedule().steps[id.value]; }

    const Job& job;
    Time origin;
    Outcome& outcome;
    StepLists incoming;   ///< per rank, in the order of timesteps
    ActiveSteps<Outbound> outbound;
    ActiveSteps<Inbound> inbound;
};

}   // namespace oscar

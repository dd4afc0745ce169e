// A job while it runs: what its NICs share.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "models/collective/schedule/step_lists.hpp"
#include "models/network/core/fabric.hpp"
#include "models/nic/active_steps.hpp"
#include "models/nic/assembly.hpp"
#include "models/nic/flow_table.hpp"
#include "models/nic/job.hpp"
#include "models/nic/message_shape.hpp"
#include "models/timing/event_run.hpp"

namespace oscar {

/// Packets of one kind of a step: what the network carries, and when each packet may leave, then when its last bit had
/// left. The network tells of each packet by itself, or of all in runs.
struct Departures {
    FabricMessage packets;
    EventRuns eligible;
    std::vector<TimedEvent> by_packet;   ///< eligible until it has left; empty until the network tells of the first
    EventRuns in_turn;
    TimedEvent operator[](std::uint32_t sequence) const {
        return by_packet.empty() ? in_turn[sequence] : by_packet[sequence];
    }
    void clear() {
        eligible.clear();
        by_packet.clear();
        in_turn.clear();
    }
};

/// A step on its way, for its sender: the message on which its packets are views, and when they leave.
struct Outbound {
    std::shared_ptr<const Encoded> message;
    std::shared_ptr<const MessageShape> shape;
    const FlowTable::Flow* flow = nullptr;   ///< of the message; none where packets take ways of their own
    bool at_once = false;                    ///< the receiver wants to know of the first and the last packet only
    EventRuns arrivals;                      ///< of its packets, where they are foretold
    std::array<Departures, packet_kinds> departures;
    /// Packets of which the receiver wants to know.
    std::span<const std::uint32_t> wanted() const { return at_once ? shape->ends : shape->complete; }
    void clear() {
        message.reset();
        shape.reset();
        flow = nullptr;
        at_once = false;
        arrivals.clear();
        for (Departures& kind : departures) kind.clear();
    }
};

/// A step on its way, for its receiver.
struct Inbound {
    Assembly assembly;
    std::set<std::uint32_t> ahead;     ///< packets that overtook others of the message
    std::size_t next_batch = 0;        ///< of the message's shape
    std::uint32_t batch_packets = 0;   ///< of that batch, those that have come
    TimedEvent operand;                ///< local values (reduce) and classes are there
    TimedEvent done;                   ///< last block decoded or added so far
    bool compared = false;             ///< the tables of its first coded block are those that the receiver holds
    bool refused = false;              ///< what comes of the first message is dropped
    void clear() {
        assembly.clear();
        ahead.clear();
        next_batch = batch_packets = 0;
        operand = done = {};
        compared = refused = false;
    }
};

/// Per rank, whether all that it receives comes from one other.
std::vector<bool> receivers_of_one(const Schedule& schedule);
/// Per step, whether it adds to a place that another one adds to as well: the local values there are read once.
std::vector<bool> repeated_additions(const Plan& plan);

/// Memory is O(steps) words, O(steps under way) for all else. A step is outbound from its issue, inbound from the
/// first of: its receiver begins its timestep, a packet comes. Both end when all of it has been taken in.
struct RunningJob {
    RunningJob(const Job& j, Time begin, Bytes packet, Outcome& o)
        : job(j),
          origin(begin),
          outcome(o),
          incoming(steps_by_receiver(schedule())),
          timesteps(schedule().timesteps()),
          one_sender(receivers_of_one(schedule())),
          added_again(repeated_additions(job.plan)),
          shapes(packet),
          outbound(schedule().steps.size()),
          inbound(schedule().steps.size()) {}
    const Schedule& schedule() const { return job.plan.schedule; }
    const Step& step(StepId id) const { return schedule().steps[id.value]; }
    std::uint32_t channel(StepId id) const { return schedule().channel_of(step(id).chunk); }

    const Job& job;
    Time origin;
    Outcome& outcome;
    StepLists incoming;   ///< per rank, in the order of timesteps
    std::uint32_t timesteps;
    std::vector<bool> one_sender;    ///< per rank: all that it receives comes from one other
    std::vector<bool> added_again;   ///< per step
    MessageShapes shapes;
    ActiveSteps<Outbound> outbound;
    ActiveSteps<Inbound> inbound;
};

}   // namespace oscar

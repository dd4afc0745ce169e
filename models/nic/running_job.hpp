// A running job: the state that its NICs share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "models/collective/schedule/step_lists.hpp"
#include "models/job/job.hpp"
#include "models/nic/value_places.hpp"
#include "models/nic/wire/active_steps.hpp"
#include "models/nic/wire/assembly.hpp"
#include "models/nic/wire/messages_in_flight.hpp"
#include "models/timing/event_run.hpp"

namespace oscar {

/// A step in flight, as its receiver sees it.
struct Inbound {
    Assembly assembly;
    std::map<std::uint32_t, Delivery> ahead;   ///< that came before others of the message, by their first packet
    std::size_t next_batch = 0;                ///< of the shared message's shape
    std::uint32_t batch_packets = 0;           ///< of that batch, those that have come
    TimedEvent operand;                        ///< local values (reduce) and classes are there
    TimedEvent done;                           ///< last block decoded or added so far
    std::optional<Time> freed;   ///< when the NIC needs the bytes of the blocks that were given last no more, if known
    Bytes released;              ///< of the message, that have left staging memory or are known to
    std::uint32_t decoded = 0;   ///< blocks given to an engine that codes them, of `contents`
    std::shared_ptr<const MessageContents> contents = nullptr;
    std::uint64_t in_memory = 0;   ///< values whose coded bytes are in GPU memory, where kernels decode
    std::uint32_t undecoded = 0;   ///< blocks for which the engine has not answered
    bool whole = false;            ///< all packets have come, the last at `arrived`
    TimedEvent arrived;
    bool compared = false;   ///< the tables of its first coded block are those that the receiver holds
    bool refused = false;    ///< packets of the first message are dropped
    void clear() {
        assembly.clear();
        ahead.clear();
        next_batch = batch_packets = 0;
        operand = done = arrived = {};
        freed.reset();
        released = {};
        decoded = undecoded = 0;
        in_memory = 0;
        contents = nullptr;
        whole = false;
        compared = refused = false;
    }
};

/// What all nodes of a machine have in common, as far as it changes the ways of values.
struct NodeTraits {
    std::uint32_t island = 1;   ///< so many neighbouring ranks reach each other by ports of their own; 1: none do
    bool staged = false;        ///< what NICs receive is staged in GPU memory
    bool shared_dma =
        false;   ///< several ranks have one NIC, their NICs one uplink to GPUs, or several jobs are in flight
};

/// Per rank, whether it receives from a single other rank.
std::vector<bool> receivers_of_one(const Schedule& schedule);
/// Per step, whether another step adds to the same values: the local values there are read once.
std::vector<bool> repeated_additions(const Plan& plan);

/// Memory: O(steps) words, and O(steps in flight) for all else. A step is in flight from its issue on. It is inbound
/// when its receiver begins its timestep or its first packet arrives. Both end when all of it has been taken in.
struct RunningJob {
    RunningJob(const Job& j, Time begin, Bytes packet, Outcome& o, const NodeTraits& nodes = {}, std::uint32_t b = 0)
        : job(j),
          origin(begin),
          base(b),
          outcome(o),
          places(job.plan, nodes.island, nodes.staged),
          incoming(steps_by_receiver(schedule())),
          timesteps(schedule().timesteps()),
          one_sender(nodes.shared_dma ? std::vector<bool>(schedule().participants()) : receivers_of_one(schedule())),
          added_again(repeated_additions(job.plan)),
          in_flight(schedule().steps.size(), packet, b),
          taken(schedule().steps.size()),
          complete(places.two_tiers() ? schedule().steps.size() : 0),
          in_memory(places.two_tiers() ? schedule().participants() : 0),
          inbound(schedule().steps.size()) {}
    const Schedule& schedule() const { return job.plan.schedule; }
    const Step& step(StepId id) const { return schedule().steps[id.value]; }
    /// Order of a step's actions among those of one instant.
    std::uint32_t order(StepId id) const { return base + id.value; }
    /// The channel that carries a step's chunk.
    std::uint32_t channel(StepId id) const { return schedule().channel_of(step(id).chunk); }

    /// True if all that a step's receiver adds the message to is in its place.
    bool can_take_in(StepId id) const {
        return std::ranges::all_of(places.before(id), [this](StepId other) { return complete[other.value]; });
    }
    /// A result of a step is in a rank's GPU memory.
    void note_result(Rank rank, StepId step, const TimedEvent& there);

    /// Values that a step has brought to a rank's GPU memory can be used there: results, and sums for a port.
    void note_usable(Rank rank, StepId step, const TimedEvent& usable) {
        if (job.plan.completes(step)) note_result(rank, step, usable);
        if (!places.two_tiers() || !places.goes_to_memory(step)) return;
        TimedEvent& last = in_memory[rank.value][job.plan.taken_chunk(step)];
        last = later(last, usable);
    }

    /// The receiver of a step has taken all of it.
    void end(StepId id) {
        outcome.wire_bytes.set(id.value, in_flight.at(id).wire_bytes);
        in_flight.erase(id);
        inbound.erase(id);
        taken[id.value] = true;
    }

    const Job& job;
    Time origin;
    std::uint32_t base;   ///< number of its first step among those of all jobs in flight
    Outcome& outcome;
    ValuePlaces places;
    StepLists incoming;   ///< per rank, in the order of timesteps
    std::uint32_t timesteps;
    std::vector<bool> one_sender;    ///< per rank: all that its NIC and its DMA receive comes from one other
    std::vector<bool> added_again;   ///< per step
    MessagesInFlight in_flight;
    std::vector<bool> taken;      ///< per step, whether its receiver has all of it
    std::vector<bool> complete;   ///< per step, where there are two tiers: what depends on it may start
    /// Per participant, where there are two tiers: when what its NIC received or added last of a chunk is in GPU
    /// memory.
    std::vector<std::unordered_map<ChunkId, TimedEvent>> in_memory;
    ActiveSteps<Inbound> inbound;
    std::uint64_t discarded = 0, sorted = 0;   ///< packets that receivers had, and that they kept for those before
};

}   // namespace oscar

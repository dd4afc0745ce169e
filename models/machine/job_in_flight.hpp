// A job in flight: all that a machine holds for this job alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/machine/handover.hpp"
#include "models/machine/held_packets.hpp"
#include "models/machine/node/node_modules.hpp"
#include "models/machine/packet_dispatch.hpp"
#include "models/machine/step_scheduler.hpp"
#include "models/machine/switch/aggregator.hpp"
#include "models/machine/timeline.hpp"
#include "models/network/topology/aggregation_tree.hpp"

namespace oscar {

/// What the jobs of a machine share.
struct SharedMachine {
    const Topology& topology;
    const Nodes& nodes;
    const NetworkParams& network;
    Timeline& timeline;
    FlowTable& flows;
    const NodeModules& node_modules;
    HeldPackets& held;
};

/// The logic of a job's NICs, which serve it by the parts of nodes and the links that all jobs share, and the order of
/// its steps. It can be used again for another job when nothing is in flight.
class JobInFlight {
public:
    /// `on_ready`: a step of it is ready. `on_over`: all its steps are ready, and its computations done.
    using Event = std::function<void(JobInFlight&)>;
    JobInFlight(const SharedMachine& machine, Event on_ready, Event on_over);
    JobInFlight(const JobInFlight&) = delete;
    JobInFlight& operator=(const JobInFlight&) = delete;

    /// The switches of `tree` take part from now on.
    void add_aggregators(const AggregationTree& tree);

    /// The place of a job among those that are in flight.
    struct Place {
        Time origin;              ///< its begin
        std::uint32_t base = 0;   ///< number of its first step among those of all jobs
        bool alone = true;        ///< no other job has a part in this run of the machine
    };
    /// The job begins; it and its outcome outlive the run.
    void begin(const Job& job, const Place& place, Outcome& outcome);
    bool has_begun() const { return running_.has_value(); }
    /// Sets finish and path of the outcome. The end is the last result in GPU memory, the last step's, or that of the
    /// last computation, whichever is latest. Of results of one instant it is that of the step that is last in the
    /// schedule: the numbers of ranks decide nothing.
    void find_end();
    /// The last result in GPU memory or step so far, from the job's begin.
    Time last_moment() const;
    /// The job is over; gives up what it held for each step.
    void end();

    const Job& job() const { return running_->job; }
    Outcome& outcome() const { return running_->outcome; }
    const RunningJob& running() const { return *running_; }
    Time origin() const { return running_->origin; }
    const StepScheduler& steps() const { return steps_; }
    PacketDispatch& dispatch() { return dispatch_; }
    const Nic& nic(Rank participant) const { return *nics_[participant.value]; }
    /// The name of the packet that is number `sequence` of those that a tag names.
    PacketName name_of(std::uint64_t tag, std::uint32_t sequence) const {
        return PacketName::of(tag, sequence, running_->base);
    }

private:
    NodeTraits traits(bool alone) const;
    void ready(StepId step);

    SharedMachine machine_;
    Event on_ready_;
    std::vector<std::unique_ptr<Nic>> nics_;   ///< per participant
    PacketDispatch dispatch_;
    Handover handover_;
    StepScheduler steps_;
    std::optional<RunningJob> running_;
};

}   // namespace oscar

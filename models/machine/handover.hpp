// Hand-over: when a NIC begins with a message that its GPU sends.
#pragma once

#include <functional>
#include <utility>

#include "models/nic/node_params.hpp"
#include "models/nic/running_job.hpp"
#include "models/nic/scheduler.hpp"

namespace oscar {

/// A NIC learns of a message half of nic.message_latency after its GPU could send it, where the GPU hands it over:
/// each message where all is staged in GPU memory, and what kernels have made. Everything else is the NIC's own: it is
/// told of the collective once, half of nic.message_latency after its rank starts, or after the kernel of a slice.
/// Ports inside islands and switches that add wait for nobody.
class Handover {
public:
    /// `issue`: a NIC begins with a step. `nodes`, one for each rank, outlive this.
    using Issue = std::function<void(StepId step, const TimedEvent& now)>;
    Handover(Scheduler& time, const Nodes& nodes, Issue issue) : time_(time), nodes_(nodes), issue_(std::move(issue)) {}

    /// A job begins; it outlives its run.
    void begin(const RunningJob& job) { job_ = &job; }
    /// The sender of a step may begin with it.
    void issue(StepId step, const TimedEvent& now);

private:
    TimedEvent handed_over(StepId step, const TimedEvent& now) const;
    TimedEvent told(StepId step, Time to_nic) const;

    Scheduler& time_;
    const Nodes& nodes_;
    Issue issue_;
    const RunningJob* job_ = nullptr;
};

}   // namespace oscar

#include "models/machine/handover.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// True if a rank's processor computes before a step what it sends.
bool is_computed(const RunningJob& job, StepId id) {
    const auto& before = job.job.computations.before_step;
    return id.value < before.size() && !before[id.value].empty();
}

/// When what a port sends is in its GPU's memory, and the GPU knows of it: until then the port is free for others.
TimedEvent in_memory(const RunningJob& job, StepId id, const TimedEvent& now) {
    const auto& stored = job.in_memory[job.step(id).from.value];
    const auto found = stored.find(job.job.plan.sent_chunk(id));
    return found == stored.end() ? now : later(now, found->second);
}

}   // namespace

void Handover::issue(StepId id, const TimedEvent& now) {
    const TimedEvent handed = handed_over(id, now);
    if (handed.at == now.at) return issue_(id, now);
    time_.at(handed.at, Stage::start, job_->schedule().participants() + job_->order(id),
             [this, id, handed] { issue_(id, handed); });
}

TimedEvent Handover::handed_over(StepId id, const TimedEvent& now) const {
    const Rank from = job_->step(id).from;
    if (from.value >= nodes_.size()) return now;
    if (job_->places.tier(id) == Tier::inside) return in_memory(*job_, id, now);
    const Time to_nic = nodes_[from.value].nic.to_nic();
    if (job_->places.handed_over(id) || is_computed(*job_, id)) return now.after(to_nic, &CriticalPath::latency_ps);
    return later(now, told(id, to_nic));
}

/// When the NIC of a step's sender knows of the rank's own values.
TimedEvent Handover::told(StepId id, Time to_nic) const {
    const std::vector<Time>&start = job_->job.start, &release = job_->job.release;
    const TimedEvent first{job_->origin + job_->outcome.first_start};
    Time there = job_->outcome.first_start;
    if (!start.empty()) there = std::max(there, start[job_->step(id).from.value]);
    if (!release.empty()) there = std::max(there, release[id.value]);
    return first.until(job_->origin + there, &CriticalPath::wait_ps).after(to_nic, &CriticalPath::latency_ps);
}

}   // namespace oscar

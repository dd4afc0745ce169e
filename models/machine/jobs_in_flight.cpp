#include "models/machine/jobs_in_flight.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace oscar {

JobsInFlight::JobsInFlight(const SharedMachine& machine, std::function<void()> on_ready)
    : machine_(machine), on_ready_(std::move(on_ready)) {}

void JobsInFlight::make_first() { idle_.push_back(make_flight()); }

std::unique_ptr<JobInFlight> JobsInFlight::make_flight() {
    return std::make_unique<JobInFlight>(
        machine_, [this](JobInFlight&) { on_ready_(); }, [this](JobInFlight& flight) { over(flight); });
}

std::size_t JobsInFlight::add(const Job& job, Done done) {
    std::uint64_t base = 0;
    if (!jobs_.empty()) {
        const Job& before = *jobs_.back()->job;
        base = std::uint64_t{jobs_.back()->base} + before.plan.schedule.participants() +
               before.plan.schedule.steps.size() + before.computations.all.size();
    }
    if (base + job.plan.schedule.steps.size() >= std::uint64_t{1} << 32)
        throw std::invalid_argument("the jobs of a run have more than 2^32 steps");
    jobs_.push_back(std::make_unique<AddedJob>(AddedJob{&job, std::move(done), static_cast<std::uint32_t>(base)}));
    return jobs_.size() - 1;
}

void JobsInFlight::start(std::size_t job, Time when) {
    AddedJob& added = *jobs_[job];
    if (added.start) throw std::logic_error("job " + std::to_string(job) + " of a run was started before");
    added.start = when;
    if (!runs_) return;
    added.start = std::max(when, machine_.timeline.now() - origin_);
    machine_.timeline.at(origin_ + *added.start, Stage::start, added.base, [this, &added] { begin_job(added); });
}

void JobsInFlight::begin_job(AddedJob& added) {
    added.flight->begin(*added.job, {origin_ + *added.start, added.base, jobs_.size() == 1}, added.outcome);
}

void JobsInFlight::prepare() {
    try {
        give_flights();
    } catch (...) {
        jobs_.clear();
        throw;
    }
}

void JobsInFlight::give_flights() {
    for (const auto& added : jobs_) {
        const Schedule& schedule = added->job->plan.schedule;
        if (schedule.aggregators > 0 && jobs_.size() > 1)
            throw std::invalid_argument("a collective in which switches add runs alone");
        if (schedule.aggregators > 0) make_tree(schedule);
        if (idle_.empty()) idle_.push_back(make_flight());
        added->flight = std::move(idle_.back());
        idle_.pop_back();
        if (tree_) added->flight->add_aggregators(*tree_);
    }
}

/// The switches of the tree that the schedule was made for.
void JobsInFlight::make_tree(const Schedule& schedule) {
    if (!tree_) {
        tree_ = schedule.island_switches ? island_trees(machine_.topology) : aggregation_tree(machine_.topology);
        machine_.flows.set_aggregation_tree(*tree_);
    }
    if (schedule.aggregators != tree_->switches.size() || schedule.island_switches != tree_->of_islands)
        throw std::invalid_argument("the schedule has " + std::to_string(schedule.aggregators) +
                                    " aggregators, and the topology " + std::to_string(tree_->switches.size()) +
                                    "; make it with schedule_on()");
}

void JobsInFlight::begin(Time origin) {
    origin_ = origin;
    runs_ = true;
    for (const auto& added : jobs_) {
        if (!added->start) continue;
        AddedJob& job = *added;
        if (*job.start == Time{}) begin_job(job);
        else machine_.timeline.at(origin_ + *job.start, Stage::start, job.base, [this, &job] { begin_job(job); });
    }
}

std::vector<Outcome> JobsInFlight::take() {
    runs_ = false;
    std::vector<Outcome> outcomes;
    for (const auto& added : jobs_) {
        added->flight->end();
        outcomes.push_back(std::move(added->outcome));
        idle_.push_back(std::move(added->flight));
    }
    jobs_.clear();
    return outcomes;
}

JobInFlight& JobsInFlight::of(std::uint64_t tag) const {
    if (jobs_.size() == 1) return *jobs_.front()->flight;
    const auto behind = std::ranges::upper_bound(jobs_, PacketName::step_number(tag), {},
                                                 [](const auto& added) { return added->base; });
    return *(*std::prev(behind))->flight;
}

bool JobsInFlight::have_ended() const {
    return std::ranges::all_of(jobs_, [](const auto& added) {
        return added->flight->has_begun() && added->flight->steps().unfinished() == 0;
    });
}

JobsInFlight::Progress JobsInFlight::progress() const {
    Progress progress;
    bool unstarted = false;
    for (const auto& added : jobs_) {
        unstarted |= !added->flight->has_begun();
        if (!added->flight->has_begun()) continue;
        progress.unfinished += added->flight->steps().unfinished();
        progress.steps += added->flight->steps().steps();
    }
    if (unstarted && progress.unfinished == 0) throw std::logic_error("a job of a run was never started");
    return progress;
}

Time JobsInFlight::first_start() const {
    Time first = Fabric::never;
    for (const auto& added : jobs_)
        if (added->flight->has_begun()) first = std::min(first, added->flight->origin() + added->outcome.first_start);
    return first;
}

Time JobsInFlight::last_moment() const {
    Time last;
    for (const auto& added : jobs_) last = std::max(last, added->flight->origin() + added->flight->last_moment());
    return last;
}

/// Who waits for a job is told when its last result is in GPU memory.
void JobsInFlight::over(JobInFlight& flight) {
    const auto added = std::ranges::find(jobs_, &flight, [](const auto& job) { return job->flight.get(); });
    AddedJob& job = **added;
    if (!job.done) return;
    flight.find_end();
    const Time end = std::max(machine_.timeline.now(), flight.origin() + job.outcome.finish);
    machine_.timeline.at(end, Stage::slot, job.base, [&job] { job.done(job.outcome); });
}

}   // namespace oscar

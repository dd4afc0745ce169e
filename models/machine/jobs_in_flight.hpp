// The jobs of a run of the machine: who they are, when they begin, and which of them a packet belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/machine/job_in_flight.hpp"

namespace oscar {

/// Jobs are added, each with a part of the numbers by which the network knows steps, and begin at times that are told
/// before the run or during it.
class JobsInFlight {
public:
    using Done = std::function<void(const Outcome&)>;
    /// A job of a run.
    struct AddedJob {
        const Job* job;
        Done done;
        std::uint32_t base = 0;           ///< number of its first step among those of all jobs
        std::optional<Time> start = {};   ///< from the begin of the run
        std::unique_ptr<JobInFlight> flight = {};
        Outcome outcome = {};
    };
    /// `on_ready`: a step of some job is ready.
    JobsInFlight(const SharedMachine& machine, std::function<void()> on_ready);
    /// All nodes are there: makes the NICs of the first job, which shows whether their parts fit.
    void make_first();

    /// See Machine::add() and start().
    std::size_t add(const Job& job, Done done);
    void start(std::size_t job, Time when);
    /// A run is about to begin: gives each job its NICs. Throws std::invalid_argument if switches that add take part in
    /// one of several jobs, or are not those of the topology; then no job is left.
    void prepare();
    /// The run begins at `origin`, and with it the jobs that begin with it.
    void begin(Time origin);
    /// The run is over: what was observed of each job. None is left.
    std::vector<Outcome> take();

    const std::vector<std::unique_ptr<AddedJob>>& all() const { return jobs_; }
    /// The job of a message with this tag.
    JobInFlight& of(std::uint64_t tag) const;
    bool have_ended() const;
    /// Steps that are not ready, and all, of the jobs that have begun. Throws std::logic_error if one never was started
    /// although all others have ended.
    struct Progress {
        std::size_t unfinished = 0, steps = 0;
    };
    Progress progress() const;
    /// When the first rank of the jobs that have begun starts, and the last result or step of all so far.
    Time first_start() const;
    Time last_moment() const;
    /// The switches that add, once a job has had some take part.
    const std::optional<AggregationTree>& tree() const { return tree_; }

private:
    std::unique_ptr<JobInFlight> make_flight();
    void make_tree(const Schedule& schedule);
    void give_flights();
    void begin_job(AddedJob& added);
    void over(JobInFlight& flight);

    SharedMachine machine_;
    std::function<void()> on_ready_;
    std::optional<AggregationTree> tree_;
    std::vector<std::unique_ptr<JobInFlight>> idle_;   ///< of jobs of runs before
    std::vector<std::unique_ptr<AddedJob>> jobs_;      ///< of the next run, or of the one under way
    bool runs_ = false;
    Time origin_;
};

}   // namespace oscar

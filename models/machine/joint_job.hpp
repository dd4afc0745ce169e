// Several concurrent collectives on one machine, combined into one job.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "models/nic/job.hpp"

namespace oscar::inline machine {

/// A collective on some ranks of the machine. What it refers to must outlive the run.
struct PlacedCollective {
    const Plan& plan;
    MessageSource& participants;
    Issue issue = Issue::lock_step;
    std::vector<Rank> ranks;   ///< of the machine, for each rank of the plan
    Time start = {};           ///< of all its ranks, after the job's begin
};

/// What one of them did, relative to the job's begin.
struct PlacedOutcome {
    Time start, finish;
    std::uint64_t wire_bytes = 0;
    Time duration() const { return finish - start; }
};

/// Steps, chunks and timesteps of one collective follow those of the one before. Rounds of a lock-step become
/// dependencies: each step of a round waits for all steps of the round before, and no other collective does. Law: one
/// collective on all ranks takes the time that it takes as a job of its own, to the picosecond.
/// Precondition: gradients stand as fp32 in GPU memory; how many bytes a final sum has as codes depends on the ranks of
/// its collective, and NICs know of one width in a job.
class JointJob {
public:
    /// `ranks`: of the machine. Throws std::invalid_argument: a rank stands in two collectives, they differ in number
    /// format or width, which NICs know of a job as a whole, some use the engine and others do not, or
    /// others than its ranks take part in one.
    JointJob(std::vector<PlacedCollective> collectives, std::uint32_t ranks);
    ~JointJob();

    const Job& job() const { return *job_; }
    /// Of each collective in the order of construction.
    std::vector<PlacedOutcome> shares_of(const Outcome& outcome) const;

private:
    class Together;

    void append(const PlacedCollective& collective, Plan& plan);

    std::vector<PlacedCollective> collectives_;
    std::vector<std::uint32_t> first_step_;   ///< per collective, and the number of all steps
    std::unique_ptr<Plan> plan_;
    std::unique_ptr<Together> together_;
    std::unique_ptr<Job> job_;
};

}   // namespace oscar::inline machine

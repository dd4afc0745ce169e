// Several concurrent collectives on one machine, combined into one job.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "models/job/job.hpp"

namespace oscar {

/// A collective on some ranks of the machine. What it refers to must outlive the run.
struct PlacedCollective {
    const Plan& plan;
    MessageSource& source;
    Issue issue = Issue::lock_step;
    std::vector<Rank> ranks;   ///< of the machine, for each rank of the plan
    Time start = {};           ///< of all its ranks, after the job's begin
};

/// The outcome of one placed collective, relative to the job's begin.
struct PlacedOutcome {
    Time start, finish;
    std::uint64_t wire_bytes = 0;
    Time duration() const { return finish - start; }
};

/// The steps, chunks and timesteps of each collective are numbered after the ones of the collective before it. Rounds
/// of a lock-step become dependencies: each step of a round waits for all steps of the round before, and no other
/// collective does. Law: one collective on all ranks takes the time that it takes as a job of its own, to the
/// picosecond.
/// Precondition: gradients are fp32 in GPU memory; how many bytes a final sum has as codes depends on the ranks of its
/// collective, and NICs know of one width in a job.
class JointJob {
public:
    /// `ranks`: of the machine. Throws std::invalid_argument if a rank is in two collectives, if they differ in number
    /// format or width, which NICs know of a job as a whole, if some use the engine and others do not, or if a
    /// collective has participants that are not ranks (switches that add).
    JointJob(std::vector<PlacedCollective> collectives, std::uint32_t ranks);
    ~JointJob();

    /// The joint job, valid as long as this object.
    const Job& job() const { return *job_; }
    /// The outcome of each collective, in the order of construction.
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

}   // namespace oscar

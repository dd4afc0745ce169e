// Several jobs of an experiment on one network.
#pragma once

#include <utility>
#include <vector>

#include "models/machine/machine.hpp"
#include "sim/experiment/parameters.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/metrics.hpp"

namespace oscar {

/// Fills in what jobs have of the experiment. ConfigError: a job of fewer than two ranks, a rank that does not exist or
/// is in two jobs, a collective that does not fit, two jobs of one name, or with them values, starts or scales of
/// ranks.
void resolve_jobs(Experiment& experiment);

/// All pairs of ranks between which the experiment's jobs, or its one collective, send; what switches add goes along
/// ways of their own. std::invalid_argument: the collective does not fit its ranks.
std::vector<std::pair<Rank, Rank>> flows_of(const Parameters& parameters, const Topology& topology);

struct JobsResult {
    IterationResult together;   ///< from the first job's start to the last one's end
    std::vector<JobReport> jobs;
};
/// All jobs by one method, each beside the others and alone. Precondition: resolve_jobs.
JobsResult run_jobs(const Parameters& parameters, const Method& method, Machine& machine);

}   // namespace oscar

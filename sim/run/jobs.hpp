// Several jobs of an experiment on one network.
#pragma once

#include <vector>

#include "models/machine/machine.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/metrics.hpp"
#include "sim/run/iteration/progress.hpp"

namespace oscar {

struct JobsResult {
    IterationResult together;   ///< from the first job's start to the last one's end
    std::vector<JobReport> jobs;
};
/// All jobs by one method, each beside the others and alone; `progress`: how far the simulation is. Precondition:
/// fill_in_jobs.
JobsResult run_jobs(const Parameters& parameters, const Method& method, Machine& machine, const ShareDone& progress);

}   // namespace oscar

#include "sim/parameters/jobs.hpp"

#include <algorithm>

#include "models/core/rank_ranges.hpp"
#include "models/nic/schedule_on.hpp"

namespace oscar {

void fill_in_jobs(Parameters& p) {
    for (std::size_t i = 0; i < p.jobs.size(); ++i) {
        JobParams& job = p.jobs[i];
        if (job.name.empty()) job.name = "job" + std::to_string(i);
        if (!job.size) job.size = p.size;
        if (!job.collective) job.collective = p.collective;
    }
}

std::vector<std::pair<Rank, Rank>> flows_of(const Parameters& p, const Topology& topology) {
    std::vector<std::pair<Rank, Rank>> flows;
    if (p.jobs.empty())
        for (const Step& step : schedule_on(p.collective, topology).steps)
            if (std::max(step.from, step.to).value < p.ranks) flows.emplace_back(step.from, step.to);
    for (const JobParams& job : p.jobs) {
        const std::vector<Rank> ranks = ranks_in(job.ranks);
        for (const Step& step : make_schedule(*job.collective, static_cast<std::uint32_t>(ranks.size())).steps)
            flows.emplace_back(ranks[step.from.value], ranks[step.to.value]);
    }
    return flows;
}

}   // namespace oscar

#include "sim/parameters/jobs.hpp"

#include <algorithm>

#include "models/collective/schedule/connections.hpp"
#include "models/core/rank_ranges.hpp"
#include "models/job/schedule_on.hpp"

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
        for (const Connection& used : connections_of(schedule_on(p.collective, topology)))
            if (std::max(used.from, used.to).value < topology.ranks) flows.emplace_back(used.from, used.to);
    for (const JobParams& job : p.jobs) {
        const std::vector<Rank> ranks = ranks_in(job.ranks);
        for (const Connection& used :
             connections_of(make_schedule(*job.collective, static_cast<std::uint32_t>(ranks.size()))))
            flows.emplace_back(ranks[used.from.value], ranks[used.to.value]);
    }
    return flows;
}

}   // namespace oscar

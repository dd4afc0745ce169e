#include "sim/parameters/jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "models/collective/schedule/connections.hpp"
#include "models/core/rank_ranges.hpp"
#include "models/job/schedule_on.hpp"

namespace oscar {
namespace {

/// True if each text names ranks of the machine. Others are refused later, with their place.
bool are_ranks(const std::vector<std::string>& texts, std::uint32_t ranks) {
    return !texts.empty() && std::ranges::all_of(texts, [&](const std::string& text) {
        const auto range = range_of(text);
        return range && range->last < ranks;
    });
}

void place_on_islands(JobParams& job, const Parameters& p) {
    auto* params = std::get_if<HierarchicalParams>(&job.collective->params);
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (params == nullptr || params->island != 0 || islands == nullptr || islands->island < 2) return;
    if (!are_ranks(job.ranks, p.ranks)) return;
    params->island = ranks_on_islands(ranks_in(job.ranks), islands->island).value_or(0);
}

}   // namespace

std::optional<std::uint32_t> ranks_on_islands(const std::vector<Rank>& ranks, std::uint32_t island) {
    if (island < 2) return 1;
    std::vector<std::uint32_t> islands;   // in the order of the ranks
    for (const Rank rank : ranks) islands.push_back(rank.value / island);
    const auto together = static_cast<std::size_t>(std::ranges::count(islands, islands.front()));
    for (std::size_t i = 0; i < islands.size(); ++i)
        if (islands[i] != islands[i - i % together]) return std::nullopt;
    const std::set<std::uint32_t> different(islands.begin(), islands.end());
    if (different.size() * together != islands.size()) return std::nullopt;
    return static_cast<std::uint32_t>(together);
}

void fill_in_jobs(Parameters& p) {
    for (std::size_t i = 0; i < p.jobs.size(); ++i) {
        JobParams& job = p.jobs[i];
        if (job.name.empty()) job.name = "job" + std::to_string(i);
        if (!job.size) job.size = p.size;
        if (!job.collective) job.collective = p.collective;
        place_on_islands(job, p);
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

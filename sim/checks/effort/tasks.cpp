#include "sim/checks/effort/tasks.hpp"

#include <algorithm>

#include "models/core/rank_ranges.hpp"
#include "models/job/schedule_on.hpp"
#include "models/network/event/idle.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {

std::vector<Task> tasks_of(const Parameters& p) {
    const auto bytes = [&](const std::optional<Bytes>& size) { return size ? static_cast<double>(size->count) : 0; };
    std::vector<Task> tasks;
    for (const JobParams& job : p.jobs)
        tasks.push_back({job.collective.value_or(p.collective), static_cast<std::uint32_t>(ranks_in(job.ranks).size()),
                         bytes(job.size)});
    if (tasks.empty()) tasks.push_back({p.collective, p.ranks, bytes(p.size)});
    return tasks;
}

Time duration_of(const Parameters& p, const Task& task, const Routes& routes, const std::vector<OfferedLoad>& loads) {
    const Topology& topology = routes.topology();
    const std::vector<Time> nics = nic_latencies_of(p);
    const Time nic = *std::ranges::min_element(nics);
    Time way = routes.path(Rank{0}, Rank{1}).empty()
                   ? Time{}
                   : idle_latency(routes.path(Rank{0}, Rank{1}), topology, p.network, p.network.header);
    Time queue;   // to drain the full buffers before the link that is overloaded most
    for (const OfferedLoad& load : loads) {
        if (load.offered <= load.carried) continue;
        double ahead = 0;
        for (const OfferedLoad& other : loads)
            if (topology.edges[other.edge].to == topology.edges[load.edge].from)
                ahead += static_cast<double>(topology.edges[other.edge].link.buffer.count);
        queue = std::max(queue, Time{static_cast<std::int64_t>(8000 * ahead / load.carried)});
    }
    const Schedule schedule =
        p.jobs.empty() ? schedule_on(task.collective, topology) : make_schedule(task.collective, task.ranks);
    const double wire_ps =
        8000 * 2 * task.size / (static_cast<double>(fastest_link_from(Rank{0}, topology).mbps) / 1000);
    return std::int64_t{schedule.timesteps()} * (nic + way + nic + queue) + Time{static_cast<std::int64_t>(wire_ps)};
}

}   // namespace oscar

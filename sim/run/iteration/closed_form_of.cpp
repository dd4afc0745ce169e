#include "sim/run/iteration/closed_form_of.hpp"

#include <algorithm>
#include <vector>

#include "models/gpu/dma_rates.hpp"
#include "models/network/transport/make_network.hpp"
#include "models/predict/link_sharing.hpp"
#include "models/predict/step_cost.hpp"

namespace oscar {
namespace {

bool covers_machine(const Parameters& p) {
    if (has_background(p) || !is_plain(p.network) || p.gpu.island_port || p.gpu.staging == Staging::gpu ||
        shares_uplink(p.gpu))
        return false;
    const auto limited = [](const auto& node) { return node.nic.staging_memory.has_value(); };
    if (p.nic.staging_memory || std::ranges::any_of(p.nodes, limited)) return false;
    const auto differs = [&](const auto& node) { return node.nic.message_latency != p.nic.message_latency; };
    if (std::ranges::any_of(p.nodes, differs)) return false;
    return p.nodes.empty() || issue_of(p.collective) == Issue::lock_step;
}

/// A NIC is told of the collective once, before the first messages of its rank, and tells of each result.
StepCost with_handover(StepCost cost, const Plan& plan, StepId id, const NicParams& nic, Issue issue) {
    const Step& step = plan.schedule.steps[id.value];
    const bool first = issue == Issue::lock_step ? step.timestep == Timestep{0} : step.after == JoinId{};
    if (first) cost.lead = cost.lead + nic.to_nic();
    if (plan.completes(id)) cost.after = cost.after + nic.to_gpu();
    return cost;
}

bool covers_schedule(const Parameters& p, const Schedule& schedule, const Routes& routes) {
    return schedule.aggregators == 0 && !shares_links(schedule, routes, issue_of(p.collective));
}

}   // namespace

std::optional<Time> closed_form_of(const Parameters& parameters, const Routes& routes, const Nodes& nodes,
                                   const Plan& plan, const Codec& codec, const EngineMemoryTraffic& reads,
                                   std::span<const Time> releases,
                                   const std::function<StepMessage(StepId)>& message_of) {
    const bool held_back = std::ranges::any_of(releases, [](Time release) { return release > Time{}; });
    if (held_back || !covers_machine(parameters) || !covers_schedule(parameters, plan.schedule, routes))
        return std::nullopt;
    std::vector<NodeView> views;
    views.reserve(nodes.size());
    for (const NodeParams& node : nodes)
        views.push_back({routes, parameters.network, node.gpu, node.nic, node.engine, reads});
    StepCosts step_costs(views, plan, codec);
    const Issue issue = issue_of(parameters.collective);
    SharedEntries<StepCost> costs;
    for (StepId id; id.value < plan.schedule.steps.size(); ++id.value) {
        auto [message, forwarded] = message_of(id);
        costs.push_back(
            with_handover(step_costs.of(id, std::move(message), forwarded), plan, id, parameters.nic, issue));
    }
    return closed_form(plan.schedule, costs, issue);
}

}   // namespace oscar

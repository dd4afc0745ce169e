#include "sim/experiment/node_views.hpp"

#include "models/network/transport/network.hpp"
#include "models/nic/link_sharing.hpp"

namespace oscar::inline experiment {

bool has_closed_form(const Parameters& p) {
    if (has_background(p) || !is_plain(p.network)) return false;
    return p.nodes.empty() || issue_of(p.collective) == Issue::lock_step;
}

bool has_closed_form(const Parameters& p, const Schedule& schedule, const Routes& routes) {
    return has_closed_form(p) && schedule.aggregators == 0 && !shares_links(schedule, routes, issue_of(p.collective));
}

std::vector<NodeView> node_views_of(const Nodes& nodes, const Routes& routes, const NetworkParams& network,
                                    const EngineMemoryTraffic& side) {
    std::vector<NodeView> views;
    views.reserve(nodes.size());
    for (const NodeParams& node : nodes) views.push_back({routes, network, node.gpu, node.nic, node.engine, side});
    return views;
}

}   // namespace oscar::inline experiment

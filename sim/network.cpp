#include "sim/network.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/fabric/router_links.hpp"
#include "models/net/deadlock.hpp"
#include "models/net/overrides.hpp"
#include "models/net/vc_router.hpp"
#include "models/transport/network.hpp"
#include "sim/background.hpp"
#include "sim/channels.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/jobs.hpp"

namespace oscar {
namespace {

[[noreturn]] void fail_override(const ConfigNode& entry, const LinkOverride& change, const Topology& topology) {
    const std::string& wanted = change.link.empty() ? change.node : change.link;
    if (wanted.empty())
        entry.fail("names neither link nor node; write it like {link: rank3->switch0, bandwidth: 10Gbps}");
    std::vector<std::string> names;
    if (!change.link.empty())
        for (std::uint32_t e = 0; e < topology.edges.size(); ++e) names.push_back(topology.edge_name(e));
    else
        for (std::uint32_t node = 0; node < topology.nodes(); ++node) names.push_back(topology.node_name(node));
    const std::vector<std::string_view> known(names.begin(), names.end());
    entry.child(change.link.empty() ? "node" : "link")
        .fail(fmt::format("no link is chosen by '{}'{}; there are {}, {}, ...", wanted, did_you_mean(wanted, known),
                          names.front(), names.back()));
}

Topology made(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network) {
    try {
        return make_topology(params.topology, ranks, params.link);
    } catch (const std::invalid_argument& error) {
        network.child("topology").fail(error.what());
    }
}

/// Whether routers are safe is checked with what they can do.
void check_grid(const Topology& topology, const ConfigNode& network) {
    if (const ConfigNode buffer = network.child("link").child("buffer"); buffer.form != ConfigNode::Form::null)
        buffer.fail(
            "input-queued routers have network.router.vcs buffers of vc_flits flits at each link; leave it out");
    if (topology.grid) try {
            router_grid(*topology.grid);
        } catch (const std::invalid_argument& error) {
            network.child("topology").fail(error.what());
        }
}

void check_routing(const NetworkParams& params, const Topology& topology, const ConfigNode& network) {
    try {
        resolve(params.routing, topology);
    } catch (const std::invalid_argument& error) {
        network.child("routing").fail(error.what());
    }
    if (input_queued(params) != nullptr) return check_grid(topology, network);
    if (const auto circle = why_not_deadlock_free(topology, params.routing, params.virtual_channels))
        network.child("topology").fail(*circle);
}

std::vector<std::pair<Rank, Rank>> flows_in(const Experiment& experiment, const Topology& topology) {
    try {
        return flows_of(experiment.parameters, topology);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("collective").fail(error.what());
    }
}

/// Problems of flow control are those of a link.
void check_transport(const Parameters& p, const Topology& topology, const ConfigNode& network) {
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e)
        if (const auto problem = why_not(p.network, {&topology.edges[e].link, 1}, p.fidelity))
            network.child(problem->key)
                .fail(problem->key == "flow_control" ? topology.edge_name(e) + ": " + problem->text : problem->text);
}

void check_way(const Routes& routes, Rank from, Rank to, std::string_view user, const ConfigNode& network) {
    if (!routes.path(from, to).empty()) return;
    network.child("topology")
        .fail(fmt::format("no way from rank {} to rank {}, which {}; choose another topology, such as star", from.value,
                          to.value, user));
}

void check_flows(const Experiment& experiment, const Topology& topology, const ConfigNode& network) {
    const Parameters& p = experiment.parameters;
    const Routes routes(topology, p.network.routing, p.network.virtual_channels);
    for (const auto& [from, to] : flows_in(experiment, topology)) {
        check_way(routes, from, to, "the collective needs", network);
        if (answers(p.network)) check_way(routes, to, from, "answers of its receiver need", network);
    }
    check_background_ways(experiment, routes);
}

/// In lock-step nothing comes down before everything has gone up.
void check_slots(const Experiment& experiment) {
    const auto* params = std::get_if<InNetworkParams>(&experiment.parameters.collective.params);
    const std::uint32_t slots = experiment.parameters.network.router.aggregator.slots;
    if (params == nullptr || params->issue != Issue::lock_step || params->slices <= slots) return;
    experiment.source.child("collective")
        .fail(
            fmt::format("in lock_step a switch holds all {} chunks at once, and has {} slots; write issue: dependency, "
                        "or network.switch.aggregator.slots: {}",
                        params->slices, slots, params->slices));
}

}   // namespace

Topology cabled_topology(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network) {
    Topology topology = made(params, ranks, network);
    if (const auto unmatched = apply_overrides(params.overrides, topology))
        fail_override(network.child("overrides").child(std::to_string(*unmatched)), params.overrides[*unmatched],
                      topology);
    return topology;
}

std::string note_on_routers(const NetworkParams& network) {
    const VcRouterParams router = vc_router(*input_queued(network), network);
    const auto in_time = [&](std::uint32_t cycles) { return plain_text(std::int64_t{cycles} * router_cycle(network)); };
    return fmt::format(
        "input-queued routers: a cycle is {}; a link takes {} cycles ({}), one of them for the flit, a switch {} ({}); "
        "{} VCs of {} flits have {} a link",
        plain_text(router_cycle(network)), router.link_delay, in_time(router.link_delay), router.switch_delay,
        in_time(router.switch_delay), router.vcs, router.vc_flits,
        plain_text(Bytes{std::uint64_t{router.vcs} * router.vc_flits * network.flit.count}));
}

Topology topology_of(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode network = experiment.source.child("network");
    Topology topology = cabled_topology(p.network, p.ranks, network);
    check_routing(p.network, topology, network);
    check_transport(p, topology, network);
    check_flows(experiment, topology, network);
    check_slots(experiment);
    check_channels(experiment, topology);
    return topology;
}

}   // namespace oscar

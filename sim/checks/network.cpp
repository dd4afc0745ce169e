#include "sim/experiment/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/network/core/router_links.hpp"
#include "models/network/topology/aggregation_tree.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "models/network/core/credit_loop.hpp"
#include "models/network/topology/deadlock.hpp"
#include "models/network/core/overrides.hpp"
#include "models/network/core/vc_router.hpp"
#include "models/network/transport/network.hpp"
#include "sim/experiment/background.hpp"
#include "sim/experiment/channels.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/experiment/jobs.hpp"
#include "sim/experiment/memory.hpp"
#include "sim/experiment/nodes.hpp"

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
    if (std::holds_alternative<LossyParams>(params.flow_control.params)) return;   // nobody waits for room
    if (const auto circle = find_deadlock_problem(topology, params.routing, params.virtual_channels))
        network.child("topology").fail(*circle);
}

std::vector<std::pair<Rank, Rank>> flows_in(const Experiment& experiment, const Topology& topology) {
    try {
        return flows_of(experiment.parameters, topology);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("collective").fail(error.what());
    }
}

/// The entry of `node` at a dotted path.
ConfigNode at_path(const ConfigNode& node, std::string_view path) {
    const std::size_t dot = path.find('.');
    const ConfigNode next = node.child(path.substr(0, dot));
    return dot == path.npos ? next : at_path(next, path.substr(dot + 1));
}

/// Problems of buffers and of flow control are those of a link.
void check_transport(const Parameters& p, const Topology& topology, const ConfigNode& network) {
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
        const auto problem = find_problem(p.network, {&topology.edges[e].link, 1}, p.fidelity);
        if (!problem) continue;
        const bool of_link = problem->key == "flow_control" || problem->key == "link.buffer";
        at_path(network, problem->key).fail(of_link ? topology.edge_name(e) + ": " + problem->text : problem->text);
    }
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

void check_memory(const Experiment& experiment, const std::vector<MemoryNeed>& needs) {
    if (const auto problem = find_memory_problem(needs, available_memory()))
        at_path(experiment.source, problem->key).fail(problem->text);
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

/// Of each flow once; those of switches that add go along their tree.
std::vector<std::span<const Hop>> paths_of(const Parameters& p, const Routes& routes,
                                           const std::optional<AggregationTree>& tree) {
    auto pairs = flows_of(p, routes.topology());
    if (has_background(p)) {
        const auto others = BackgroundReceivers(*p.network.background, p.ranks).pairs();
        pairs.insert(pairs.end(), others.begin(), others.end());
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<std::span<const Hop>> paths;
    for (const auto& [from, to] : pairs) paths.push_back(routes.path(from, to));
    if (!tree) return paths;
    for (const auto* ways : {&tree->up, &tree->down})
        for (const auto& way : *ways)
            if (!way.empty()) paths.emplace_back(way);
    return paths;
}

}   // namespace

std::optional<std::string> note_on_credits(const Parameters& p, const Routes& routes) {
    const NetworkParams& network = p.network;
    if (!std::holds_alternative<CreditParams>(network.flow_control.params) || input_queued(network))
        return std::nullopt;
    std::optional<AggregationTree> tree;
    if (std::holds_alternative<InNetworkParams>(p.collective.params)) tree = aggregation_tree(routes.topology());
    const auto limits = credit_limits(routes.topology(), paths_of(p, routes, tree), network, nic_latencies_of(p),
                                      network.packet + network.header);
    if (limits.empty()) return std::nullopt;
    const auto share = [](const CreditLimit& limit) { return limit.reached / limit.wanted; };
    const CreditLimit& worst = *std::ranges::min_element(limits, {}, share);
    const Bytes needed = std::ranges::max_element(limits, {}, &CreditLimit::needed)->needed;
    return fmt::format(
        "credits limit the rate of {}: its buffer of {} is less than rate x round trip and lets {:.4g} of {:.4g} "
        "Gbit/s "
        "through; it needs {}{}",
        limits.size() == 1
            ? routes.topology().edge_name(worst.edge)
            : fmt::format("{} links, most of all {}", limits.size(), routes.topology().edge_name(worst.edge)),
        to_text(worst.buffer), worst.reached, worst.wanted, to_text(worst.needed),
        needed == worst.needed ? "" : fmt::format(", and all links need {}", to_text(needed)));
}

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

Topology topology_of(const Experiment& experiment, std::uint64_t elements) {
    const Parameters& p = experiment.parameters;
    const ConfigNode network = experiment.source.child("network");
    Topology topology = cabled_topology(p.network, p.ranks, network);
    check_routing(p.network, topology, network);
    check_transport(p, topology, network);
    std::vector<MemoryNeed> needs{memory_of_steps(p, topology.switches), memory_of_values(p, elements)};
    check_memory(experiment, needs);
    check_flows(experiment, topology, network);
    if (has_background(p)) {
        needs.push_back(memory_of_background(p, Routes(topology, p.network.routing, p.network.virtual_channels)));
        check_memory(experiment, needs);
    }
    check_slots(experiment);
    check_channels(experiment, topology);
    return topology;
}

}   // namespace oscar

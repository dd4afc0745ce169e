#include "sim/checks/network.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/core/quantity.hpp"
#include "models/network/grid/router_links.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/params/overrides.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "models/network/transport/make_network.hpp"
#include "models/network/transport/protocols.hpp"
#include "sim/checks/effort/round_trips.hpp"
#include "sim/checks/network_problem.hpp"
#include "sim/checks/ranks.hpp"
#include "sim/config/suggest.hpp"
#include "sim/parameters/jobs.hpp"

namespace oscar {
namespace {

[[noreturn]] void fail_override(const ConfigNode& entry, const LinkOverride& change, const Topology& topology) {
    const std::string& name = change.link.empty() ? change.node : change.link;
    if (name.empty())
        entry.fail("names neither link nor node; write it like {link: rank3->switch0, bandwidth: 10Gbps}");
    std::vector<std::string> names;
    if (!change.link.empty())
        for (const EdgeId e : topology.edges.indices()) names.push_back(topology.edge_name(e));
    else
        for (const NodeId node : topology.node_ids()) names.push_back(topology.node_name(node));
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    entry.child(change.link.empty() ? "node" : "link")
        .fail(fmt::format("no link is chosen by '{}'{}; there are {}, {}, ...", name, did_you_mean(name, candidates),
                          names.front(), names.back()));
}

Topology made(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network) {
    try {
        return make_topology(params.topology, ranks, params.link);
    } catch (const std::invalid_argument& error) {
        fail_with(network.child("topology"), error.what());
    }
}

std::vector<std::pair<Rank, Rank>> flows_in(const Experiment& experiment, const Topology& topology) {
    try {
        return flows_of(experiment.parameters, topology);
    } catch (const std::invalid_argument& error) {
        fail_with(experiment.source.child("collective"), error.what());
    }
}

/// How to write a topology in which all ranks reach each other.
std::string_view remedy_of_paths(const TopologyKind& topology) {
    return std::holds_alternative<CableRingParams>(topology.params)
               ? "write topology: {kind: ring, forwards: true}, with virtual_channels: 2, or choose another topology, "
                 "such as star"
               : "choose another topology, such as star";
}

void check_path(const Routes& routes, Rank from, Rank to, std::string_view user, const CabledExperiment& cabled) {
    if (!routes.path(from, to).empty()) return;
    const NetworkParams& network = cabled.experiment.parameters.network;
    at_path(cabled.experiment.source, "network.topology")
        .fail(fmt::format("no path from rank {} to rank {}, which {}; {}", from.value, to.value, user,
                          remedy_of_paths(network.topology)));
}

Time whole_microseconds(Time time) {
    constexpr std::int64_t microsecond = 1'000'000;
    return {(time.ps + microsecond - 1) / microsecond * microsecond};
}

ConfigNode network_of(const CabledExperiment& cabled) { return cabled.experiment.source.child("network"); }

ConfigNode node_of(const Experiment& experiment) { return experiment.source.child("network").child("background"); }

[[noreturn]] void fail(BackgroundProblem problem, const BackgroundParams& params, std::uint32_t ranks,
                       const ConfigNode& node) {
    if (problem == BackgroundProblem::pattern_of_routers)
        node.child("pattern").fail(
            fmt::format("{} is a pattern of routers, for `oscar-sim traffic`; choose one of ranks: {}",
                        params.pattern.name(), patterns_for(PatternSenders::ranks)));
    if (problem == BackgroundProblem::tornado_of_two)
        node.child("pattern").fail("a tornado of two ranks would send to itself; choose another pattern, like uniform");
    const std::uint32_t to = std::get<IncastTrafficParams>(params.pattern.params).to;
    if (problem == BackgroundProblem::receiver_is_none)
        node.child("pattern").fail(fmt::format("there is no rank {}; write to: 0 to {}", to, ranks - 1));
    node.child("nodes").fail(fmt::format("all send to rank {}, which cannot; leave it out", to));
}

}   // namespace

Topology cabled_topology(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network) {
    Topology topology = made(params, ranks, network);
    if (const auto unmatched = apply_overrides(params.overrides, topology))
        fail_override(network.child("overrides").child(std::to_string(*unmatched)), params.overrides[*unmatched],
                      topology);
    return topology;
}

Routes routes_of(const CabledExperiment& cabled) {
    const NetworkParams& network = cabled.experiment.parameters.network;
    return {cabled.topology, network.routing, network.virtual_channels};
}

void check_network_routing(const CabledExperiment& cabled) {
    try {
        resolve(cabled.experiment.parameters.network.routing, cabled.topology);
    } catch (const std::invalid_argument& error) {
        network_of(cabled).child("routing").fail(error.what());
    }
}

void check_network_link_buffer(const CabledExperiment& cabled) {
    if (input_queued(cabled.experiment.parameters.network) == nullptr) return;
    const ConfigNode buffer = network_of(cabled).child("link").child("buffer");
    if (buffer.form != ConfigNode::Form::null)
        buffer.fail(
            "input-queued routers have network.switch.architecture.vcs buffers of vc_flits flits at each link; leave "
            "it out");
}

/// Whether routers are safe is checked with what they can do.
void check_network_grid(const CabledExperiment& cabled) {
    if (input_queued(cabled.experiment.parameters.network) == nullptr || !cabled.topology.grid) return;
    try {
        router_grid(*cabled.topology.grid);
    } catch (const std::invalid_argument& error) {
        fail_with(network_of(cabled).child("topology"), error.what());
    }
}

void check_network_wait_cycles(const CabledExperiment& cabled) {
    const NetworkParams& params = cabled.experiment.parameters.network;
    if (input_queued(params) != nullptr) return;
    if (std::holds_alternative<LossyParams>(params.flow_control.params)) return;   // nobody waits for room
    if (const auto circle = find_deadlock_problem(cabled.topology, params.routing, params.virtual_channels))
        network_of(cabled).child("topology").fail(*circle);
}

void check_network_transport(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    for (const EdgeId e : cabled.topology.edges.indices()) {
        const auto found = find_problem(p.network, {&cabled.topology.edges[e].link, 1}, p.fidelity);
        if (!found) continue;
        const ConfigProblem problem = config_problem(*found, p.network);
        const bool of_link = problem.key == "flow_control" || problem.key == "link.buffer";
        at_path(network_of(cabled), problem.key)
            .fail(of_link ? cabled.topology.edge_name(e) + ": " + problem.text : problem.text);
    }
}

void check_network_faults(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    const auto& faults = p.network.faults;
    if (!faults) return;
    const bool flips = faults->flip == 1 && faults->check == PacketCheck::crc32;
    if (faults->drop == 1 || flips)
        at_path(network_of(cabled), flips ? "faults.flip" : "faults.drop")
            .fail(std::string("no packet ever comes whole, however often it is sent; write less than 1, like 0.5") +
                  (flips ? ", or check: none" : ""));
    if (faults->flip == 0 || faults->check == PacketCheck::crc32 || p.payload == Payload::encoded) return;
    at_path(network_of(cabled), "faults.check")
        .fail(fmt::format("payload {} has no bytes to damage; write check: crc32, or payload: encoded",
                          to_text(p.payload)));
}

void check_network_flows(const CabledExperiment& cabled) {
    const Routes routes = routes_of(cabled);
    const bool answered = answers(cabled.experiment.parameters.network);
    for (const auto& [from, to] : flows_in(cabled.experiment, cabled.topology)) {
        check_path(routes, from, to, "the collective needs", cabled);
        if (answered) check_path(routes, to, from, "answers of its receiver need", cabled);
    }
}

void check_network_timeout(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    if (!is_end_to_end(p.network.reliability)) return;
    const Routes routes = routes_of(cabled);
    const LongestRoundTrip longest = longest_round_trip(p, routes, least_full_packet(p, cabled.elements));
    const Time timeout = *timeout_of(p.network.reliability);
    if (timeout > longest.time) return;
    at_path(network_of(cabled), "reliability.timeout")
        .fail(fmt::format("{} is below the idle round trip of {} from rank {} to rank {} and back, so that packets are "
                          "sent again that only travel; write at least {}, and more where packets wait for each other",
                          to_text(timeout), to_text(longest.time), longest.from.value, longest.to.value,
                          to_text(whole_microseconds(longest.time))));
}

void check_background(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.network.background) return;
    const BackgroundParams& background = *p.network.background;
    std::vector<bool> named(p.ranks);
    if (!background.nodes.empty())
        check_ranks(node_of(experiment).child("nodes"), background.nodes, named, "name each once");
    if (const auto problem = find_problem(background, p.ranks))
        fail(*problem, background, p.ranks, node_of(experiment));
}

void check_background_ways(const CabledExperiment& cabled) {
    const Experiment& experiment = cabled.experiment;
    const Parameters& p = experiment.parameters;
    if (!has_background(p)) return;
    const Routes routes = routes_of(cabled);
    const auto check = [&](Rank from, Rank to, std::string_view whose) {
        if (!routes.path(from, to).empty()) return;
        node_of(experiment)
            .child("pattern")
            .fail(fmt::format("no path from rank {} to rank {} for {}; choose another pattern or nodes, or another "
                              "topology, such as star",
                              from.value, to.value, whose));
    };
    for (const auto& [from, to] : BackgroundReceivers(*p.network.background, p.ranks).pairs()) {
        check(from, to, "its messages");
        if (answers(p.network)) check(to, from, "answers to them");
    }
}

}   // namespace oscar

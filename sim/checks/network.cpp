#include "sim/checks/network.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/core/quantity.hpp"
#include "models/network/grid/router_links.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/transport/make_network.hpp"
#include "models/network/transport/protocols.hpp"
#include "sim/checks/effort/round_trips.hpp"
#include "sim/checks/network_problem.hpp"
#include "sim/checks/path.hpp"
#include "sim/checks/wait_cycle.hpp"
#include "sim/parameters/jobs.hpp"

namespace oscar {
namespace {

std::vector<std::pair<Rank, Rank>> flows_in(const Experiment& experiment, const Topology& topology) {
    try {
        return flows_of(experiment.parameters, topology);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("collective").fail(error.what());
    }
}

void check_path(const Routes& routes, Rank from, Rank to, std::string_view user, const ConfigNode& network) {
    if (!routes.path(from, to).empty()) return;
    network.child("topology")
        .fail(fmt::format("no path from rank {} to rank {}, which {}; choose another topology, such as star",
                          from.value, to.value, user));
}

Time whole_microseconds(Time time) {
    constexpr std::int64_t microsecond = 1'000'000;
    return {(time.ps + microsecond - 1) / microsecond * microsecond};
}

ConfigNode network_of(const CabledExperiment& cabled) { return cabled.experiment.source.child("network"); }

}   // namespace

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
        network_of(cabled).child("topology").fail(error.what());
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
    for (std::uint32_t e = 0; e < cabled.topology.edges.size(); ++e) {
        const auto found = find_problem(p.network, {&cabled.topology.edges[e].link, 1}, p.fidelity);
        if (!found) continue;
        const ConfigProblem problem = in_words(*found, p.network);
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
    const ConfigNode network = network_of(cabled);
    const bool answered = answers(cabled.experiment.parameters.network);
    for (const auto& [from, to] : flows_in(cabled.experiment, cabled.topology)) {
        check_path(routes, from, to, "the collective needs", network);
        if (answered) check_path(routes, to, from, "answers of its receiver need", network);
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

}   // namespace oscar

#include "models/network/transport/input_queued.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/network/core/router_fabric.hpp"

namespace oscar {
namespace {

using Problem = std::optional<ConfigProblem>;

Problem find_problem_at(const InputQueuedParams& params, const NetworkParams& network) {
    const bool torus = std::holds_alternative<TorusParams>(network.topology.params);
    if (!torus && !std::holds_alternative<MeshParams>(network.topology.params))
        return ConfigProblem{"topology",
                             "input-queued routers stand in a mesh or a torus; write topology: mesh, or leave out "
                             "network.switch.architecture"};
    if (!torus) return std::nullopt;
    const auto circle = find_deadlock_problem(RouterTorusParams{}, params);
    return circle ? Problem({"switch.architecture", *circle}) : std::nullopt;
}

Problem find_path_problem(const NetworkParams& network) {
    const auto& routing = network.routing.params;
    if (!std::holds_alternative<DefaultRoutingParams>(routing) &&
        !std::holds_alternative<DimensionOrderParams>(routing))
        return ConfigProblem{"routing", "input-queued routers go in dimension order; write routing: dimension_order"};
    if (network.virtual_channels != 1)
        return ConfigProblem{"virtual_channels",
                             "input-queued routers have those of network.switch.architecture.vcs; leave it out"};
    return std::nullopt;
}

Problem find_link_problem(const NetworkParams& network, std::span<const LinkParams> links) {
    const auto differs = [&](const LinkParams& link) { return link != network.link; };
    if (std::ranges::any_of(links, differs))
        return ConfigProblem{"overrides", "links between input-queued routers are all alike; leave it out"};
    if (!divides_evenly(network))
        return ConfigProblem{
            "flit", "a cycle of input-queued routers is a flit on a link: " + std::to_string(network.flit.count) +
                        " B at " + std::to_string(network.link.bandwidth.mbps) +
                        " Mbit/s take no whole number of picoseconds; choose a flit or a bandwidth where 8,000,000 x "
                        "bytes / Mbit/s is whole, like 64B at 100Gbps"};
    if (router_cycles(network, network.link.propagation) > most_delay_cycles)
        return ConfigProblem{"link", "the propagation is more than " + std::to_string(most_delay_cycles) +
                                          " cycles; choose a larger flit"};
    if (router_cycles(network, network.switches.latency) > most_delay_cycles)
        return ConfigProblem{"switch.latency", "the latency is more than " + std::to_string(most_delay_cycles) +
                                                   " cycles; choose a larger flit"};
    if (packet_flits(network.packet + network.header, network.flit) > most_packet_flits)
        return ConfigProblem{"packet", "has more than " + std::to_string(most_packet_flits) +
                                            " flits; choose smaller packets or a larger flit"};
    return std::nullopt;
}

}   // namespace

Problem find_input_queued_problem(const InputQueuedParams& params, const NetworkParams& network,
                             std::span<const LinkParams> links, TimingFidelity fidelity) {
    if (fidelity != TimingFidelity::flit)
        return ConfigProblem{"switch.architecture",
                             "input-queued routers are simulated flit by flit alone; write fidelity: flit"};
    if (const auto problem = find_problem_at(params, network)) return problem;
    if (const auto problem = find_path_problem(network)) return problem;
    return find_link_problem(network, links);
}

std::unique_ptr<Fabric> make_input_queued(const InputQueuedParams& params, const NetworkParams& network,
                                          const FabricParams& fabric, FabricClient& client) {
    if (!fabric.grid) throw std::invalid_argument("input-queued routers stand in a mesh or a torus");
    return std::make_unique<RouterFabric>(fabric, RouterGrid(router_grid(*fabric.grid)), vc_router(params, network),
                                          client);
}

}   // namespace oscar

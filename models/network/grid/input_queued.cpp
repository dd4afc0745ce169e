#include "models/network/grid/input_queued.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/network/grid/router_fabric.hpp"

namespace oscar {
namespace {

using Problem = std::optional<NetworkProblem>;

Problem find_grid_problem(const InputQueuedParams& params, const NetworkParams& network) {
    const bool torus = std::holds_alternative<TorusParams>(network.topology.params);
    if (!torus && !std::holds_alternative<MeshParams>(network.topology.params)) return RoutersWithoutGrid{};
    return torus && can_deadlock(RouterTorusParams{}, params) ? Problem(RoutersWithoutDateline{}) : std::nullopt;
}

Problem find_path_problem(const NetworkParams& network) {
    const auto& routing = network.routing.params;
    if (!std::holds_alternative<DefaultRoutingParams>(routing) &&
        !std::holds_alternative<DimensionOrderParams>(routing))
        return RoutersOutOfDimensionOrder{};
    return network.virtual_channels != 1 ? Problem(RoutersWithOtherChannels{}) : std::nullopt;
}

Problem find_link_problem(const NetworkParams& network, std::span<const LinkParams> links) {
    const auto differs = [&](const LinkParams& link) { return link != network.link; };
    if (std::ranges::any_of(links, differs)) return RoutersWithUnequalLinks{};
    if (!divides_evenly(network)) return RoutersWithFractionalCycle{};
    if (router_cycles(network, network.link.propagation) > most_delay_cycles) return RoutersBehindLongLinks{};
    if (router_cycles(network, network.switches.latency) > most_delay_cycles) return RoutersWithLongSwitching{};
    if (packet_flits(network.packet + network.header, network.flit) > most_packet_flits)
        return RoutersWithLongPackets{};
    return std::nullopt;
}

}   // namespace

Problem find_input_queued_problem(const InputQueuedParams& params, const NetworkParams& network,
                                  std::span<const LinkParams> links, TimingFidelity fidelity) {
    if (fidelity == TimingFidelity::message) return RoutersByMessage{};
    if (const auto problem = find_grid_problem(params, network)) return problem;
    if (const auto problem = find_path_problem(network)) return problem;
    return find_link_problem(network, links);
}

RouterGrid grid_of(const FabricParams& fabric) {
    if (!fabric.grid) throw std::invalid_argument("input-queued routers stand in a mesh or a torus");
    return RouterGrid(router_grid(*fabric.grid));
}

std::unique_ptr<Fabric> make_input_queued(const InputQueuedParams& params, const NetworkParams& network,
                                          const FabricParams& fabric, FabricClient& client) {
    return std::make_unique<RouterFabric>(fabric, grid_of(fabric), vc_router(params, network), client);
}

}   // namespace oscar

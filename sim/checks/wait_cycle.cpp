#include "sim/checks/wait_cycle.hpp"

#include <algorithm>

#include "models/network/topology/deadlock.hpp"

namespace oscar {
namespace {

std::string text_of(const Topology& topology, const std::vector<Hop>& cycle) {
    constexpr std::size_t shown = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, cycle.size()); ++i)
        text += (i > 0 ? ", " : "") + topology.edge_name(cycle[i].edge);
    if (cycle.size() > shown) text += ", and " + std::to_string(cycle.size() - shown) + " more";
    return text;
}

/// A change under which no packets wait for each other, each of them tried.
std::string remedy(const Topology& topology, const RoutingParams& routing, std::uint32_t virtual_channels) {
    const auto helps = [&](const RoutingParams& other, std::uint32_t channels) {
        return find_wait_cycle(topology, other, channels).empty();
    };
    if (virtual_channels < 2 && helps(routing, 2)) return "set network.virtual_channels: 2";
    if (has_dimensions(topology)) {
        if (helps(DimensionOrderParams{}, virtual_channels)) return "choose dimension_order";
        if (helps(DimensionOrderParams{}, 2)) return "choose dimension_order with network.virtual_channels: 2";
    }
    return "leave out one of these links, or write a graph in which it is a dateline and set "
           "network.virtual_channels: 2";
}

}   // namespace

std::optional<std::string> find_deadlock_problem(const Topology& topology, const RoutingParams& routing,
                                                 std::uint32_t virtual_channels) {
    const std::vector<Hop> cycle = find_wait_cycle(topology, routing, virtual_channels);
    if (cycle.empty()) return std::nullopt;
    const std::string what = "packets can wait for each other in a circle of links under " +
                             std::string(resolve(routing, topology).name()) + " routing: " + text_of(topology, cycle) +
                             ", which waits for the first; ";
    return what + remedy(topology, routing, virtual_channels);
}

}   // namespace oscar

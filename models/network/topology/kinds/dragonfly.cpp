#include "models/network/topology/kinds/dragonfly.hpp"

#include <stdexcept>
#include <string>

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {
namespace {

/// Dearer than any path inside two groups, so that a second global link is never taken to save local ones.
constexpr std::uint32_t global_cost = 4;

/// With a number for each 0, where a router has `hosts` ranks; the largest number of groups.
DragonflyParams with_hosts(DragonflyParams p, std::uint32_t hosts) {
    p.hosts = hosts;
    if (p.routers == 0) p.routers = 2 * hosts;
    if (p.links == 0) p.links = hosts;
    if (p.groups == 0) p.groups = p.routers * p.links + 1;
    return p;
}

std::uint64_t room(const DragonflyParams& p) { return std::uint64_t{p.groups} * p.routers * p.hosts; }

DragonflyParams sized(const DragonflyParams& params, std::uint32_t ranks) {
    DragonflyParams p = with_hosts(params, params.hosts == 0 ? 1 : params.hosts);
    while (params.hosts == 0 && room(p) < ranks) p = with_hosts(params, p.hosts + 1);
    if (room(p) < ranks) refuse_size(room(p), ranks, "raise groups, routers or hosts, or leave one of them at 0");
    if (params.groups == 0) p.groups = ceil_div(ranks, p.routers * p.hosts);
    if (p.routers * p.links + 1 < p.groups)
        throw std::invalid_argument("a group of " + std::to_string(p.routers) + " routers with " +
                                    std::to_string(p.links) + " global links each reaches " +
                                    std::to_string(p.routers * p.links) + " groups, but there are " +
                                    std::to_string(p.groups - 1) + " others; raise links or routers");
    return p;
}

/// Port j of group g, m = j / (groups - 1), d = j % (groups - 1) + 1, leads to group g + d; there it is the port of the
/// same m for the distance groups - d back.
void cable_groups(Topology& topology, const DragonflyParams& p, const LinkParams& link) {
    const std::uint32_t others = p.groups - 1, copies = others == 0 ? 0 : p.routers * p.links / others;
    const auto router = [&](std::uint32_t group, std::uint32_t port) {
        return topology.switch_node(group * p.routers + port / p.links);
    };
    for (std::uint32_t g = 0; g < p.groups; ++g)
        for (std::uint32_t peer = g + 1; peer < p.groups; ++peer)
            for (std::uint32_t m = 0; m < copies; ++m) {
                const std::uint32_t distance = peer - g;
                topology.cable(router(g, m * others + distance - 1), router(peer, m * others + others - distance),
                               {{}, {}, p.global_link.of(link), global_cost, true});
            }
}

}   // namespace

Topology make_topology(const DragonflyParams& params, std::uint32_t ranks, const LinkParams& link) {
    const DragonflyParams p = sized(params, ranks);
    Topology topology{ranks, p.groups * p.routers};
    for (std::uint32_t r = 0; r < ranks; ++r) topology.cable(node_of(Rank{r}), topology.switch_node(r / p.hosts), link);
    for (std::uint32_t g = 0; g < p.groups; ++g)
        for (std::uint32_t a = 0; a < p.routers; ++a)
            for (std::uint32_t b = a + 1; b < p.routers; ++b)
                topology.cable(topology.switch_node(g * p.routers + a), topology.switch_node(g * p.routers + b), link);
    cable_groups(topology, p, link);
    return topology;
}

}   // namespace oscar

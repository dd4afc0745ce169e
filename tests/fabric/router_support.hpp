// Networks of routers for tests of the fabric: 8 Gbit/s is 1 byte per ns, so that a cycle is as many ns as a flit has
// bytes.
#pragma once

#include "models/fabric/router_fabric.hpp"
#include "models/net/routes.hpp"
#include "models/net/topologies.hpp"
#include "models/net/vc_router.hpp"
#include "tests/fabric/support.hpp"

namespace oscar::test {

inline constexpr Time nic_latency = 50_ns;

struct RoutersOf {
    explicit RoutersOf(const TopologyKind& kind, std::uint32_t ranks, const InputQueuedParams& queues = deep())
        : topology(make_topology(kind, ranks, link())), params({{}, 64_B, 1, topology.grid}) {
        network.link = link();
        network.router.latency = 100_ns;   // 2 cycles
        router = vc_router(queues, network);
        for (const auto& edge : topology.edges)
            params.links.push_back({edge.from, edge.to, edge.link, topology.is_switch(edge.to) ? 100_ns : nic_latency});
    }
    static LinkParams link() { return {8_Gbps, 100_ns, 64_KiB}; }   // 2 cycles, and one for the flit
    /// Buffers that hold more than a round trip.
    static InputQueuedParams deep() {
        InputQueuedParams queues;
        queues.vc_flits = 64;
        return queues;
    }

    RouterGrid grid() const { return RouterGrid(router_grid(*topology.grid)); }
    std::vector<Hop> path(std::uint32_t from, std::uint32_t to) const {
        const auto way = routes().path(Rank{from}, Rank{to});
        return {way.begin(), way.end()};
    }
    const Routes& routes() const {
        if (!routes_) routes_.emplace(topology, RoutingParams{});
        return *routes_;
    }

    Topology topology;
    FabricParams params;
    NetworkParams network;
    VcRouterParams router;

private:
    mutable std::optional<Routes> routes_;
};

using RouterTraffic = Traffic<RouterFabric>;

}   // namespace oscar::test

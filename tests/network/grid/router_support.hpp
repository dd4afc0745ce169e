// Networks of routers for tests of the fabric: 8 Gbit/s is 1 byte per ns, so that a cycle is as many ns as a flit has
// bytes.
#pragma once

#include "models/core/random.hpp"
#include "models/network/grid/router_fabric.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/topology/kinds/topologies.hpp"
#include "models/network/topology/routes.hpp"
#include "tests/network/event/fabric_support.hpp"

namespace oscar::test {

inline constexpr Time nic_latency = 50_ns;
inline constexpr Time cycle = 64_ns;   // 64 bytes at a byte a ns

struct RoutersOf {
    explicit RoutersOf(const TopologyKind& kind, std::uint32_t ranks, const InputQueuedParams& queues = deep())
        : topology(make_topology(kind, ranks, link())), params({{}, 64_B, 1, topology.grid}) {
        network.link = link();
        network.switches.latency = 100_ns;   // 2 cycles
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

/// `count` packets of a flow, that may all leave from `at` on.
inline Sending packets(std::uint32_t flow, std::uint32_t count, Bytes wire, Bytes last, Time at, std::uint64_t tag) {
    Sending sending{flow, {tag, count, wire, last}, at, {}, std::vector<Time>(count), {}};
    for (std::uint32_t i = 0; i < count; ++i) sending.reported.push_back(i);
    return sending;
}

/// Messages of random lengths, all handed over at the start, to leave from times that rise; a queue a rank.
struct Scripted {
    Scripted(const RoutersOf& of, std::uint64_t seed) {
        const auto ranks = static_cast<std::uint32_t>(of.topology.ranks);
        std::uint64_t drawn = 0;
        const auto draw = [&](std::uint64_t most) { return random_at(seed, drawn++) % (most + 1); };
        for (std::uint32_t from = 0; from < ranks; ++from)
            for (std::uint32_t to = 0; to < ranks; ++to)
                if (from != to) paths.push_back(of.path(from, to)), ends.push_back({from, to});
        std::vector<Time> last(ranks);
        for (std::uint32_t i = 0; i < 12 * ranks; ++i) {
            const auto flow = static_cast<std::uint32_t>(draw(paths.size() - 1));
            const Bytes wire{1 + draw(400)};
            Sending sending =
                packets(flow, static_cast<std::uint32_t>(1 + draw(4)), wire, {1 + draw(wire.count - 1)}, {}, i);
            for (Time& at : sending.eligible)
                at = last[ends[flow].first] +=
                    Time{static_cast<std::int64_t>(draw(draw(3) == 0 ? 3'000'000 : 100'000))};
            script.push_back(sending);
        }
    }
    std::vector<std::vector<Hop>> paths;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;   ///< per flow
    std::vector<Sending> script;
};

inline std::vector<RoutersOf> random_routers(std::uint64_t seed) {
    InputQueuedParams queues;
    queues.vcs = static_cast<std::uint32_t>(2 + random_at(seed, 0) % 4);
    queues.vc_flits = static_cast<std::uint32_t>(1 + random_at(seed, 1) % 9);
    queues.reuse = random_at(seed, 2) % 2 == 0 ? VcReuse::when_empty : VcReuse::when_sent;
    queues.routing_delay = static_cast<std::uint32_t>(random_at(seed, 3) % 3);
    std::vector<RoutersOf> result;
    result.emplace_back(MeshParams{3, 3}, 9, queues);
    result.emplace_back(TorusParams{2, 4}, 8, queues);
    return result;
}

/// Packets of eight flits round a ring of four, each to the node half way east of it: without a dateline each holds the
/// only VC of a link and waits for the next one.
struct StuckRing {
    StuckRing() {
        const RouterLinks links(no_dateline, of.params.links);
        for (std::uint32_t r = 0; r < 4; ++r) {
            paths.push_back({{links.into(RouterId{r})},
                             {links.out_of(RouterId{r}, Port::east)},
                             {links.out_of(RouterId{(r + 1) % 4}, Port::east)},
                             {links.out_of(RouterId{(r + 2) % 4}, Port::node)}});
            script.push_back(packets(r, 1, 512_B, 512_B, {}, r));
        }
    }
    static InputQueuedParams one_vc() {
        InputQueuedParams one;
        one.vcs = 1;
        one.vc_flits = 1;
        return one;
    }
    /// What the network says of the deadlock.
    template <class Network>
    std::string deadlock_text() const {
        Traffic<Network> traffic(of.params, paths, script, no_dateline, of.router);
        try {
            traffic.run();
        } catch (const RouterDeadlock& deadlock) {
            return deadlock.what();
        }
        return "no deadlock";
    }

    const RoutersOf of{TorusParams{1, 4}, 4, one_vc()};
    const RouterGrid no_dateline{router_grid(*of.topology.grid), false};
    std::vector<std::vector<Hop>> paths;
    std::vector<Sending> script;
};

}   // namespace oscar::test

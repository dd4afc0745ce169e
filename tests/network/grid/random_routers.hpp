// Random networks of input-queued routers and what is sent over them.
#pragma once

#include <random>

#include "models/network/params/input_queued_params.hpp"
#include "models/network/topology/kinds/topologies.hpp"
#include "models/network/topology/routes.hpp"
#include "tests/network/event/fabric_support.hpp"

namespace oscar::test {

/// A mesh or torus with buffers, allocators and delays of all sizes, and messages between random ranks, some of them
/// sent when others have arrived.
class RandomRouters {
public:
    explicit RandomRouters(std::uint64_t seed) : random_(seed) {
        draw_network();
        draw_router();
        const Routes routes(topology_, RoutingParams{});
        const auto ranks = static_cast<std::uint32_t>(topology_.ranks);
        for (std::uint32_t f = 0; f < 3 * ranks; ++f) {
            const std::uint32_t from = between(0u, ranks - 1), to = (from + between(1u, ranks - 1)) % ranks;
            const auto path = routes.path(Rank{from}, Rank{to});
            paths.emplace_back(path.begin(), path.end());
        }
        for (std::uint32_t i = 0; i < 6 * ranks; ++i) script.push_back(sending(i));
    }

    FabricParams params;
    VcRouterParams router;
    std::vector<std::vector<Hop>> paths;
    std::vector<Sending> script;
    RouterGrid grid() const { return RouterGrid(router_grid(*topology_.grid)); }

private:
    template <class T>
    T between(T least, T most) {
        return static_cast<T>(static_cast<std::uint64_t>(least) +
                              random_() % (static_cast<std::uint64_t>(most - least) + 1));
    }
    bool coin() { return between(0, 1) == 1; }
    Time time(std::int64_t most_ns) { return {between<std::int64_t>(0, most_ns * 1000)}; }

    /// A flit of n bytes at 8 Gbit/s takes n ns.
    void draw_network() {
        params.flit = {between<std::uint64_t>(1, 64)};
        const auto flit = static_cast<std::int64_t>(params.flit.count);
        network_.flit = params.flit;
        network_.link = {8_Gbps, time(coin() ? 10 * flit : 0), 64_KiB};
        network_.switches.latency = time(coin() ? 4 * flit : 0);
        const std::uint32_t rows = between(1u, 4u), columns = between(rows == 1 ? 2u : 1u, 4u);
        const TopologyKind kind =
            coin() ? TopologyKind{MeshParams{rows, columns}} : TopologyKind{TorusParams{rows, columns}};
        topology_ = make_topology(kind, rows * columns, network_.link);
        const Time nic = time(coin() ? 100 : 0);
        for (const auto& edge : topology_.edges)
            params.links.push_back({edge.from, edge.to, edge.link, topology_.is_switch(edge.to) ? Time{} : nic});
        params.grid = topology_.grid;
    }
    void draw_router() {
        InputQueuedParams queues;
        queues.vcs = between(2u, 6u);
        queues.vc_flits = between(1u, coin() ? 4u : 40u);
        queues.reuse = coin() ? VcReuse::when_empty : VcReuse::when_sent;
        queues.vc_alloc_iterations = between(1u, 3u);
        queues.sw_alloc_iterations = between(1u, 3u);
        queues.input_speedup = between(1u, queues.vcs);
        queues.routing_delay = between(0u, 2u);
        queues.vc_alloc_delay = between(1u, 3u);
        queues.sw_alloc_delay = between(1u, 3u);
        queues.credit_delay = between(0u, 3u);
        router = vc_router(queues, network_);
    }
    Sending sending(std::uint32_t i) {
        Sending result;
        result.flow = between(0u, static_cast<std::uint32_t>(paths.size()) - 1);
        const auto packets = between<std::uint32_t>(1, between(0, 3) == 0 ? 12 : 3);
        const Bytes wire{between<std::uint64_t>(1, params.flit.count * 10)};
        result.message = {i, packets, wire, {between<std::uint64_t>(1, wire.count)}};
        result.at = time(coin() ? 2000 : 0);
        if (i > 0 && coin()) result.after = between(0u, i - 1);
        const std::int64_t step = coin() ? 0 : between<std::int64_t>(1, 2000);
        Time eligible = coin() ? Time{} : time(100);
        for (std::uint32_t p = 0; p < packets; ++p) {
            result.eligible.push_back(eligible);
            eligible += time(step);
            result.reported.push_back(p);
        }
        return result;
    }

    std::mt19937_64 random_;
    NetworkParams network_;
    Topology topology_;
};

}   // namespace oscar::test

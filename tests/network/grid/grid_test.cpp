#include "models/network/grid/grid.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "models/network/open_loop/channel_load.hpp"

namespace oscar::grid_test {
namespace {

/// The ports of a packet's way.
std::vector<Port> ports_along(const RouterGrid& grid, NodeId from, NodeId to, std::uint8_t coins) {
    std::vector<Port> ports;
    Port in = Port::node;
    std::uint8_t vc_class = 0;
    for (RouterId at = router_at(from);;) {
        const RouteStep step = grid.route(at, to, in, vc_class, coins);
        ports.push_back(step.port);
        if (step.port == Port::node) return ports;
        at = grid.neighbour(at, step.port).value();
        in = opposite(step.port);
        vc_class = step.vc_class.value();
    }
}

/// All grids up to 6 x 6.
std::vector<RouterGridKind> grids() {
    std::vector<RouterGridKind> kinds;
    for_each_kind(router_grids, [&]<class P>(const Kind<P>&) {
        for (std::uint32_t rows = 1; rows <= 6; ++rows)
            for (std::uint32_t columns = 1; columns <= 6; ++columns) kinds.push_back(P{rows, columns});
    });
    return kinds;
}

TEST(GridRoutes, GoEastOrWestFirstAndAreAsShortAsTheDistance) {
    for (const auto& kind : grids()) {
        const RouterGrid grid(kind);
        for (const NodeId from : grid.node_ids())
            for (const NodeId to : grid.node_ids())
                for (std::uint8_t coins = 0; coins < 16; ++coins) {
                    const auto ports = ports_along(grid, from, to, coins);
                    EXPECT_EQ(ports.size(), grid.routers_between(from, to));
                    bool vertical = false;
                    for (const Port port : ports) {
                        EXPECT_FALSE(vertical && (port == Port::east || port == Port::west));
                        vertical = vertical || port == Port::north || port == Port::south;
                    }
                }
    }
}

TEST(GridLinks, LeadBackThroughTheOppositePort) {
    for (const auto& kind : grids()) {
        const RouterGrid grid(kind);
        for (const RouterId r : grid.router_ids())
            for (const Port port : {Port::east, Port::west, Port::north, Port::south})
                if (const auto next = grid.neighbour(r, port)) {
                    EXPECT_EQ(grid.neighbour(*next, opposite(port)), r);
                }
    }
}

/// A link and class of VCs; edges of the graph of waits are those that a route takes one behind the other.
using Channel = std::tuple<RouterId, Port, std::uint8_t>;
using Waits = std::map<Channel, std::set<Channel>>;

Waits waits_of(const RouterGrid& grid) {
    Waits waits;
    for (const NodeId from : grid.node_ids())
        for (const NodeId to : grid.node_ids())
            for (std::uint8_t coins = 0; coins < 16; ++coins) {
                std::optional<Channel> held;
                Port in = Port::node;
                std::uint8_t vc_class = 0;
                for (RouterId at = router_at(from);;) {
                    const RouteStep step = grid.route(at, to, in, vc_class, coins);
                    if (step.port == Port::node) break;
                    vc_class = *step.vc_class;
                    const Channel wanted{at, step.port, vc_class};
                    if (held) waits[*held].insert(wanted);
                    held = wanted;
                    at = *grid.neighbour(at, step.port);
                    in = opposite(step.port);
                }
            }
    return waits;
}

/// Takes away channels that wait for nothing that is left, as long as there are any.
bool has_cycle(Waits waits) {
    for (bool changed = true; changed;) {
        changed = false;
        for (auto it = waits.begin(); it != waits.end();) {
            std::erase_if(it->second, [&](const Channel& channel) { return !waits.contains(channel); });
            changed = changed || it->second.empty();
            it = it->second.empty() ? waits.erase(it) : std::next(it);
        }
    }
    return !waits.empty();
}

// Dally & Seitz 1987, theorem 1: routes are free of deadlock if and only if the graph of waits between channels has no
// cycle.
TEST(GridRoutes, HaveNoCycleOfWaitsWithADatelineAndInAMesh) {
    for (const auto& kind : grids()) EXPECT_FALSE(has_cycle(waits_of(RouterGrid(kind)))) << kind.name();
}

TEST(GridRoutes, HaveACycleOfWaitsInATorusWithoutDateline) {
    EXPECT_TRUE(has_cycle(waits_of(RouterGrid(RouterTorusParams{4, 4}, false))));
}

TEST(TorusRoutes, UseBothWaysAndBothClassesWhereCoinsDecide) {
    const RouterGrid ring(RouterTorusParams{1, 4});
    EXPECT_EQ(ring.route(RouterId{0}, NodeId{2}, Port::node, 0, 0).port, Port::west);
    EXPECT_EQ(ring.route(RouterId{0}, NodeId{2}, Port::node, 0, 1).port, Port::east);
    EXPECT_EQ(ring.route(RouterId{0}, NodeId{1}, Port::node, 0, 0).vc_class, 0);
    EXPECT_EQ(ring.route(RouterId{0}, NodeId{1}, Port::node, 0, 4).vc_class, 1);
    EXPECT_EQ(ring.route(RouterId{3}, NodeId{0}, Port::node, 0, 0).vc_class, 1);   // the link that crosses the dateline
}

TEST(GridParameters, LetATorusOfOneVirtualChannelDeadlock) {
    VcRouterParams one;
    one.vcs = 1;
    EXPECT_TRUE(can_deadlock(RouterTorusParams{}, one));
    EXPECT_FALSE(can_deadlock(RouterMeshParams{}, one));
    one.vcs = 2;
    EXPECT_FALSE(can_deadlock(RouterTorusParams{}, one));
}

ChannelLoads loads(const RouterGridKind& kind, const TrafficPattern& pattern) {
    const RouterGrid grid(kind);
    return busiest_channel_loads(grid, Destinations(pattern, grid));
}

// Uniform traffic in a k x k mesh: across the middle of a row, k/2 sources send half of what they send, k/4 a link. In
// a torus the way round halves that.
TEST(ChannelLoad, IsThatOfTheBisection) {
    for (const std::uint32_t k : {2u, 4u, 8u}) {
        EXPECT_DOUBLE_EQ(loads(RouterMeshParams{k, k}, UniformTrafficParams{}).link, k / 4.0);
        if (k > 2) {
            EXPECT_DOUBLE_EQ(loads(RouterTorusParams{k, k}, UniformTrafficParams{}).link, k / 8.0);
        }
    }
    EXPECT_DOUBLE_EQ(loads(RouterMeshParams{4, 4}, TornadoTrafficParams{}).link, 1);
    EXPECT_DOUBLE_EQ(loads(RouterMeshParams{4, 4}, BitComplementTrafficParams{}).link, 2);
    EXPECT_NEAR(loads(RouterMeshParams{4, 4}, HotspotTrafficParams{0, 0.5}).node, 0.5 * 16 + 0.5, 1e-6);
}

TEST(ThroughputBound, IsTheShareOfACreditLoopOverTheLoad) {
    VcRouterParams params;
    EXPECT_EQ(params.credit_loop(), 9u);
    EXPECT_DOUBLE_EQ(link_rate(params, 1), 4.0 / 9);
    EXPECT_DOUBLE_EQ(link_rate(params, 5), 1);   // 20 flits in 13 cycles would be more than a link has
    EXPECT_DOUBLE_EQ(throughput_bound({2, 1}, 4.0 / 9), 2.0 / 9);
    EXPECT_DOUBLE_EQ(throughput_bound({0.5, 4}, 1), 0.25);
    params.reuse = VcReuse::when_sent;
    EXPECT_DOUBLE_EQ(link_rate(params, 1), 1);
}

}   // namespace
}   // namespace oscar::grid_test

// What holds for every pattern, grid and router: drawn by seed.
#include <gmock/gmock.h>

#include "models/core/hash.hpp"
#include "models/network/open_loop/packet_sources.hpp"
#include "tests/network/grid/support.hpp"

namespace oscar::router_law_test {
namespace {

struct Configuration {
    RouterGridKind grid;
    VcRouterParams router;
    std::uint32_t packet_flits;
    double load;
};

Configuration draw_configuration(std::uint64_t seed) {
    test::Draw draw(seed);
    Configuration c;
    constexpr std::uint32_t sides[] = {1, 2, 4, 8};
    const std::uint32_t side = sides[draw.from(1, 2)];   // square and a power of two, for the patterns that need it
    if (draw.from(0, 1) == 0) c.grid = RouterMeshParams{side, side};
    else c.grid = RouterTorusParams{side, side};
    c.router.vcs = draw.from(2, 12);
    c.router.vc_flits = draw.from(1, 5);
    c.router.reuse = draw.from(0, 1) == 0 ? VcReuse::when_empty : VcReuse::when_sent;
    c.router.vc_alloc_iterations = draw.from(1, 3);
    c.router.sw_alloc_iterations = draw.from(1, 3);
    c.router.input_speedup = draw.from(1, 3);
    c.router.routing_delay = draw.from(0, 2);
    c.router.vc_alloc_delay = draw.from(1, 2);
    c.router.sw_alloc_delay = draw.from(1, 2);
    c.router.switch_delay = draw.from(1, 2);
    c.router.link_delay = draw.from(1, 3);
    c.router.credit_delay = draw.from(0, 3);
    c.packet_flits = draw.from(1, 6);
    c.load = 0.1 * draw.from(1, 10);
    return c;
}

using PacketId = std::pair<std::uint32_t, Cycles>;   // source, and cycle of creation

/// Flits that arrived of each packet; each must be the one behind the last, at the node where it belongs.
class Deliveries {
public:
    explicit Deliveries(std::uint32_t packet_flits) : packet_flits_(packet_flits) {}

    void add(const RouterFlit& flit, const Destinations& destinations) {
        std::uint32_t& flits = flits_[{flit.from, flit.created}];
        EXPECT_EQ(flit.sequence, flits) << "out of order, or twice";
        ++flits;
        EXPECT_EQ(flit.tail, flits == packet_flits_);
        EXPECT_GT(destinations.probability(NodeId{flit.from}, NodeId{flit.to}), 0);
        complete_ += flit.tail;
    }
    std::uint64_t complete() const { return complete_; }
    std::uint64_t begun() const { return flits_.size(); }

private:
    std::uint32_t packet_flits_;
    std::uint64_t complete_ = 0;
    std::map<PacketId, std::uint32_t> flits_;
};

void expect_laws(const TrafficPattern& pattern, const Configuration& c, std::uint64_t seed) {
    const RouterGrid grid(c.grid);
    const Destinations destinations(pattern, grid);
    RouterNetwork network(grid, c.router, c.packet_flits);
    PacketSources sources(destinations, grid.routers(), c.load / c.packet_flits, seed);
    Deliveries deliveries(c.packet_flits);
    std::uint64_t begun = 0;
    const auto step = [&] {
        network.step();
        network.check_progress(2048);
        for (const RouterFlit& flit : network.arrived()) deliveries.add(flit, destinations);
    };
    while (network.now() < 400) {
        sources.offer(network);
        step();
        if (network.now() % 50 == 0) {
            EXPECT_EQ(network.find_conservation_problem(), std::nullopt) << "cycle " << network.now();
        }
    }
    const auto sending = [&] {
        for (const NodeId node : grid.node_ids())
            if (!network.idle(node)) return true;
        return false;
    };
    while (sending() || network.in_flight() > 0) step();
    begun = deliveries.begun();
    EXPECT_EQ(deliveries.complete(), begun);
    EXPECT_EQ(network.ejected(), begun * c.packet_flits) << "every flit once";
    EXPECT_EQ(network.find_conservation_problem(), std::nullopt) << "all credits are back";
    EXPECT_GT(begun, 0u);
}

TEST(RouterLaws, HoldForEveryPatternOnRandomRouters) {
    for_each_kind(traffic_patterns, []<class P>(const Kind<P>& kind) {
        if (!is_defined_for(P{}, PatternSenders::routers)) return;
        for (std::uint64_t seed = 1; seed <= 25; ++seed) {
            SCOPED_TRACE(std::string(kind.name) + ", seed " + std::to_string(seed));
            expect_laws(P{}, draw_configuration(random_at(seed, fnv1a(std::as_bytes(std::span(kind.name))))), seed);
        }
    });
}

}   // namespace
}   // namespace oscar::router_law_test

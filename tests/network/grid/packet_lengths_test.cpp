// What machines ask of a network of routers beside traffic: packets of any length, cycles that are skipped, links
// watched.
#include <gtest/gtest.h>

#include "tests/network/grid/support.hpp"

namespace oscar::packet_lengths_test {
namespace {

using Arrival = std::tuple<Cycles, std::uint32_t, Cycles, std::uint32_t>;   // when; source, creation, number of a flit

TEST(PacketLengths, DifferFromPacketToPacketInOneNetwork) {
    VcRouterParams params;
    params.vc_flits = 64;
    RouterNetwork network(RouterGrid(RouterMeshParams{3, 4}), params, 1);
    for (const std::uint32_t flits : {5u, 1u, 17u, 2u, 1u}) {
        const Cycles created = network.now();
        network.begin(NodeId{1}, NodeId{11}, created, 0, flits);
        EXPECT_EQ(test::cycles_to_arrival(network, created), zero_load_cycles(params, 5, flits));
        while (!network.at_rest()) network.step();
    }
}

TEST(PacketLengths, AreThoseOfTheNetworkWhereNothingElseIsSaid) {
    VcRouterParams params;
    RouterNetwork network(RouterGrid(RouterMeshParams{1, 2}), params, 3);
    network.begin(NodeId{0}, NodeId{1}, 0, 0);
    EXPECT_EQ(test::cycles_to_arrival(network, 0), zero_load_cycles(params, 2, 3));
}

/// A packet of one flit is created at the start; the credit of its last buffer is the last thing on its way: sent when
/// the flit is taken, it can be used `credit_cycles` later.
TEST(ANetworkAtRest, HasAllItsCreditsBack) {
    const VcRouterParams params = test::small_buffers();
    RouterNetwork network(RouterGrid(RouterMeshParams{2, 2}), params, 1);
    EXPECT_TRUE(network.at_rest());
    network.begin(NodeId{0}, NodeId{3}, 0, 0);
    const Cycles arrival = test::cycles_to_arrival(network, 0);
    while (!network.at_rest()) network.step();
    EXPECT_EQ(network.now(), arrival + params.credit_cycles() + 1);
}

/// Bursts of packets with idle times between them; flits as they arrive.
std::vector<Arrival> arrivals(bool skipping, std::uint64_t seed) {
    test::Draw draw(seed);
    VcRouterParams params;
    params.vcs = draw.from(2, 5);
    params.vc_flits = draw.from(1, 4);
    params.credit_delay = draw.from(0, 9);
    params.vc_alloc_delay = draw.from(1, 3);
    params.sw_alloc_delay = draw.from(1, 3);
    const RouterGrid grid(RouterTorusParams{3, 3});
    RouterNetwork network(grid, params, 1);
    std::vector<Arrival> result;
    for (int burst = 0; burst < 8; ++burst) {
        for (const NodeId node : grid.node_ids())
            if (draw.from(0, 1) == 1)
                network.begin(node, NodeId{draw.from(0, 8)}, network.now(), static_cast<std::uint8_t>(draw.from(0, 15)),
                              draw.from(1, 6));
        network.step();
        while (!network.at_rest()) {
            network.step();
            for (const RouterFlit& flit : network.arrived())
                result.push_back({network.now(), flit.from, flit.created, flit.sequence});
        }
        const Cycles next = network.now() + draw.from(0, 40);
        if (skipping) network.skip_to(next);
        while (network.now() < next) network.step();
    }
    return result;
}

TEST(SkippedCycles, ChangeNothing) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto stepped = arrivals(false, seed);
        EXPECT_EQ(arrivals(true, seed), stepped) << "seed " << seed;
        EXPECT_FALSE(stepped.empty());
    }
}

// From (0, 0) to (1, 1): over the node's link, east, north, to the node; each of two flits.
TEST(WatchedLinks, AreNamedByRouterAndPortInTheCycleInWhichAFlitIsSent) {
    VcRouterParams params;
    params.vc_flits = 8;
    RouterNetwork network(RouterGrid(RouterMeshParams{2, 2}), params, 2);
    network.watch();
    network.begin(NodeId{0}, NodeId{3}, 0, 0);
    std::vector<std::tuple<Cycles, std::uint32_t, std::optional<Port>, bool>> sent;
    while (!network.at_rest() || network.now() == 0) {
        network.step();
        for (const auto& s : network.departures())
            sent.push_back({network.now() - 1, s.router.value, s.out, s.flit.tail});
    }
    // The head is there after node_cycles, then asks for a VC and for the switch in a cycle each; hop_cycles a router.
    const Cycles first = params.node_cycles() + 1, hop = params.hop_cycles();
    const std::vector<std::tuple<Cycles, std::uint32_t, std::optional<Port>, bool>> expected{
        {0, 0, std::nullopt, false},
        {1, 0, std::nullopt, true},
        {first, 0, Port::east, false},
        {first + 1, 0, Port::east, true},
        {first + hop, 1, Port::north, false},
        {first + hop + 1, 1, Port::north, true},
        {first + 2 * hop, 3, Port::node, false},
        {first + 2 * hop + 1, 3, Port::node, true}};
    EXPECT_EQ(sent, expected);
    EXPECT_EQ(network.flit_hops(), sent.size());
}

TEST(WatchedLinks, AreOnlyThoseOfANetworkThatIsWatched) {
    RouterNetwork network(RouterGrid(RouterMeshParams{1, 2}), VcRouterParams{}, 1);
    network.begin(NodeId{0}, NodeId{1}, 0, 0);
    network.step();
    EXPECT_TRUE(network.departures().empty());
}

}   // namespace
}   // namespace oscar::packet_lengths_test

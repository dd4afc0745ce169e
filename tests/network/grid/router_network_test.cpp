#include "models/network/grid/router_network.hpp"
#include "models/network/open_loop/zero_load.hpp"

#include <gmock/gmock.h>

#include "tests/network/grid/support.hpp"

namespace oscar::router_network_test {
namespace {

using ::testing::HasSubstr;

// A head flit takes a cycle each for VC allocation, switch allocation, switch and link: 4 a router; and 2 from its node
// to the first. With H links between routers these are H + 1 routers.
TEST(ZeroLoadLatency, Is4CyclesARouterAnd2OnA4x4MeshForEveryPair) {
    const RouterGrid grid(RouterMeshParams{4, 4});
    for (const NodeId from : IndexRange<NodeId>(16))
        for (const NodeId to : IndexRange<NodeId>(16)) {
            RouterNetwork network(grid, test::small_buffers(), 1);
            network.begin(from, to, 0, 0);
            EXPECT_EQ(test::cycles_to_arrival(network, 0), 4 * grid.routers_between(from, to) + 2);
        }
}

TEST(ZeroLoadLatency, IsMeasuredOverAllPairsByTheirDistance) {
    const auto measured = measure_zero_load(RouterGrid(RouterMeshParams{4, 4}), test::small_buffers(), 1);
    const std::uint32_t pairs[] = {48, 68, 64, 40, 16, 4};   // 1 to 6 links apart, in both directions
    ASSERT_EQ(measured.size(), 6u);
    for (std::uint32_t i = 0; i < 6; ++i) {
        EXPECT_EQ(measured[i].routers, i + 2);
        EXPECT_EQ(measured[i].pairs, pairs[i]);
        EXPECT_EQ(measured[i].least, 4 * (i + 2) + 2);
        EXPECT_EQ(measured[i].most, 4 * (i + 2) + 2);
    }
}

TEST(ZeroLoadLatency, IsMeasuredOnAnEmptyNetworkForEveryRouterAndGrid) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        test::Draw draw(seed);
        VcRouterParams params;
        params.vcs = draw.from(2, 6);
        params.vc_flits = 64;
        params.link_delay = draw.from(1, 5);
        params.credit_delay = draw.from(0, 4);
        const std::uint32_t flits = draw.from(1, 8);
        const RouterGrid grid =
            draw.from(0, 1) == 0 ? RouterGrid(RouterMeshParams{2, 3}) : RouterGrid(RouterTorusParams{3, 4});
        for (const ZeroLoad& z : measure_zero_load(grid, params, flits)) {
            EXPECT_EQ(z.least, zero_load_cycles(params, z.routers, flits)) << "seed " << seed;
            EXPECT_EQ(z.most, z.least) << "seed " << seed;
        }
    }
}

TEST(ZeroLoadLatency, IsMeasuredWhenTheCreditsOfThePacketBeforeAreBack) {
    VcRouterParams params = test::small_buffers();
    params.vcs = 1;
    params.credit_delay = 64;   // a packet that followed at once would wait for it
    for (const ZeroLoad& z : measure_zero_load(RouterGrid(RouterMeshParams{1, 3}), params, 1))
        EXPECT_EQ(z.most, zero_load_cycles(params, z.routers, 1));
}

TEST(ZeroLoadLatency, AddsUpTheDelaysOfTheStages) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        test::Draw draw(seed);
        VcRouterParams params;
        params.vc_flits = 64;
        params.routing_delay = draw.from(0, 3);
        params.vc_alloc_delay = draw.from(1, 3);
        params.sw_alloc_delay = draw.from(1, 3);
        params.switch_delay = draw.from(1, 3);
        params.link_delay = draw.from(1, 5);
        params.credit_delay = draw.from(0, 4);
        const std::uint32_t flits = draw.from(1, 8), created = draw.from(0, 5);
        const RouterGrid grid(RouterMeshParams{3, 4});
        RouterNetwork network(grid, params, flits);
        while (network.now() < created) network.step();
        network.begin(NodeId{1}, NodeId{11}, created, 0);
        EXPECT_EQ(test::cycles_to_arrival(network, created), zero_load_cycles(params, 5, flits)) << "seed " << seed;
    }
}

// A stream over one link, from router 0 to its neighbour. A VC of one flit takes a packet each 9 cycles: to the next
// buffer 3, VC allocation 1, the credit back 4 behind switch allocation, VC and switch allocation again.
TEST(CreditLoop, LetsAChannelOf4OneFlitVcsPass4FlitsIn9Cycles) {
    RouterNetwork network(RouterGrid(RouterMeshParams{1, 2}), test::small_buffers(), 1);
    EXPECT_EQ(test::stream(network, NodeId{0}, NodeId{1}, 90, 900), 400u);
}

TEST(CreditLoop, OfOneVcIsACycleLongerForEachCycleOfDelay) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        test::Draw draw(seed);
        VcRouterParams params = test::small_buffers();
        params.vcs = 1;
        params.routing_delay = draw.from(0, 2);
        params.vc_alloc_delay = draw.from(1, 3);
        params.sw_alloc_delay = draw.from(1, 3);
        params.switch_delay = draw.from(1, 3);
        params.link_delay = draw.from(1, 4);
        params.credit_delay = draw.from(2, 4);   // so that the loop of the link is the slowest of the three
        RouterNetwork network(RouterGrid(RouterMeshParams{1, 2}), params, 1);
        const std::uint32_t loop = params.credit_loop();
        EXPECT_EQ(test::stream(network, NodeId{0}, NodeId{1}, 20 * loop, 40 * loop), 40u) << "seed " << seed;
    }
}

TEST(CreditLoop, IsCoveredBy9Buffers) {
    VcRouterParams params = test::small_buffers();
    params.vcs = 9;
    RouterNetwork network(RouterGrid(RouterMeshParams{1, 2}), params, 1);
    EXPECT_EQ(test::stream(network, NodeId{0}, NodeId{1}, 90, 900), 900u);
    params.vcs = 8;
    RouterNetwork short_of_one(RouterGrid(RouterMeshParams{1, 2}), params, 1);
    EXPECT_EQ(test::stream(short_of_one, NodeId{0}, NodeId{1}, 90, 900), 800u);
}

// Given as soon as the tail has been sent, 4 VCs of several flits need no empty buffer to go on.
TEST(CreditLoop, DoesNotBindWhereVcsAreGivenWhenSentAndBuffersAreDeep) {
    VcRouterParams params;
    params.vc_flits = 4;
    params.reuse = VcReuse::when_sent;
    RouterNetwork network(RouterGrid(RouterMeshParams{1, 2}), params, 1);
    EXPECT_EQ(test::stream(network, NodeId{0}, NodeId{1}, 90, 900), 900u);
}

// Both ends of a row send to its middle, which takes a flit a cycle: in turn, but for cycles in which one has nothing
// ready.
TEST(Routers, ShareALinkFairlyBetweenInputs) {
    VcRouterParams params;
    params.vcs = 9;
    RouterNetwork network(RouterGrid(RouterMeshParams{1, 3}), params, 1);
    std::map<std::uint32_t, std::uint32_t> arrived;
    while (network.now() < 10'000) {
        for (const NodeId from : {NodeId{0}, NodeId{2}})
            if (network.idle(from)) network.begin(from, NodeId{1}, network.now(), 0);
        network.step();
        for (const RouterFlit& flit : network.arrived()) ++arrived[flit.from];
    }
    EXPECT_NEAR(arrived[0], arrived[2], 0.01 * arrived[0]);
    EXPECT_GT(arrived[0] + arrived[2], 9'900u);
}

// Packets of three flits between neighbours in a ring of 4, to the node half way round: without dateline each holds the
// only VC of a link and waits for the next one.
TEST(Watchdog, NamesTheCycleOfWaitsOfATorusWithoutDateline) {
    VcRouterParams params;
    params.vcs = 1;
    params.vc_flits = 1;
    RouterNetwork network(RouterGrid(RouterTorusParams{1, 4}, false), params, 8);
    for (std::uint32_t node = 0; node < 4; ++node) network.begin(NodeId{node}, NodeId{(node + 2) % 4}, 0, 1);
    try {
        for (int i = 0; i < 5000; ++i) {
            network.step();
            network.check_progress(2048);
        }
        FAIL() << "no deadlock";
    } catch (const RouterDeadlock& deadlock) {
        for (const char* part : {"router (0, 0) port west VC 0", "router (1, 0) port west VC 0",
                                 "router (2, 0) port west VC 0", "router (3, 0) port west VC 0 waits for"})
            EXPECT_THAT(deadlock.what(), HasSubstr(part));
    }
}

TEST(Watchdog, IsQuietOnTheSameTrafficWithADateline) {
    VcRouterParams params;
    params.vcs = 2;
    params.vc_flits = 1;
    RouterNetwork network(RouterGrid(RouterTorusParams{1, 4}), params, 8);
    for (std::uint32_t node = 0; node < 4; ++node) network.begin(NodeId{node}, NodeId{(node + 2) % 4}, 0, 1);
    std::uint64_t tails = 0;
    while (tails < 4 && network.now() < 5000) {
        network.step();
        for (const RouterFlit& flit : network.arrived()) tails += flit.tail;
        network.check_progress(2048);
    }
    EXPECT_EQ(tails, 4u);
}

TEST(Watchdog, DoesNotMistakeAnIdleNetworkForADeadlock) {
    RouterNetwork network(RouterGrid(RouterMeshParams{2, 2}), VcRouterParams{}, 1);
    for (int i = 0; i < 5000; ++i) network.step();
    EXPECT_NO_THROW(network.check_progress(2048));
}

}   // namespace
}   // namespace oscar::router_network_test

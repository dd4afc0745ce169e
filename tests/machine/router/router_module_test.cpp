// A router module by itself, in the middle of a mesh of three by three: its number is 4, and node 5 is east of it.
#include "models/machine/router/router_module.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/machine/router/router_ends.hpp"

namespace oscar::router_module_test {
namespace {

using test::CreditEnd;
using test::FlitEnd;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

VcRouterParams two_vcs() {
    VcRouterParams params;
    params.vcs = 2;
    params.vc_flits = 2;
    params.switch_delay = 3;
    params.credit_delay = 2;
    return params;
}

struct ARouterModule : ::testing::Test {
    Waveform waveform{{}};
    test::GridOfRouters grid{two_vcs(), &waveform};
    RouterModule router{"switch4", grid.of_modules, RouterId{4}};
    std::deque<FlitEnd> out;
    std::deque<CreditEnd> credits;
    ARouterModule() {
        for (std::uint32_t p = 0; p < router_ports; ++p) {
            router.out[p].bind(out.emplace_back(grid.clock));
            router.credit_out[p].bind(credits.emplace_back(grid.clock));
        }
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// A flit of a packet to node 5 whose last bit comes at the beginning of cycle `end`.
    void put(Port port, std::uint8_t vc, std::uint16_t sequence, bool tail, Cycles end) {
        router.in[index_of(port)]->put(vc, {0, 3, 5, sequence, 0, tail}, grid.clock.begin_of(end - 1),
                                       grid.clock.begin_of(end));
    }
    FlitEnd& east() { return out[index_of(Port::east)]; }
};

// VC allocation in cycle 10, switch allocation in 11, then 1 + 3 cycles to the link.
TEST_F(ARouterModule, PutsAFlitOnItsLinkWhenItHasPassedTheStages) {
    put(Port::west, 1, 0, true, 10);
    sc_core::sc_start();
    ASSERT_THAT(east().flits, SizeIs(1));
    EXPECT_EQ(std::get<0>(east().flits[0]), 11u + 1 + 3);
    EXPECT_TRUE(east().whole_cycles);
    EXPECT_EQ(router.stages()->held(), 0u);
}

// The buffer is free in cycle 11; a register, and a cycle on the link.
TEST_F(ARouterModule, ReturnsTheCreditOfAFlitByTheLinkThatItCameBy) {
    put(Port::west, 1, 0, true, 10);
    sc_core::sc_start();
    EXPECT_THAT(credits[index_of(Port::west)].credits, ElementsAre(std::tuple(13u, 1, 64u)));
    EXPECT_THAT(credits[index_of(Port::east)].credits, IsEmpty());
}

TEST_F(ARouterModule, HasAnInterfaceRegisterBehindItsNode) {
    put(Port::node, 0, 0, true, 10);
    sc_core::sc_start();
    ASSERT_THAT(east().flits, SizeIs(1));
    EXPECT_EQ(std::get<0>(east().flits[0]), 12u + 1 + 3);
}

TEST_F(ARouterModule, SendsAFlitWhenItsCreditCanBeUsed) {
    for (std::uint16_t i = 0; i < 2; ++i) put(Port::west, 0, i, false, 10u + i);
    put(Port::west, 0, 2, true, 14);   // two flits fit behind the router
    sc_core::sc_start();
    ASSERT_THAT(east().flits, SizeIs(2));
    const auto vc = static_cast<std::uint8_t>(std::get<1>(east().flits[0]));
    // Here in cycle 30, of use two cycles later: then the flit wins the switch.
    router.credit_in[index_of(Port::east)]->give_back(vc, 64_B, grid.clock.begin_of(30));
    sc_core::sc_start();
    ASSERT_THAT(east().flits, SizeIs(3));
    EXPECT_EQ(east().flits[2], std::tuple(30u + 2 + 1 + 3, int{vc}, 2));
}

TEST_F(ARouterModule, IsNotActivatedForCreditsWhileItHoldsNothing) {
    put(Port::west, 1, 0, true, 10);
    sc_core::sc_start();
    const std::uint64_t before = router.activations();
    EXPECT_LE(before, 3u) << "arrival and VC, switch, and at most one more";
    const auto vc = static_cast<std::uint8_t>(std::get<1>(east().flits[0]));
    router.credit_in[index_of(Port::east)]->give_back(vc, 64_B, grid.clock.begin_of(40));
    sc_core::sc_start();
    EXPECT_EQ(router.activations(), before);
}

TEST_F(ARouterModule, ShowsTheFlitsInItsBuffers) {
    put(Port::west, 0, 0, false, 10);
    put(Port::west, 0, 1, true, 11);
    sc_core::sc_start();
    const auto signals = waveform.signals({});
    const auto west = std::ranges::find(signals, std::string("west.buffer"), &Signal::name);
    ASSERT_NE(west, signals.end());
    // The second comes when the first leaves.
    EXPECT_THAT(west->changes, ElementsAre(SignalChange{{}, 0}, SignalChange{grid.clock.begin_of(10), 1},
                                           SignalChange{grid.clock.begin_of(12), 0}));
}

TEST_F(ARouterModule, ForgetsAllWhenAJobBegins) {
    for (std::uint16_t i = 0; i < 2; ++i) put(Port::west, 0, i, false, 10u + i);
    sc_core::sc_start();
    router.restart();
    grid.clock.origin = 1_ms;
    put(Port::west, 0, 0, true, 10);
    sc_core::sc_start();
    ASSERT_THAT(east().flits, SizeIs(3));
    EXPECT_EQ(std::get<0>(east().flits[2]), 15u);
}

}   // namespace
}   // namespace oscar::router_module_test

// The NIC port at a router by itself.
#include "models/machine/router/router_nic_port.hpp"

#include <gmock/gmock.h>

#include "models/machine/base/kernel_time.hpp"
#include "tests/machine/router/router_ends.hpp"

namespace oscar::router_nic_port_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

VcRouterParams shallow() {
    VcRouterParams params;
    params.vcs = 2;
    params.vc_flits = 1;
    params.reuse = VcReuse::when_sent;
    return params;
}

/// Packets of transfer t have t flits; all may leave from `from` on.
struct ARouterNicPort : ::testing::Test, RouterPacketOwner {
    test::GridOfRouters grid{shallow()};
    RouterNicPort nic{"nic", grid.of_modules, *this};
    test::FlitEnd out{grid.clock};
    test::CreditEnd credits{grid.clock};
    Time from;
    std::vector<Cycles> begins;
    std::vector<std::pair<int, Time>> takes;   ///< sequence, time

    ARouterNicPort() {
        nic.out.bind(out);
        nic.credit_out.bind(credits);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Time eligible(RouterPacket) const override { return from; }
    RouterPacketStart begun(RouterPacket packet, Cycles created) override {
        begins.push_back(created);
        return {{created, 0, 5, 0, 0, packet.transfer == 1}, packet.transfer};
    }
    void taken(const RouterFlit& flit, Time at) override { takes.emplace_back(flit.sequence, at); }
    void credit(std::uint8_t vc, Cycles at) { nic.credit_in->give_back(vc, 64_B, grid.clock.begin_of(at)); }
};

TEST_F(ARouterNicPort, BeginsAPacketInTheFirstCycleInWhichItMayLeave) {
    from = grid.clock.begin_of(7) + 1_ps;
    nic.send(0, {1, 1});
    sc_core::sc_start();
    EXPECT_THAT(begins, ElementsAre(8u));
    EXPECT_THAT(out.flits, ElementsAre(std::tuple(8u, 0, 0)));
    EXPECT_TRUE(out.whole_cycles);
}

TEST_F(ARouterNicPort, SendsAFlitInEachCycleInWhichItHasCredit) {
    from = grid.clock.begin_of(2);
    nic.send(0, {3, 1});
    sc_core::sc_start();
    EXPECT_THAT(out.flits, ElementsAre(std::tuple(2u, 0, 0)));
    credit(0, 9);
    credit(0, 11);
    sc_core::sc_start();
    EXPECT_THAT(out.flits, ElementsAre(std::tuple(2u, 0, 0), std::tuple(9u, 0, 1), std::tuple(11u, 0, 2)));
}

TEST_F(ARouterNicPort, SendsPacketBehindPacketIntoItsVcsInTurn) {
    nic.send(0, {1, 2});
    sc_core::sc_start();
    EXPECT_THAT(out.flits, ElementsAre(std::tuple(0u, 0, 0), std::tuple(1u, 1, 0)));
    EXPECT_THAT(begins, ElementsAre(0u, 1u));
}

TEST_F(ARouterNicPort, TakesFlitsAtOnceAndReturnsTheirCredits) {
    nic.in->put(1, {.sequence = 3}, grid.clock.begin_of(4), grid.clock.begin_of(5));
    nic.in->put(0, {.sequence = 4}, grid.clock.begin_of(5), grid.clock.begin_of(6));
    sc_core::sc_start();
    EXPECT_THAT(takes, ElementsAre(std::pair(3, grid.clock.begin_of(5)), std::pair(4, grid.clock.begin_of(6))));
    EXPECT_THAT(credits.credits, ElementsAre(std::tuple(7u, 1, 64u), std::tuple(8u, 0, 64u)));
}

TEST_F(ARouterNicPort, IsNotActivatedForCreditsWhileItHoldsNoPacket) {
    credit(0, 5);
    sc_core::sc_start();
    EXPECT_EQ(nic.activations(), 0u);
    EXPECT_THAT(out.flits, IsEmpty());
}

}   // namespace
}   // namespace oscar::router_nic_port_test

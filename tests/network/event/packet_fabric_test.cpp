// What a PacketFabric asks of its link policy and of its transport. 8 Gbit/s is 1 byte per ns.
#include "models/network/event/packet_fabric.hpp"

#include "tests/network/event/composed.hpp"

namespace oscar::packet_fabric_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr LinkParams cable{8_Gbps, 500_ns, 2000_B};

/// Two links in a row behind one another: from 0 over the switch 1 to 2.
FabricParams two_links() {
    FabricParams params;
    params.links = {{0, 1, cable, 30_ns}, {1, 2, cable, 10_ns}};
    return params;
}

struct Composed : ::testing::Test {
    Composed() {
        client.fabric = &fabric;
        auto own_policy = std::make_unique<test::NotingPolicy>(fabric);
        policy = own_policy.get();
        own = std::move(own_policy);
    }
    /// Moves the policy, and the transport if there is to be one, into the fabric.
    void compose(bool with_transport) {
        std::unique_ptr<test::NotingTransport> own_transport;
        if (with_transport) own_transport = std::make_unique<test::NotingTransport>(fabric);
        transport = own_transport.get();
        fabric.compose(std::move(own), std::move(own_transport));
        flow = fabric.add_flow(path, 0);
    }
    const std::vector<Hop> path{{0, 0}, {1, 0}};
    test::NotingClient client;
    PacketFabric fabric{two_links(), client};
    std::unique_ptr<LinkPolicy> own;
    test::NotingPolicy* policy = nullptr;
    test::NotingTransport* transport = nullptr;
    FlowId flow;
};

/// Takes each packet some time after it has come.
struct LateClient final : FabricClient {
    Fabric* fabric = nullptr;
    Time late;
    std::vector<Time> begins;
    void departed(std::uint64_t, std::uint32_t, Time begin, Time) override { begins.push_back(begin); }
    void arrived(std::uint64_t, std::uint32_t sequence) override {
        fabric->call_at(fabric->now() + late, 0, sequence, sequence, 0);
    }
    void called(std::uint32_t, std::uint32_t) override { fabric->return_credit({0, 0}, 1000_B, fabric->now()); }
};

/// A packet is 1000 ns on the link, and comes 510 ns later; the buffer holds two. The third leaves when the first has
/// been taken and the credit has come back in 500 ns: at 2010 ns, or as much later as it is taken late.
TEST(AHeldLink, ReturnsCreditsWhenTheClientSaysSo) {
    for (const Time late : {0_ns, 1_ps, 400_ns}) {
        LateClient client;
        FabricParams params;
        params.links = {{0, 1, cable, 10_ns, true}};
        PacketFabric fabric(params, client);
        client.fabric = &fabric;
        client.late = late;
        const FlowId flow = fabric.add_flow(std::vector<Hop>{{0, 0}}, 0);
        test::send(fabric, flow, 3, 1000_B);
        test::run_all(fabric);
        EXPECT_THAT(client.begins, ElementsAre(0_ns, 1000_ns, 1000_ns + 510_ns + late + 500_ns)) << late.ps;
    }
}

TEST_F(Composed, StartsNoPacketBeforeItsPolicyHasRoom) {
    compose(false);
    policy->opens = 700_ns;
    test::send(fabric, flow, 1, 1000_B);
    test::run_all(fabric);
    EXPECT_EQ((client.departures[{0, 0}].begin), 700_ns);
    EXPECT_EQ(policy->counted.sent, 2u) << "on each link once";
    EXPECT_EQ(fabric.transport_use()->sent, 2u);
}

TEST_F(Composed, CrossesALinkAsItsPolicySays) {
    compose(false);
    policy->extra = 50_ns;
    test::send(fabric, flow, 1, 1000_B);
    test::run_all(fabric);
    EXPECT_EQ((client.departures[{0, 0}].end), 1050_ns);
    // On the second link from its first flit on, 64 + 500 + 30 ns; then 1000 + 50 ns, and 500 + 10 ns to its receiver.
    EXPECT_EQ((client.arrivals[{0, 0}]), 594_ns + 1000_ns + 50_ns + 510_ns);
}

TEST_F(Composed, LandsAndReleasesByItsPolicyOnEachLink) {
    compose(false);
    test::send(fabric, flow, 1, 1000_B, 9);
    test::run_all(fabric);
    EXPECT_THAT(policy->landed, ElementsAre(9, 9));
    // The switch's buffer when the packet has left it, 594 + 1000 ns; the receiver's when it is taken, 510 ns later.
    EXPECT_THAT(policy->released, ElementsAre(Pair(EdgeId{0}, 1594_ns), Pair(EdgeId{1}, 2104_ns)));
}

TEST_F(Composed, GivesItsPolicyTheEventsThatItPosts) {
    compose(true);
    fabric.post(Fabric::Kind::landing, 5_ns, 0, 3);
    fabric.post(Fabric::Kind::pausing, 6_ns, 0, 4);
    fabric.post(Fabric::Kind::timer, 7_ns, 0, 5);
    test::run_all(fabric);
    EXPECT_THAT(policy->events, ElementsAre(Pair(Fabric::Kind::landing, 3), Pair(Fabric::Kind::pausing, 4)));
    EXPECT_THAT(transport->rings, ElementsAre(Pair(7_ns, 5)));
}

TEST_F(Composed, SendsByItsTransportWhichAloneHearsOfThePackets) {
    compose(true);
    test::send(fabric, flow, 3, 600_B);
    test::run_all(fabric);
    EXPECT_EQ(transport->sent, 3u);
    for (std::uint64_t tag = 0; tag < 3; ++tag) {
        const auto i = static_cast<std::int64_t>(tag);
        EXPECT_EQ(transport->departures.at(tag).begin, i * 600_ns);
        EXPECT_EQ(transport->arrivals.at(tag), i * 600_ns + 594_ns + 600_ns + 510_ns);
    }
    EXPECT_TRUE(client.departures.empty() && client.arrivals.empty());
    EXPECT_EQ(fabric.losses(), "losses");
}

TEST_F(Composed, OrdersPacketsOfAnInstantByItsTransport) {
    compose(true);
    transport->last_first = true;
    const FlowId other = fabric.add_flow(path, 1);
    test::send(fabric, flow, 1, 500_B);
    test::send(fabric, other, 1, 500_B);
    test::run_all(fabric);
    EXPECT_EQ(transport->departures[1].begin, 0_ns);
    EXPECT_EQ(transport->departures[0].begin, 500_ns);
}

TEST_F(Composed, CountsAFlowSeparatelyByItsTransport) {
    compose(true);
    fabric.count_separately(flow);
    test::send(fabric, flow, 1, 500_B);
    test::run_all(fabric);
    EXPECT_THAT(transport->separate, ElementsAre(flow));
    EXPECT_EQ(fabric.account().use(EdgeId{0}).packets, 0u);
    EXPECT_EQ(fabric.account().background_use(EdgeId{0}).packets, 1u);
}

TEST_F(Composed, RestartsBothParts) {
    compose(true);
    fabric.restart(7);
    EXPECT_THAT(policy->draws, ElementsAre(7));
    EXPECT_EQ(transport->restarts, 1);
}

TEST_F(Composed, LetsBothPartsDescribeAPacketThatWaitsForEver) {
    compose(true);
    test::send(fabric, flow, 1, 2001_B);   // more than a buffer holds
    test::run_all(fabric);
    const auto report = fabric.deadlock_report();
    ASSERT_TRUE(report && report->chain.size() == 1);
    EXPECT_TRUE(report->chain[0].paused) << "by the policy";
    EXPECT_TRUE(report->chain[0].answer) << "by the transport";
    EXPECT_EQ(report->chain[0].free, 2000_B);
}

TEST_F(Composed, WaitsForNoCreditOnceCreditsAreLifted) {
    compose(false);
    fabric.lift_credits();
    test::send(fabric, flow, 20, 1500_B);
    test::run_all(fabric);
    for (std::int64_t i = 0; i < 20; ++i)
        EXPECT_EQ((client.departures[{0, static_cast<std::uint32_t>(i)}].begin), i * 1500_ns);
}

TEST(PacketFabricAlone, WaitsForCreditsAndTellsTheClientItself) {
    test::NotingClient client;
    PacketFabric fabric(two_links(), client);
    client.fabric = &fabric;
    const Hop hops[] = {{0, 0}, {1, 0}};
    test::send(fabric, fabric.add_flow(hops, 0), 2, 1500_B);
    test::run_all(fabric);
    EXPECT_EQ((client.departures[{0, 1}].begin), 594_ns + 1500_ns + 500_ns) << "when the credit of the first is back";
    EXPECT_EQ(client.arrivals.size(), 2u);
    EXPECT_FALSE(fabric.policy());
    EXPECT_FALSE(fabric.transport_use());
    EXPECT_EQ(fabric.losses(), "");
}

}   // namespace
}   // namespace oscar::packet_fabric_test

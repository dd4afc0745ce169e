// 8 Gbit/s is 1 byte per ns, so that expected times can be read off.
#include "tests/network/transport/traffic.hpp"

namespace oscar::flow_control_test {
namespace {

using test::cables;
using test::TransportTraffic;
using ::testing::HasSubstr;

constexpr FabricMessage one(Bytes wire) { return {0, 1, wire, wire}; }

TEST(Credits, LimitTheRateToABufferPerRoundTrip) {
    // Two packets of 1000 B fit; the credit of each is back 1 us + 2 * 10 us after it began.
    TransportTraffic traffic(cables({{0, 1}}, {8_Gbps, 10_us, 2000_B}), {});
    traffic.plan(traffic.flow({0}), {0, 20, 1000_B, 1000_B}, 0_ps);
    traffic.run();
    for (std::uint32_t i = 0; i < 20; ++i) {
        const Time begin = (i / 2) * 21_us + (i % 2) * 1_us;
        EXPECT_EQ((traffic.departures[{0, i}]), begin);
        EXPECT_EQ((traffic.arrivals[{0, i}]), begin + 11_us);
    }
}

/// A sender before a switch whose output is too slow to free anything within the test. What comes fills the buffer to
/// Xoff, exceeds it by 64 B, and goes on at full rate until the pause stops it 64 + 500 + 500 + 36 ns later.
struct PausedSender {
    PausedSender(Bytes above_xoff, Time response = 36_ns) : traffic(network(2000_B + above_xoff), pfc(response)) {
        const FlowId flow = traffic.flow({0, 2});
        for (const Bytes wire : {1000_B, 1000_B, 64_B, 1035_B, 2000_B, 2000_B}) traffic.plan(flow, one(wire), 0_ps);
        traffic.run(100_us);
    }
    static FabricParams network(Bytes buffer) {
        FabricParams params = cables({{0, 1}, {1, 2}}, {8_Gbps, 500_ns, buffer});
        params.links[EdgeId{2}].link.bandwidth = 1_Mbps;
        return params;
    }
    static NetworkParams pfc(Time response) {
        NetworkParams params;
        params.flow_control = PfcParams{2000_B, 0_B, response};
        params.packet = 2000_B;
        params.header = 0_B;
        return params;
    }
    Time departure(std::uint64_t message) const { return traffic.departures.at({message, 0}); }
    TransportTraffic traffic;
};

TEST(Pause, WithTheHeadroomLosesNothingAndWithOneByteLessDoes) {
    // 64 + 1035 B have left before the last packet begins, 1099 ns after the one that exceeded Xoff began.
    const Bytes room = headroom({8_Gbps, 500_ns, 0_B}, {2000_B, 0_B, 36_ns}, 64_B, 2000_B);
    EXPECT_EQ(room, 64_B + 1035_B + 2000_B);
    EXPECT_EQ(PausedSender(room).traffic.fabric.transport_use()->dropped, 0u);
    EXPECT_EQ(PausedSender(room - 1_B).traffic.fabric.transport_use()->dropped, 1u);
}

TEST(Pause, StopsTheSenderAtItsTimeAndNoSooner) {
    const PausedSender late(3099_B, 35_ns + 1_ps), in_time(3099_B, 35_ns);
    EXPECT_EQ(late.departure(4), late.departure(2) + 1099_ns);
    EXPECT_FALSE(in_time.traffic.departures.contains({4, 0}));
    EXPECT_EQ(late.traffic.fabric.transport_use()->paused, 1u);
}

TEST(Pause, EndsWhenTheBufferHasFallenToXon) {
    // Xoff 1000 B: the second packet exceeds it. The output takes 1 us a packet; Xon is reached when the first has
    // left.
    FabricParams network = cables({{0, 1}, {1, 2}}, {80_Gbps, 500_ns, 100'000_B});
    network.links[EdgeId{2}].link = {8_Gbps, 0_ps, 100'000_B};
    NetworkParams params = PausedSender::pfc(0_ps);
    params.flow_control = PfcParams{1000_B, 1000_B, 0_ps};
    TransportTraffic traffic(network, params);
    const FlowId flow = traffic.flow({0, 2});
    traffic.plan(flow, {0, 2, 1000_B, 1000_B}, 0_ps);
    traffic.plan(flow, one(1000_B), 1_us + 500_ns);
    traffic.run();
    // First flit of the first packet: 6.4 ns + 500 ns; it leaves 1 us later; the sender knows 500 ns after that.
    const Time resumed = 6'400_ps + 500_ns + 1_us + 500_ns;
    EXPECT_EQ((traffic.departures[{1, 0}]), resumed);
    EXPECT_EQ(traffic.fabric.transport_use()->paused, 1u);
    EXPECT_TRUE(traffic.all_arrived());
}

TEST(PlainEthernet, DropsWhatFindsNoRoom) {
    NetworkParams params = PausedSender::pfc(0_ps);
    params.flow_control = LossyParams{};
    TransportTraffic traffic(PausedSender::network(2500_B), params);
    const FlowId flow = traffic.flow({0, 2});
    for (int i = 0; i < 4; ++i) traffic.plan(flow, one(1000_B), 0_ps);
    traffic.run(100_us);
    EXPECT_EQ(traffic.fabric.transport_use()->dropped, 2u);   // 1000 + 1000 of 2500 B are taken
    EXPECT_THAT(traffic.fabric.losses(), HasSubstr("flow rank0->rank2: 2 packets, 0 of 4 delivered"));
}

TEST(PlainEthernet, WithoutRepairDeliversNothingBehindALoss) {
    NetworkParams params;
    params.loss.rate = 0.3;
    TransportTraffic traffic(cables({{0, 1}}, {}), params);
    traffic.plan(traffic.flow({0}), {0, 100, 1000_B, 1000_B}, 0_ps);
    traffic.run();
    EXPECT_FALSE(traffic.all_arrived());
    EXPECT_EQ(traffic.departures.size(), 100u);
    EXPECT_GT(traffic.fabric.transport_use()->damaged, 10u);
    EXPECT_FALSE(traffic.fabric.deadlock_report());   // nothing waits: it is gone
}

/// Four switches 0 .. 3 in a ring, a rank at each; each rank sends three switches further.
std::optional<DeadlockReport> ring_of_switches(const FlowControl& flow_control) {
    FabricParams network =
        cables({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {5, 1}, {6, 2}, {7, 3}}, {8_Gbps, 500_ns, 20'000_B});
    NetworkParams params = PausedSender::pfc(0_ps);
    params.flow_control = flow_control;
    TransportTraffic traffic(network, params);
    const FlowId flows[] = {traffic.flow({8, 0, 2, 4, 15}), traffic.flow({10, 2, 4, 6, 9}),
                            traffic.flow({12, 4, 6, 0, 11}), traffic.flow({14, 6, 0, 2, 13})};
    for (const FlowId flow : flows) traffic.plan(flow, {0, 200, 1000_B, 1000_B}, 0_ps);
    traffic.run();
    return traffic.fabric.deadlock_report();
}

TEST(PauseCycle, IsNamedAsACycleOfWaits) {
    const auto deadlock_report = ring_of_switches(PfcParams{2000_B, 500_B, 0_ps});
    ASSERT_TRUE(deadlock_report);
    EXPECT_TRUE(deadlock_report->closes_at);
    std::vector<std::uint32_t> edges;
    for (std::size_t i = *deadlock_report->closes_at; i < deadlock_report->chain.size(); ++i)
        edges.push_back(deadlock_report->chain[i].hop.edge.value);
    EXPECT_THAT(edges, ::testing::UnorderedElementsAre(0u, 2u, 4u, 6u));
    for (const CreditWait& wait : deadlock_report->chain) {
        EXPECT_TRUE(wait.paused);
        EXPECT_FALSE(wait.answer);
        EXPECT_LT(wait.tag, 4u);   // the message's number at the client
        EXPECT_LE(wait.free, 20'000_B - 2000_B);
    }
}

TEST(PauseCycle, IsNoneWherePacketsAreDroppedInstead) { EXPECT_FALSE(ring_of_switches(LossyParams{})); }

}   // namespace
}   // namespace oscar::flow_control_test

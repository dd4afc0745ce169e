// A message alone on links of several rates, by hand. 8 Gbit/s are 1 ns a byte.
#include "models/network/event/idle.hpp"

#include <gmock/gmock.h>

namespace oscar::idle_test {
namespace {

struct IdleTimes : ::testing::Test {
    NetworkParams network;
    Topology line{2, 1};
    std::vector<Hop> route{{0}, {1}};

    void cable(Bandwidth first, Bandwidth second) {
        network.switches.latency = 30_ns;
        network.flit = 64_B;
        line.edges = {{0, 2, {first, 100_ns, 1_MiB}}, {2, 1, {second, 200_ns, 1_MiB}}};
    }
    IdleCrossing cross(const std::vector<Time>& ready, const std::vector<Bytes>& wires) const {
        return cross_idle(route, line, network, ready, wires);
    }
};

TEST_F(IdleTimes, OfEqualLinksArePropagationAndAFirstFlitPerSwitch) {
    cable(8_Gbps, 8_Gbps);
    const auto one = cross({5_ns}, {500_B});
    EXPECT_EQ(one.arrivals.front(), 5_ns + 500_ns + 100_ns + 30_ns + 64_ns + 200_ns);
    EXPECT_EQ(one.links[1].begin, 5_ns + 64_ns + 100_ns + 30_ns);
    EXPECT_EQ(idle_latency(route, line, network, 500_B), 100_ns + 30_ns + 64_ns + 200_ns);
}

TEST_F(IdleTimes, OnASlowSecondLinkAreItsSerializationBehindTheFirstFlit) {
    cable(8_Gbps, 4_Gbps);
    const auto two = cross({0_ns, 0_ns}, {500_B, 100_B});
    const Time begin = 64_ns + 100_ns + 30_ns;
    EXPECT_EQ(two.arrivals[0], begin + 1000_ns + 200_ns);
    EXPECT_EQ(two.arrivals[1], begin + 1200_ns + 200_ns);   // it waits for the one before it
    EXPECT_EQ(two.links[0].end - two.links[0].begin, 600_ns);
    EXPECT_EQ(two.links[1].end - two.links[1].begin, 1200_ns);
}

TEST_F(IdleTimes, OnAFastSecondLinkAreTheLastFlitBehindTheTail) {
    cable(4_Gbps, 8_Gbps);
    // The tail is in at 1000 + 100, passes at 1130; the last flit, 500 - 7 * 64 = 52 B, then takes 52 ns.
    EXPECT_EQ(cross({0_ns}, {500_B}).arrivals.front(), 1130_ns + 52_ns + 200_ns);
}

TEST_F(IdleTimes, ShowAShortLastPacketThatQueuesInTheSwitch) {
    cable(8_Gbps, 8_Gbps);
    // 20 B leave at 500 ns and are in at 620, but the packet before is on the second link until 194 + 500.
    EXPECT_EQ(cross({0_ns, 0_ns}, {500_B, 20_B}).arrivals[1], 694_ns + 20_ns + 200_ns);
}

TEST_F(IdleTimes, FollowPacketsThatAreReadyLate) {
    cable(8_Gbps, 8_Gbps);
    const auto late = cross({0_ns, 900_ns}, {500_B, 500_B});
    EXPECT_EQ(late.links[0].end, 1400_ns);
    EXPECT_EQ(late.arrivals[1], 1400_ns + 394_ns);
}

}   // namespace
}   // namespace oscar::idle_test

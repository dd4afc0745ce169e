// The idle round trip is the least timeout in which a packet's answer comes.
#include "models/network/transport/round_trip.hpp"

#include "tests/network/transport/traffic.hpp"

namespace oscar::round_trip_test {
namespace {

using test::cables;
using test::TransportTraffic;

constexpr LinkParams cable{8_Gbps, 10_us, 1_MiB};
constexpr Time nic = 300_ns, in_switch = 700_ns;

NetworkParams network(Time timeout) {
    GoBackNParams repair;
    repair.timeout = timeout;
    NetworkParams params;
    params.packet = 1000_B;
    params.header = 80_B;
    params.flit = 40_B;
    params.switches.latency = in_switch;
    params.reliability = repair;
    return params;
}

/// Rank 0, switch 2, rank 1.
Topology two_links() {
    Topology topology{2, 1};
    topology.cable(node_of(Rank{0}), topology.switch_node(0), cable);
    topology.cable(topology.switch_node(0), node_of(Rank{1}), cable);
    return topology;
}

/// Cut through: a packet of 1080 B takes 1080 ns on its last link, its first flit 40 ns before; an answer of 80 B 80.
constexpr Time by_hand =
    40_ns + 10_us + in_switch + 1080_ns + 10_us + nic + 40_ns + 10_us + in_switch + 80_ns + 10_us + nic;

TEST(IdleRoundTrip, IsThatOfThePacketAndItsAnswerByHand) {
    const Topology topology = two_links();
    const std::vector<Hop> there{{0}, {2}}, back{{3}, {1}};
    EXPECT_EQ(idle_round_trip(there, back, topology, network(1_us), std::vector<Time>(2, nic), 1080_B), by_hand);
}

/// How often a packet that is alone is sent again.
std::uint64_t sent_again(Time timeout) {
    FabricParams params{{}, 40_B, 1, {}};
    for (const Topology::Edge& edge : two_links().edges)
        params.links.push_back({edge.from, edge.to, edge.link, edge.to == NodeId{2} ? in_switch : nic});
    TransportTraffic traffic(params, network(timeout));
    traffic.plan(traffic.flow({0, 2}), {0, 1, 1080_B, 1080_B}, 0_ps);
    traffic.run();
    return traffic.fabric.transport_use()->retransmitted;
}

TEST(IdleRoundTrip, IsTheTimeoutUpToWhichAPacketAloneIsSentAgain) {
    EXPECT_EQ(sent_again(by_hand + 1_ps), 0u);
    EXPECT_EQ(sent_again(by_hand - 1_ps), 1u);
}

}   // namespace
}   // namespace oscar::round_trip_test

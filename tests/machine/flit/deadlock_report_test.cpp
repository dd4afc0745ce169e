// What a network says that cannot move: by flit as by packet.
#include <gmock/gmock.h>

#include "tests/machine/flit/flit_support.hpp"

namespace oscar::deadlock_report_test {
namespace {

using test::Sending;
using test::Traffic;
using ::testing::ElementsAre;
using ::testing::SizeIs;

template <class Network>
struct AStandstill : ::testing::Test {};
using Networks = ::testing::Types<test::FlitNetwork<1>, test::FlitNetwork<64>, PacketFabric, MessageFabric>;
TYPED_TEST_SUITE(AStandstill, Networks);

/// Three switches in a circle, nodes 3 to 5, and behind switch s, which is node 3 + s, rank s: the link 3 + s into it
/// and the link 6 + s out of it. Each flow goes in at s, two links on, and out.
FabricParams circle(std::uint32_t channels) {
    FabricParams params{{}, 64_B, channels};
    const LinkParams link{8_Gbps, 100_ns, 500_B};
    for (std::uint32_t s = 0; s < 3; ++s) params.links.push_back({3 + s, 3 + (s + 1) % 3, link, 30_ns});
    for (std::uint32_t s = 0; s < 3; ++s) params.links.push_back({s, 3 + s, link, 30_ns});
    for (std::uint32_t s = 0; s < 3; ++s) params.links.push_back({3 + s, s, link, 30_ns});
    return params;
}

std::vector<std::vector<Hop>> round_trips(std::uint32_t dateline_channel) {
    std::vector<std::vector<Hop>> paths;
    for (std::uint32_t s = 0; s < 3; ++s) {
        std::vector<Hop> path{{3 + s, 0}};
        std::uint8_t channel = 0;
        for (std::uint32_t k = 0; k < 2; ++k) {
            if ((s + k) % 3 == 2) channel = static_cast<std::uint8_t>(dateline_channel);   // from here on
            path.push_back({(s + k) % 3, channel});
        }
        path.push_back({6 + (s + 2) % 3, 0});
        paths.push_back(path);
    }
    return paths;
}

std::vector<Sending> packets_of_all(std::uint32_t count, std::uint64_t bytes) {
    std::vector<Sending> script;
    for (std::uint32_t s = 0; s < 3; ++s)
        script.push_back({s, {s, count, Bytes{bytes}, Bytes{bytes}}, {}, {}, std::vector<Time>(count), {count - 1}});
    return script;
}

TYPED_TEST(AStandstill, OfACircleOfFullBuffersIsNamedUntilItCloses) {
    Traffic<TypeParam> traffic(circle(1), round_trips(0), packets_of_all(4, 400));
    traffic.run();
    const auto deadlock_report = traffic.fabric.deadlock_report();
    ASSERT_TRUE(deadlock_report);
    ASSERT_TRUE(deadlock_report->closes_at);
    std::vector<std::uint32_t> edges;
    for (std::size_t i = *deadlock_report->closes_at; i < deadlock_report->chain.size(); ++i) {
        edges.push_back(deadlock_report->chain[i].hop.edge.value);
        EXPECT_EQ(deadlock_report->chain[i].needs, 400_B);
        EXPECT_EQ(deadlock_report->chain[i].free, 100_B);
    }
    EXPECT_THAT(edges, ElementsAre(0, 1, 2));
}

TYPED_TEST(AStandstill, DoesNotComeWhereThePacketsChangeTheirChannelOnTheWay) {
    Traffic<TypeParam> traffic(circle(2), round_trips(1), packets_of_all(4, 400));
    traffic.run();
    EXPECT_FALSE(traffic.fabric.deadlock_report());
    EXPECT_THAT(traffic.arrivals, SizeIs(3));
}

TYPED_TEST(AStandstill, EndsAtAPacketLargerThanABufferThatNobodyHolds) {
    FabricParams params = circle(1);
    params.links[EdgeId{7}].link.buffer = 399_B;   // out at switch 1, where the flow of switch 2 ends
    std::vector<Sending> script{packets_of_all(2, 400)[2]};
    script[0].message.tag = 0;
    Traffic<TypeParam> traffic(params, round_trips(0), script);
    traffic.run();
    const auto deadlock_report = traffic.fabric.deadlock_report();
    ASSERT_TRUE(deadlock_report);
    EXPECT_FALSE(deadlock_report->closes_at);
    const CreditWait& last = deadlock_report->chain.back();
    EXPECT_EQ(last.hop, (Hop{7, 0}));
    EXPECT_EQ(std::tie(last.needs.count, last.free.count), std::tuple(400u, 399u));
}

TYPED_TEST(AStandstill, IsNotWhereNothingIsOnItsWay) {
    Traffic<TypeParam> traffic(circle(1), round_trips(0), {});
    EXPECT_FALSE(traffic.fabric.deadlock_report());
}

}   // namespace
}   // namespace oscar::deadlock_report_test

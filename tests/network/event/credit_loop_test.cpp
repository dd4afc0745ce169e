// How much buffer a link needs for its credits to be back in time.
#include "models/network/event/credit_loop.hpp"

#include <gmock/gmock.h>

#include "models/network/topology/kinds/topologies.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar::credit_loop_test {
namespace {

/// 8 Gbit/s is 1 byte per ns. A packet of 1000 B has 100 flits of 10 B.
NetworkParams network(Time propagation, Bytes buffer) {
    NetworkParams params;
    params.link = {8_Gbps, propagation, buffer};
    params.packet = 900_B;
    params.header = 100_B;
    params.flit = 10_B;
    params.switches.latency = 300_ns;
    return params;
}

struct Star {
    explicit Star(const NetworkParams& params, std::uint32_t ranks = 3)
        : network(params), topology(make_topology(StarParams{}, ranks, params.link)), routes(topology, {}, 1) {}
    std::vector<CreditLimit> limits(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> flows) const {
        std::vector<std::span<const Hop>> paths;
        for (const auto& [from, to] : flows) paths.push_back(routes.path(Rank{from}, Rank{to}));
        return credit_limits(topology, paths, network, std::vector<Time>(topology.ranks, 50_ns), 1000_B);
    }
    NetworkParams network;
    Topology topology;
    Routes routes;
};

TEST(CreditRoundTrip, IsTheWayThroughTheBufferAndBack) {
    const Star star(network(2_us, 64_KiB));
    const auto path = star.routes.path(Rank{0}, Rank{1});
    // A flit, the cable, the switch, all of the packet on the next cable, and the credit on the cable back.
    EXPECT_EQ(credit_round_trip(path, 0, star.topology, star.network, 50_ns, 1000_B),
              10_ns + 2_us + 300_ns + 1_us + 2_us);
    // All of the packet, the cable, the NIC, and back.
    EXPECT_EQ(credit_round_trip(path, 1, star.topology, star.network, 50_ns, 1000_B), 1_us + 2_us + 50_ns + 2_us);
}

TEST(CreditLimits, AreOfLinksWhoseBufferHoldsLessThanRateTimesRoundTrip) {
    // 5.31 us and 5.05 us: six packets of 1 us.
    EXPECT_TRUE(Star(network(2_us, 6000_B)).limits({{0, 1}}).empty());
    const Star star(network(2_us, 5999_B));   // five packets
    const auto limits = star.limits({{0, 1}});
    ASSERT_EQ(limits.size(), 2u);
    for (const CreditLimit& limit : limits) {
        EXPECT_EQ(limit.buffer, 5999_B);
        EXPECT_EQ(limit.needed, 6000_B);
        EXPECT_DOUBLE_EQ(limit.offered, 8);
    }
    EXPECT_EQ(star.topology.edge_name(limits[0].edge), "rank0->switch0");
    EXPECT_DOUBLE_EQ(limits[0].sustained, 8 * 5 / 5.31);
    EXPECT_DOUBLE_EQ(limits[1].sustained, 8 * 5 / 5.05);
}

TEST(CreditLimits, AreOfEachVirtualChannelsShare) {
    NetworkParams params = network(2_us, 23'999_B);
    params.virtual_channels = 4;
    const auto limits = Star(params).limits({{0, 1}});
    ASSERT_FALSE(limits.empty());
    EXPECT_EQ(limits.front().needed, 24'000_B);
    params.link.buffer = 24'000_B;
    EXPECT_TRUE(Star(params).limits({{0, 1}}).empty());
}

TEST(CreditLimits, AreNoneWhereASlowerLinkOfThePathDecides) {
    Star star(network(2_us, 3000_B));
    for (auto& edge : star.topology.edges)
        if (edge.from == NodeId{2} || edge.to == NodeId{2})
            edge.link.bandwidth = 2_Gbps;   // 4 us a packet; all loops are below 12 us
    EXPECT_TRUE(star.limits({{0, 2}}).empty());
    EXPECT_FALSE(star.limits({{0, 1}}).empty());
}

}   // namespace
}   // namespace oscar::credit_loop_test

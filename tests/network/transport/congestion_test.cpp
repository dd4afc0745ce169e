// Two ranks send to a third through a switch at 40 Gbit/s: DCQCN at the values of its paper.
#include "tests/network/transport/traffic.hpp"

namespace oscar::congestion_test {
namespace {

using test::cables;
using test::TransportTraffic;

constexpr std::uint32_t senders = 2;

/// Nodes 0 and 1 send, 3 is the switch, 2 receives; edge 4 is the switch's output.
struct Bottleneck {
    explicit Bottleneck(const CongestionControl& congestion, std::uint64_t seed = 1)
        : traffic(cables({{0, 3}, {1, 3}, {3, 2}}, {40_Gbps, 1_us, 64_MiB}), network(congestion, seed)) {
        constexpr std::uint32_t packets = 700'000;   // 140 ms of the bottleneck each
        for (std::uint32_t s = 0; s < senders; ++s)
            traffic.plan(traffic.flow({2 * s, 4}), {0, packets, 1000_B, 1000_B}, Time{s * 10'000'000});
    }
    static NetworkParams network(const CongestionControl& congestion, std::uint64_t seed = 1) {
        NetworkParams params;
        params.loss.seed = seed;
        params.packet = 918_B;
        params.congestion = congestion;
        return params;
    }
    std::uint64_t arrived(std::uint64_t sender, Time from, Time to) const {
        std::uint64_t count = 0;
        for (const auto& [key, at] : traffic.arrivals) count += key.first == sender && at >= from && at < to;
        return count;
    }
    TransportTraffic traffic;
};

class DcqcnOfSeed : public ::testing::TestWithParam<std::uint64_t> {};   // which packets are marked

TEST_P(DcqcnOfSeed, SharesABottleneckAlmostFairlyAndKeepsItBusyWithAQueueBelowKmax) {
    const DcqcnParams params;
    Bottleneck bottleneck(params, GetParam());
    bottleneck.traffic.run(30_ms);   // from 0 to half of the link by 40 Mbit/s each 55 us takes 27.5 ms
    Bytes longest;
    for (Time t = 30_ms; t < 130_ms; t += 10_us) {
        bottleneck.traffic.run(t);
        longest = std::max(longest, bottleneck.traffic.queued(EdgeId{4}));
    }
    EXPECT_LT(longest, params.mark_all_from);
    EXPECT_GT(longest, params.mark_from);
    const double a = static_cast<double>(bottleneck.arrived(0, 30_ms, 130_ms));
    const double b = static_cast<double>(bottleneck.arrived(1, 30_ms, 130_ms));
    const double jain = (a + b) * (a + b) / (2 * (a * a + b * b));
    EXPECT_GT(jain, 0.99);              // 55 to 45 %; single flows wander by 8 % in 20 ms
    EXPECT_GT(a + b, 0.98 * 500'000);   // packets of 0.2 us in 100 ms
    const TransportUse use = *bottleneck.traffic.fabric.transport_use();
    EXPECT_GE(use.marked, use.notified);
    EXPECT_GT(use.notified, 0u);
    EXPECT_LE(use.notified, 130 * 1000 / 50 * senders);   // one in 50 us and flow
}

INSTANTIATE_TEST_SUITE_P(Each, DcqcnOfSeed, ::testing::Range<std::uint64_t>(1, 13));

TEST(Dcqcn, WithoutItTheQueueGrowsAsFastAsTheSecondSenderSends) {
    Bottleneck bottleneck{UncontrolledParams{}};
    bottleneck.traffic.run(1_ms);
    EXPECT_EQ(bottleneck.traffic.fabric.transport_use()->marked, 0u);
    // 5000 packets pass the switch in 1 ms, half of them of each sender, the 2 us on the way apart.
    // sent.
    EXPECT_NEAR(static_cast<double>(bottleneck.arrived(0, 0_ps, 1_ms)), 2500, 50);
}

TEST(Dcqcn, LeavesALoneFlowAtTheRateOfItsLink) {
    const auto last = [](const CongestionControl& congestion) {
        TransportTraffic traffic(cables({{0, 1}}, {40_Gbps, 1_us, 1_MiB}), Bottleneck::network(congestion));
        traffic.plan(traffic.flow({0}), {0, 1000, 1000_B, 1000_B}, 0_ps);
        traffic.run();
        return traffic.last_arrival;
    };
    EXPECT_EQ(last(DcqcnParams{}), last(UncontrolledParams{}));
}

}   // namespace
}   // namespace oscar::congestion_test

// 15 ranks send 2,000,000 bytes each to one through a switch, at 100 Gbit/s: the figures of docs/flow-control.md.
#include "tests/network/transport/traffic.hpp"

namespace oscar::incast_test {
namespace {

using test::cables;
using test::TransportTraffic;

constexpr std::uint32_t senders = 15;
constexpr std::uint64_t bytes = 2'000'000;

struct Incast {
    std::int64_t microseconds = 0;
    TransportUse use;
};

/// Node 15 receives, node 16 is the switch; buffers of 256 KiB.
Incast incast(const FlowControl& flow_control, const Reliability& reliability, const CongestionControl& congestion) {
    NetworkParams network;
    network.flow_control = flow_control;
    network.reliability = reliability;
    network.congestion = congestion;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (std::uint32_t node = 0; node <= senders; ++node) ends.push_back({node, senders + 1});
    TransportTraffic traffic(cables(ends, {100_Gbps, 500_ns, 256_KiB}, 300_ns), network);
    const auto packets = static_cast<std::uint32_t>(packets_of(bytes, network.packet));
    const Bytes last{bytes - (packets - 1) * network.packet.count};
    for (std::uint32_t s = 0; s < senders; ++s)
        traffic.plan(traffic.flow({2 * s, 2 * senders + 1}),
                     {0, packets, network.packet + network.header, last + network.header}, 0_ps);
    traffic.run();
    EXPECT_TRUE(traffic.all_arrived());
    return {traffic.last_arrival.ps / 1'000'000, *traffic.fabric.transport_use()};
}

/// What the receiver's link takes: 15 * (2,000,000 B + 489 headers of 82 B) at 80 ps a byte = 2448.1 us.
constexpr std::int64_t link_time = senders * (bytes + 489 * 82) * 80 / 1'000'000;

TEST(IncastOf15, LosesNothingAndKeepsTheLinkBusyUnderCreditsAndPauses) {
    for (const FlowControl& flow_control : {FlowControl{CreditParams{}}, FlowControl{PfcParams{}}}) {
        const Incast result = incast(flow_control, UnreliableParams{}, UncontrolledParams{});
        EXPECT_EQ(result.use.dropped, 0u);
        EXPECT_EQ(result.microseconds, link_time + 1);   // and 1.7 us on the way of the first
        EXPECT_EQ(result.use.paused, flow_control.name() == "pfc" ? 195u : 0u);
    }
}

TEST(IncastOf15, DropsAndRepeatsWhatDoesNotFitWhereNobodyWaits) {
    const Incast again = incast(LossyParams{}, GoBackNParams{}, UncontrolledParams{}),
                 selective = incast(LossyParams{}, SelectiveParams{}, UncontrolledParams{});
    EXPECT_EQ(again.microseconds, 30'584);
    EXPECT_EQ(again.use.retransmitted, 1'081'455u);
    EXPECT_EQ(selective.microseconds, 2'741);
    EXPECT_EQ(selective.use.retransmitted, selective.use.dropped);   // nothing else is sent again
    EXPECT_EQ(selective.use.dropped, 8'601u);
}

TEST(IncastOf15, UnderDcqcnPausesOrDropsOnlyTheFirstBurstAndThenLeavesTheLinkIdle) {
    const Incast pauses = incast(PfcParams{}, UnreliableParams{}, DcqcnParams{}),
                 drops = incast(LossyParams{}, SelectiveParams{}, DcqcnParams{});
    EXPECT_EQ(pauses.microseconds, 5'819);
    EXPECT_EQ(pauses.use.paused, senders);   // once each; without it 195
    EXPECT_EQ(drops.microseconds, 6'755);
    EXPECT_EQ(drops.use.dropped, 1'612u);
}

}   // namespace
}   // namespace oscar::incast_test

// 8 Gbit/s is 1 byte per ns, so that expected times can be read off. Each law holds at every fidelity.
#include <gmock/gmock.h>

#include <array>

#include "tests/machine/flit/flit_support.hpp"

namespace oscar::timing_test {
namespace {

using test::Sending;
using test::Traffic;
using ::testing::ElementsAre;

constexpr LinkParams fast{8_Gbps, 100_ns, 1000_B}, slow{4_Gbps, 100_ns, 1000_B};
constexpr Time hub_latency = 30_ns, nic_latency = 50_ns;

/// Ranks 0 and 1 send to 2 through node 3: links 0 and 1 go up, link 2 down.
FabricParams star(const LinkParams& up = fast, const LinkParams& down = fast, std::uint32_t channels = 1) {
    return {{{0, 3, up, hub_latency}, {1, 3, up, hub_latency}, {3, 2, down, nic_latency}}, 64_B, channels};
}

/// One packet of a flow, that may leave from `at` on.
Sending packet(std::uint32_t flow, std::uint64_t bytes, Time at, std::uint32_t tag) {
    return {flow, {tag, 1, Bytes{bytes}, Bytes{bytes}}, at, {}, {Time{}}, {0}};
}

template <class Network>
struct FabricTiming : ::testing::Test {
    /// Begins of all packets on hop number `hop` of their path, by tag.
    static std::vector<Time> begins(const Traffic<Network>& traffic, std::size_t hop) {
        std::vector<Time> result;
        for (const auto& [where, span] : traffic.crossings)
            if (std::get<2>(where) == hop) result.push_back({span.first});
        return result;
    }
    static Time taken(const Traffic<Network>& traffic, std::uint64_t tag) { return {traffic.arrivals.at({tag, 0})}; }
};

using Fabrics = ::testing::Types<test::FlitNetwork<1>, test::FlitNetwork<64>, PacketFabric, MessageFabric>;
TYPED_TEST_SUITE(FabricTiming, Fabrics);

const std::vector<std::vector<Hop>> one_way{{{0}, {2}}};
const std::vector<std::vector<Hop>> two_ways{{{0}, {2}}, {{1}, {2}}};

TYPED_TEST(FabricTiming, APacketCutsThroughASwitchAfterItsFirstFlit) {
    Traffic<TypeParam> traffic(star(), one_way, {packet(0, 500, 10_ns, 0)});
    traffic.run();
    const Time out = 10_ns + 64_ns + 100_ns + hub_latency;
    EXPECT_THAT(this->begins(traffic, 0), ElementsAre(10_ns));
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(out));
    EXPECT_EQ(this->taken(traffic, 0), out + 500_ns + 100_ns + nic_latency);
}

TYPED_TEST(FabricTiming, APacketShorterThanAFlitIsForwardedAsAWhole) {
    Traffic<TypeParam> traffic(star(), one_way, {packet(0, 20, 0_ns, 0)});
    traffic.run();
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(20_ns + 100_ns + hub_latency));
}

TYPED_TEST(FabricTiming, ASlowerLinkTakesItsOwnTime) {
    Traffic<TypeParam> traffic(star(fast, slow), one_way, {packet(0, 500, 0_ns, 0)});
    traffic.run();
    EXPECT_EQ(this->taken(traffic, 0), 194_ns + 1000_ns + 100_ns + nic_latency);
}

TYPED_TEST(FabricTiming, AFasterLinkWaitsForTheLastFlit) {
    // In: 7 flits and 52 B at 0.5 B/ns end at 1000 ns, are ready at 1130; the last flit then takes 52 ns.
    Traffic<TypeParam> traffic(star(slow, fast), one_way, {packet(0, 500, 0_ns, 0)});
    traffic.run();
    EXPECT_EQ(this->taken(traffic, 0), 1130_ns + 52_ns + 100_ns + nic_latency);
}

TYPED_TEST(FabricTiming, AFasterLinkWaitsForTheLastFlitButOneIfTheLastIsShort) {
    // In: the 7th flit ends at 7 * 128 = 896 ns, is ready at 1026, leaves until 1090. The last, of 2 B, is ready at
    // 1030: it waits for the 7th, and leaves until 1092.
    Traffic<TypeParam> traffic(star(slow, fast), one_way, {packet(0, 450, 0_ns, 0)});
    traffic.run();
    EXPECT_EQ(this->taken(traffic, 0), 1092_ns + 100_ns + nic_latency);
}

TYPED_TEST(FabricTiming, ThePacketBehindLeavesJustWhenTheLinkIsFree) {
    Traffic<TypeParam> traffic(
        star(), one_way, {packet(0, 100, 0_ns, 0), packet(0, 100, 100_ns - 1_ps, 1), packet(0, 100, 200_ns + 1_ps, 2)});
    traffic.run();
    EXPECT_THAT(this->begins(traffic, 0), ElementsAre(0_ns, 100_ns, 200_ns + 1_ps));
}

TYPED_TEST(FabricTiming, APacketThatJustFitsDoesNotWaitAndOneByteMoreWaitsForTheCreditToBeBack) {
    // The first leaves the switch's buffer when its last bit leaves it, at 194 + 600 ns; the credit takes 100 ns.
    for (const auto& [bytes, begin] : {std::pair{400u, 600_ns}, {401u, 894_ns}}) {
        Traffic<TypeParam> traffic(star(), one_way, {packet(0, 600, 0_ns, 0), packet(0, bytes, 0_ns, 1)});
        traffic.run();
        EXPECT_THAT(this->begins(traffic, 0), ElementsAre(0_ns, begin)) << bytes;
    }
}

TYPED_TEST(FabricTiming, TheLastBufferIsFreeWhenTheNicHasTakenThePacket) {
    // 194 + 600 + 100 + 50 ns: taken; the switch knows 100 ns later.
    Traffic<TypeParam> traffic(star({8_Gbps, 100_ns, 4000_B}), one_way,
                               {packet(0, 600, 0_ns, 0), packet(0, 401, 0_ns, 1)});
    traffic.run();
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(194_ns, 1044_ns));
}

TYPED_TEST(FabricTiming, TwoInputsTakeTurnsPacketByPacket) {
    Traffic<TypeParam> traffic(
        star({8_Gbps, 100_ns, 4000_B}), two_ways,
        {packet(0, 100, 0_ns, 0), packet(0, 100, 0_ns, 1), packet(1, 100, 0_ns, 2), packet(1, 100, 0_ns, 3)});
    traffic.run();
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(194_ns, 394_ns, 294_ns, 494_ns));
}

TYPED_TEST(FabricTiming, QueuesOfASenderTakeTurnsInTheOrderInWhichTheyWereFilledWhateverTheirNumbers) {
    // Flows 0, 1 and 2 are queues 0, 1 and 2 of link 0. While flow 1's first packet is on the link flow 2 posts, then
    // flow 0; flow 1's second one goes behind both.
    const std::vector<std::vector<Hop>> paths(3, {{0}, {2}});
    Traffic<TypeParam> traffic(
        star({8_Gbps, 100_ns, 4000_B}), paths,
        {packet(1, 100, 0_ns, 0), packet(1, 100, 0_ns, 1), packet(2, 100, 10_ns, 2), packet(0, 100, 20_ns, 3)});
    traffic.run();
    EXPECT_THAT(this->begins(traffic, 0), ElementsAre(0_ns, 300_ns, 100_ns, 200_ns));
}

TYPED_TEST(FabricTiming, OfWhatIsPostedAtOneInstantTheSmallerTagIsFirstWhateverItsQueueOrInput) {
    const std::vector<std::vector<Hop>> paths{{{0}, {2}}, {{0}, {2}}, {{1}, {2}}};
    Traffic<TypeParam> traffic(star({8_Gbps, 100_ns, 4000_B}), paths,
                               {packet(2, 100, 0_ns, 0), packet(1, 100, 0_ns, 1), packet(0, 100, 0_ns, 2)});
    traffic.run();
    EXPECT_THAT(this->begins(traffic, 0), ElementsAre(0_ns, 0_ns, 100_ns));
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(194_ns, 294_ns, 394_ns));
}

TYPED_TEST(FabricTiming, AQueueThatHasBeenServedGoesBehindWhatComesUntilItsPacketHasLeft) {
    // Up, 100 B take 50 ns and a flit 32: flow 0's packets are ready for link 2, where 100 B take 100 ns, at 162 and
    // 212 ns. Flow 1's, of a larger tag, is ready 162 ns after it is sent: as the first has left, or a picosecond
    // later.
    for (const auto& [at, second, third] : {std::tuple{100_ns, 362_ns, 262_ns}, {100_ns + 1_ps, 262_ns, 362_ns}}) {
        Traffic<TypeParam> traffic(star({16_Gbps, 100_ns, 4000_B}), two_ways,
                                   {packet(0, 100, 0_ns, 0), packet(0, 100, 0_ns, 1), packet(1, 100, at, 2)});
        traffic.run();
        EXPECT_THAT(this->begins(traffic, 1), ElementsAre(162_ns, second, third)) << at.ps;
    }
}

TYPED_TEST(FabricTiming, AHeadThatIsEligibleWhenTheLinkFallsFreeTakesPartAndOneOfAPicosecondLaterDoesNot) {
    // Link 2 falls free at 194 + 100; the packet of flow 1 is ready 194 ns after it is sent.
    for (const auto& [at, begin] : {std::pair{100_ns, 294_ns}, {100_ns + 1_ps, 394_ns}}) {
        Traffic<TypeParam> traffic(star({8_Gbps, 100_ns, 4000_B}), two_ways,
                                   {packet(0, 100, 0_ns, 0), packet(0, 100, 0_ns, 1), packet(1, 100, at, 2)});
        traffic.run();
        EXPECT_EQ(this->begins(traffic, 1)[2], begin) << at.ps;
    }
}

TYPED_TEST(FabricTiming, AWinnerWithoutCreditHoldsTheLinkIfItHasOneChannel) {
    // Flow 1's 900 B have their turn at 294 and no credit until flow 0's first is taken; flow 0's second would fit.
    Traffic<TypeParam> traffic(star({8_Gbps, 100_ns, 4000_B}), two_ways,
                               {packet(0, 200, 0_ns, 0), packet(0, 10, 0_ns, 1), packet(1, 900, 0_ns, 2)});
    traffic.run();
    const Time back = 194_ns + 200_ns + 100_ns + nic_latency + 100_ns;
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(194_ns, back + 900_ns, back));
}

TYPED_TEST(FabricTiming, AWinnerWithoutCreditHoldsItsOwnChannelOnly) {
    const std::vector<std::vector<Hop>> paths{{{0, 0}, {2, 0}}, {{1, 0}, {2, 0}}, {{0, 1}, {2, 1}}};
    Traffic<TypeParam> traffic(star({8_Gbps, 100_ns, 4000_B}, fast, 2), paths,
                               {packet(0, 200, 0_ns, 0), packet(1, 900, 0_ns, 1), packet(2, 100, 0_ns, 2)});
    traffic.run();
    const Time back = 194_ns + 200_ns + 100_ns + nic_latency + 100_ns;
    EXPECT_THAT(this->begins(traffic, 1), ElementsAre(194_ns, back, 200_ns + 194_ns));
}

/// Notes the tags of packets in the order in which they depart.
struct Departures : FabricClient {
    std::vector<std::uint64_t> tags;
    void departed(std::uint64_t tag, std::uint32_t, Time, Time) override { tags.push_back(tag); }
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override {}
};

TYPED_TEST(FabricTiming, TheChannelBehindThatOfTheLastPacketHasItsTurnThoughThatPacketWasOfAFlowAloneOnItsLink) {
    Departures client;
    test::Stand<TypeParam> stand({{{0, 1, fast, nic_latency}}, 64_B, 3}, {{{0}}}, client);
    Fabric& fabric = stand.fabric();
    std::vector<FlowId> flows;   // one of each channel
    for (std::uint8_t c = 0; c < 3; ++c) flows.push_back(fabric.add_flow(std::array{Hop{0, c}}, c));
    const auto send = [&](FlowId flow, std::uint64_t tag, Time at) {
        stand.within([&] { fabric.send(flow, {tag, 1, 100_B, 100_B}, std::array{TimeRun{at}}, std::array{0u}); });
    };
    fabric.declare(std::array{flows[1]}, 100_B);
    send(flows[1], 9, 0_ns);
    stand.run();
    fabric.declare(flows, 100_B);
    for (std::uint64_t c = 0; c < 3; ++c) send(flows[c], c, 10_us);
    stand.run();
    EXPECT_THAT(client.tags, ElementsAre(9, 2, 0, 1));
}

}   // namespace
}   // namespace oscar::timing_test

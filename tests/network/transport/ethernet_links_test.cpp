// Each behaviour of Ethernet's links on one packet or two. 8 Gbit/s is 1 byte per ns.
#include "models/network/transport/ethernet_links.hpp"

#include <gmock/gmock.h>

#include "tests/network/event/composed.hpp"

namespace oscar::ethernet_links_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// A fabric with Ethernet's links, below a transport that notes what becomes of packets.
struct Links {
    Links(const FabricParams& params, const NetworkParams& network) : fabric(params, client) {
        auto own_links = std::make_unique<EthernetLinks>(fabric, params, network);
        auto own_transport = std::make_unique<test::NotingTransport>(fabric);
        links = own_links.get();
        transport = own_transport.get();
        fabric.compose(std::move(own_links), std::move(own_transport));
    }
    /// Sends `packets` of 1000 B now and runs until nothing is left to do.
    void send(std::initializer_list<Hop> path, std::uint32_t packets = 1) {
        test::send(fabric, fabric.add_flow(path, queues++), packets, 1000_B);
        test::run_all(fabric);
    }
    const TransportUse& use() const { return links->account().job; }
    test::NotingClient client;
    PacketFabric fabric;
    EthernetLinks* links = nullptr;
    test::NotingTransport* transport = nullptr;
    std::uint32_t queues = 0;
};

/// From 0 to 1, where the buffer holds `buffer`, to 2. The second link is slower by `slower`.
FabricParams two_links(Bytes buffer = 1_MiB, std::uint64_t slower = 1) {
    FabricParams params;
    params.links = {{0, 1, {8_Gbps, 500_ns, buffer}, 30_ns}, {1, 2, {8_Gbps, 500_ns, 1_MiB}, 10_ns}};
    params.links[EdgeId{1}].link.bandwidth.mbps /= slower;
    return params;
}

NetworkParams network() {
    NetworkParams params;
    params.packet = 918_B;   // and a header of 82 B
    return params;
}

/// The seed of a loss of one half by which the first transmissions of link 0 fare as in `damaged`.
std::uint64_t seed_with(std::initializer_list<bool> damaged) {
    for (std::uint64_t seed = 0;; ++seed) {
        LinkDamage damage({0.5, 0, seed}, 1);
        if (std::ranges::all_of(damaged, [&](bool wanted) { return damage.strikes(EdgeId{0}, 1000_B) == wanted; }))
            return seed;
    }
}

constexpr Time lands = 564_ns;   // the first flit of what begins at 0: 64 + 500 ns

TEST(EthernetLinks, ChangeNoTimeOfAPacketThatNothingBefalls) {
    for_each_kind(flow_controls, []<class P>(const Kind<P>& kind) {
        NetworkParams params = network();
        params.flow_control = P{};
        Links ethernet(two_links(), params);
        ethernet.send({{0, 0}, {1, 0}});
        EXPECT_EQ(ethernet.transport->arrivals.at(0), lands + 30_ns + 1000_ns + 510_ns) << kind.name;
        EXPECT_EQ(ethernet.use().sent, 2u);
        EXPECT_EQ(ethernet.use().delivered, 2u);
    });
}

TEST(EthernetLinks, LoseADamagedPacketWhenItsFirstFlitHasCome) {
    NetworkParams params = network();
    params.loss = {0.5, 0, seed_with({true, false})};
    Links ethernet(two_links(), params);
    ethernet.send({{0, 0}}, 2);
    EXPECT_THAT(ethernet.transport->lost_at, ElementsAre(Pair(0, lands)));
    EXPECT_THAT(ethernet.transport->arrivals, ElementsAre(Pair(1, 2000_ns + 530_ns)));
    EXPECT_EQ(ethernet.use().damaged, 1u);
    EXPECT_FALSE(ethernet.fabric.deadlock_report()) << "the lost packet's message is closed";
}

TEST(EthernetLinks, GiveTheCreditOfADamagedPacketBackWhenItHasComeWhole) {
    NetworkParams params = network();
    params.loss = {0.5, 0, seed_with({true, false})};
    Links ethernet(two_links(1000_B), params);
    ethernet.send({{0, 0}}, 2);
    EXPECT_EQ(ethernet.transport->departures.at(1).begin, 1000_ns + 2 * 500_ns);
}

TEST(EthernetLinks, SendADamagedPacketAgainByLinkRetry) {
    NetworkParams params = network();
    LinkRetryParams retry;
    retry.latency = 100_ns;
    params.reliability = retry;
    params.loss = {0.5, 0, seed_with({true, true, false})};
    Links ethernet(two_links(), params);
    ethernet.send({{0, 0}});
    // Each time 1000 ns on the link, 2 * 500 + 100 ns until it begins again; 530 ns to the receiver.
    EXPECT_EQ(ethernet.transport->arrivals.at(0), 2 * 2100_ns + 1000_ns + 530_ns);
    EXPECT_EQ(ethernet.use().replayed, 2u);
    EXPECT_EQ(ethernet.use().sent, 3u);
    EXPECT_EQ(ethernet.fabric.account().use(EdgeId{0}).packets, 3u);
    EXPECT_EQ(ethernet.fabric.account().use(EdgeId{0}).wire_bytes, 3000u);
}

TEST(EthernetLinks, DropWhatFindsNoRoom) {
    NetworkParams params = network();
    params.flow_control = LossyParams{};
    Links ethernet(two_links(1500_B, 1000), params);   // a packet takes 1 ms to leave
    ethernet.send({{0, 0}, {1, 0}}, 2);
    EXPECT_THAT(ethernet.transport->lost_at, ElementsAre(Pair(1, 1000_ns + lands)));
    EXPECT_EQ(ethernet.use().dropped, 1u);
    EXPECT_EQ(ethernet.use().sent, ethernet.use().delivered + 1);
}

TEST(EthernetLinks, StartNothingWhileTheirSenderIsPaused) {
    NetworkParams params = network();
    params.flow_control = PfcParams{1500_B, 0_B, 36_ns};   // ends the pause at 750 B
    Links ethernet(two_links(1_MiB, 10), params);          // a packet takes 10 us to leave
    ethernet.send({{0, 0}, {1, 0}}, 4);
    // The second packet exceeds Xoff when it lands; two more have begun before the pause comes at 1000 + 564 + 536 ns.
    EXPECT_EQ(ethernet.transport->departures.at(2).begin, 2000_ns);
    // When the third has left the switch, at 594 ns and thrice 10 us, nothing is left of it.
    EXPECT_EQ(ethernet.transport->departures.at(3).begin, lands + 30_ns + 30_us + 536_ns);
    EXPECT_EQ(ethernet.use().paused, 1u);
    EXPECT_EQ(ethernet.use().dropped, 0u);
}

TEST(EthernetLinks, MarkAPacketByWhatWaitsForItsOutput) {
    NetworkParams params = network();
    params.congestion = DcqcnParams{.mark_from = 500_B, .mark_all_from = 1000_B};
    Links ethernet(two_links(1_MiB, 10), params);
    ethernet.send({{0, 0}, {1, 0}}, 3);
    // The first leaves the switch as it comes; the second waits for it, and the third finds the second.
    EXPECT_THAT(ethernet.transport->marks, ElementsAre(2));
    EXPECT_EQ(ethernet.use().marked, 1u);
    EXPECT_EQ(ethernet.links->queued(EdgeId{1}), 0_B);
}

TEST(EthernetLinks, LoseAPacketThatFailsItsReceiversChecks) {
    NetworkParams params = network();
    params.faults = FaultParams{.flip = 0.5};
    Links ethernet(two_links(), params);
    ethernet.transport->fails = 1;
    ethernet.send({{0, 0}, {1, 0}}, 3);
    EXPECT_EQ(ethernet.transport->lost_at.size(), 1u);
    EXPECT_TRUE(ethernet.transport->lost_at.contains(1));
    EXPECT_EQ(ethernet.transport->arrivals.size(), 2u);
    EXPECT_EQ(ethernet.use().damaged, 1u);
}

TEST(EthernetLinks, CountFlowsThatAreCountedSeparatelyInAnAccountOfTheirOwn) {
    Links ethernet(two_links(), network());
    const Hop hop{0, 0};
    const FlowId flow = ethernet.fabric.add_flow({&hop, 1}, 0);
    ethernet.fabric.count_separately(flow);
    test::send(ethernet.fabric, flow, 1, 1000_B);
    test::run_all(ethernet.fabric);
    EXPECT_EQ(ethernet.use(), TransportUse{});
    EXPECT_EQ(ethernet.links->account().background.delivered, 1u);
}

TEST(EthernetLinks, CountFromNothingAfterARestartAndDrawByItsNumber) {
    NetworkParams params = network();
    params.loss = {0.5, 0, 1};
    const auto lost = [&](std::uint64_t draw) {
        Links ethernet(two_links(), params);
        ethernet.send({{0, 0}}, 20);
        ethernet.fabric.restart(draw);
        EXPECT_EQ(ethernet.use(), TransportUse{});
        ethernet.transport->lost_at.clear();
        ethernet.send({{0, 0}}, 64);
        std::vector<std::uint64_t> tags;
        for (const auto& [tag, at] : ethernet.transport->lost_at) tags.push_back(tag);
        return tags;
    };
    EXPECT_EQ(lost(3), lost(3));
    EXPECT_NE(lost(3), lost(4));
}

TEST(EthernetLinks, DescribeTheRoomAndThePauseOfAWait) {
    NetworkParams params = network();
    params.flow_control = LossyParams{};
    Links ethernet(two_links(4000_B), params);
    CreditWait wait;
    wait.free = 1_B;
    ethernet.links->describe(wait);
    EXPECT_EQ(wait.free, 4000_B);
    EXPECT_FALSE(wait.paused);
    Links by_credit(two_links(), network());
    wait.free = 1_B;
    by_credit.links->describe(wait);
    EXPECT_EQ(wait.free, 1_B) << "credits know it themselves";
}

}   // namespace
}   // namespace oscar::ethernet_links_test

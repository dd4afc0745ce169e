// The transport alone, over links that lose nothing. 8 Gbit/s is 1 byte per ns.
#include "models/network/transport/end_to_end_transport.hpp"

#include <gmock/gmock.h>

#include "tests/network/event/composed.hpp"

namespace oscar::end_to_end_transport_test {
namespace {

using ::testing::ElementsAre;

/// A cable between nodes 0 and 1, and a transport over its links, which have no policy.
struct OverACable : ::testing::Test {
    static FabricParams cable() {
        FabricParams params;
        const LinkParams link{8_Gbps, 500_ns, 1_MiB};
        params.links = {{0, 1, link, {}}, {1, 0, link, {}}};
        return params;
    }
    void compose(const NetworkParams& network, PacketFilter passes = {}, std::unique_ptr<LinkPolicy> policy = {}) {
        client.fabric = &fabric;
        const auto back = [this](std::span<const Hop> path) { return reversed(links.links, path); };
        auto own = std::make_unique<EndToEndTransport>(fabric, network, account, client, back, std::move(passes));
        transport = own.get();
        fabric.compose(std::move(policy), std::move(own));
        flow = fabric.add_flow({&there, 1}, 0);
    }
    static NetworkParams with(const Reliability& reliability) {
        NetworkParams network;
        network.header = 80_B;
        network.reliability = reliability;
        return network;
    }
    const FabricParams links = cable();
    const Hop there{0, 0};
    TransportAccount account;
    test::NotingClient client;
    PacketFabric fabric{links, client};
    EndToEndTransport* transport = nullptr;
    FlowId flow;
};

TEST_F(OverACable, TellsTheClientOfEachPacketInItsOwnNames) {
    compose(with(UnreliableParams{}));
    test::send(fabric, flow, 2, 1000_B, 42);
    test::run_all(fabric);
    EXPECT_EQ((client.departures[{42, 1}].begin), 1000_ns);
    EXPECT_EQ((client.arrivals[{42, 0}]), 1500_ns);
    EXPECT_EQ((client.arrivals[{42, 1}]), 2500_ns);
    EXPECT_EQ(account.job.answered, 0u);
}

TEST_F(OverACable, AnswersEachPacketByAHeaderOnTheReversePath) {
    compose(with(GoBackNParams{}));
    test::send(fabric, flow, 3, 1000_B);
    test::run_all(fabric);
    EXPECT_EQ(account.job.answered, 3u);
    EXPECT_EQ(account.job.answer_bytes, 240u);
    EXPECT_EQ(fabric.account().use(EdgeId{1}).packets, 3u);
    EXPECT_EQ(fabric.account().use(EdgeId{1}).wire_bytes, 240u);
}

TEST_F(OverACable, CountsTheAnswersOfASeparateFlowSeparately) {
    compose(with(GoBackNParams{}));
    fabric.count_separately(flow);
    test::send(fabric, flow, 3, 1000_B);
    test::run_all(fabric);
    EXPECT_EQ(account.job, TransportUse{});
    EXPECT_EQ(account.background.answered, 3u);
    EXPECT_EQ(fabric.account().use(EdgeId{1}).packets, 0u);
    EXPECT_EQ(fabric.account().background_use(EdgeId{1}).packets, 3u);
}

TEST_F(OverACable, PutsAnswersBehindAllData) {
    compose(with(GoBackNParams{}));
    test::send(fabric, flow, 1, 1000_B, 42);
    EXPECT_EQ(transport->order_of(0), 42u) << "of the message";
    const auto arrived = [&] { return !client.arrivals.empty(); };
    while (!arrived()) fabric.step();
    EXPECT_GT(transport->order_of(0), ~std::uint64_t{0} >> 1) << "now it is the tag of the answer";
}

/// Loses the first packet.
struct FirstIsLost : test::NotingPolicy {
    using test::NotingPolicy::NotingPolicy;
    void land(const WaitingPacket& next, const Hop& hop, Time taken) override {
        if (counted.sent > 1) return test::NotingPolicy::land(next, hop, taken);
        const std::uint64_t tag = fabric.facts_of(next).tag;
        fabric.close(next.transfer);
        fabric.transport().lost(tag);
    }
};

TEST_F(OverACable, SendsAgainAfterATimeoutWhatWasLost) {
    GoBackNParams params;
    params.timeout = 100_us;
    compose(with(params), {}, std::make_unique<FirstIsLost>(fabric));
    test::send(fabric, flow, 1, 1000_B, 42);
    fabric.step();
    EXPECT_EQ(fabric.losses(), "\n  flow rank0->rank1: 1 packets, 0 of 1 delivered");
    while (fabric.next_time() < 100_us) fabric.step();
    EXPECT_EQ(account.job.timeouts, 0u);
    while (fabric.next_time() == 100_us) fabric.step();
    EXPECT_EQ(account.job.timeouts, 1u);
    EXPECT_EQ(account.job.retransmitted, 1u);
    EXPECT_EQ(account.job.retransmitted_bytes, 1000u);
    EXPECT_EQ((client.departures[{42, 0}].begin), 0_ns) << "the client hears of the first time";
    test::run_all(fabric);
    EXPECT_EQ((client.arrivals[{42, 0}]), 100_us + 1500_ns);
}

TEST_F(OverACable, AnswersAMarkByANotification) {
    NetworkParams network = with(UnreliableParams{});
    network.congestion = DcqcnParams{};
    compose(network);
    test::send(fabric, flow, 1, 1000_B);
    transport->marked(0);
    test::run_all(fabric);
    EXPECT_EQ(account.job.notified, 1u);
    EXPECT_EQ(account.job.answer_bytes, 80u);
}

TEST_F(OverACable, AsksTheFilterForDataOfTheJobOnly) {
    std::vector<std::uint32_t> asked;
    compose(with(GoBackNParams{}), [&](std::uint64_t tag, std::uint32_t sequence) {
        EXPECT_EQ(tag, 42u);
        asked.push_back(sequence);
        return sequence != 0;
    });
    test::send(fabric, flow, 2, 1000_B, 42);
    EXPECT_FALSE(transport->passes(0));
    fabric.count_separately(flow);
    EXPECT_TRUE(transport->passes(0));
    EXPECT_THAT(asked, ElementsAre(0));
}

TEST_F(OverACable, DescribesAWaitByTheClientsMessage) {
    compose(with(UnreliableParams{}));
    test::send(fabric, flow, 2, 1000_B, 42);
    CreditWait wait;
    wait.sequence = 9;
    wait.answer = true;
    transport->describe(wait);
    EXPECT_EQ(wait.tag, 42u);
    EXPECT_EQ(wait.sequence, 0u);
    EXPECT_FALSE(wait.answer);
}

TEST_F(OverACable, BeginsAnewAfterARestart) {
    compose(with(GoBackNParams{}));
    for (const std::uint64_t tag : {1u, 2u}) {
        client.departures.clear();
        test::send(fabric, flow, 3, 1000_B, tag);
        test::run_all(fabric);
        EXPECT_EQ(client.departures.size(), 3u);
        EXPECT_TRUE(client.arrivals.contains({tag, 2}));
        fabric.restart(tag);
    }
}

TEST(ReversePathOfCables, IsTheirOtherDirectionsLastFirst) {
    const std::vector<FabricLink> links{{0, 1, {}, {}}, {1, 0, {}, {}}, {1, 2, {}, {}}, {2, 1, {}, {}}};
    const Hop path[] = {{0, 1}, {2, 0}};
    EXPECT_THAT(reversed(links, path), ElementsAre(Hop{3, 0}, Hop{1, 1}));
    EXPECT_THROW(reversed({{0, 1, {}, {}}}, {path, 1}), std::invalid_argument);
}

/// Asks for each packet at the end of its path, as links with faults do.
struct Asking : test::NotingPolicy {
    using test::NotingPolicy::NotingPolicy;
    void land(const WaitingPacket& next, const Hop& hop, Time taken) override {
        EXPECT_TRUE(fabric.transport().passes(fabric.facts_of(next).tag));
        test::NotingPolicy::land(next, hop, taken);
    }
};

TEST_F(OverACable, AsksTheFilterNoMoreForAPacketThatHadCome) {
    // A timeout of 1.8 us, shorter than the round trip of 2.08 us: packets 0 and 1 are sent a second time.
    GoBackNParams params;
    params.timeout = 1800_ns;
    std::vector<std::uint32_t> asked;
    const auto note = [&](std::uint64_t, std::uint32_t sequence) {
        asked.push_back(sequence);
        return true;
    };
    compose(with(params), note, std::make_unique<Asking>(fabric));
    test::send(fabric, flow, 5, 1000_B, 42);
    test::run_all(fabric);
    EXPECT_GE(account.job.retransmitted, 2u);
    EXPECT_THAT(asked, ElementsAre(0, 1, 2, 3, 4));
}

}   // namespace
}   // namespace oscar::end_to_end_transport_test

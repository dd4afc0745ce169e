// 8 Gbit/s is 1 byte per ns, so that expected times can be read off.
#include "models/network/transport/damage.hpp"
#include "tests/network/transport/traffic.hpp"

namespace oscar::repair_test {
namespace {

using test::cables;
using test::over;
using test::TransportTraffic;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr LinkParams cable{8_Gbps, 10_us, 1_MiB};

NetworkParams network(const Reliability& reliability, double loss, std::uint64_t seed = 1) {
    NetworkParams params;
    params.packet = 1000_B;
    params.header = 80_B;
    params.reliability = reliability;
    params.loss = {loss, 0, seed};
    return params;
}

template <class P>
P protocol(std::uint32_t window, Time timeout) {
    P params;
    params.window = window;
    params.timeout = timeout;
    return params;
}

/// Share of its link's time that a flow of 20,000 packets of 1 us uses.
double goodput(const Reliability& reliability, double loss) {
    TransportTraffic traffic(cables({{0, 1}}, cable), network(reliability, loss));
    constexpr std::uint32_t packets = 20'000;
    traffic.plan(traffic.flow({0}), {0, packets, 1000_B, 1000_B}, 0_ps);
    traffic.run();
    EXPECT_TRUE(traffic.all_arrived());
    return packets * 1e6 / static_cast<double>(traffic.last_arrival.ps);
}

TEST(GoBackN, GivesTheTextbooksThroughputUnderLoss) {
    // U = (1-p) / (1-p + N p), N the packets that a loss costs (Bertsekas and Gallager, Data Networks, 2.4.1): until
    // the packet behind it has come and the request is back, 2 us + 10 us + 0.08 us + 10 us, the 23rd packet has begun.
    constexpr double n = 23;
    for (const double p : {0.001, 0.003, 0.01}) {
        const double expected = (1 - p) / (1 - p + n * p);
        // A loss counts with a standard deviation of 1/sqrt(20,000 p) of its share of the time; 4 of them, and 2 % for
        // repeated packets that are lost again and wait for the timeout.
        const double share = n * p / (1 - p + n * p);
        EXPECT_NEAR(goodput(protocol<GoBackNParams>(64, 30_us), p) / expected, 1,
                    4 * share / std::sqrt(20'000 * p) + 0.02)
            << p;
    }
}

TEST(SelectiveRepeat, LosesOnlyWhatIsSentTwice) {
    for (const double p : {0.001, 0.01}) {   // windows large enough that a timeout of few does not stop the others
        const double u = goodput(protocol<SelectiveParams>(256, 40_us), p);
        EXPECT_LT(u, 1 - p / 2);
        EXPECT_GT(u, (1 - p) * 0.98) << p;
        EXPECT_GT(u, goodput(protocol<GoBackNParams>(64, 30_us), p)) << p;
    }
}

TEST(Window, LimitsTheRateToItselfPerRoundTrip) {
    // 4 packets per 1 us + 10 us + 0.08 us + 10 us.
    TransportTraffic traffic(cables({{0, 1}}, cable), network(protocol<GoBackNParams>(4, 100_us), 0));
    traffic.plan(traffic.flow({0}), {0, 40, 1000_B, 1000_B}, 0_ps);
    traffic.run();
    for (std::uint32_t i = 0; i < 40; ++i)
        EXPECT_EQ((traffic.departures[{0, i}]), (i / 4) * 21'080_ns + (i % 4) * 1_us);
    EXPECT_EQ(traffic.fabric.transport_use()->answered, 40u);
    EXPECT_EQ(traffic.fabric.transport_use()->answer_bytes, 40u * 80);
}

TEST(Timeout, SendsAgainAtItsTimeAndNotBefore) {
    // The only packet is lost; nothing tells the sender.
    std::uint64_t seed = 0;
    while (!is_damaged({0.5, 0, seed}, 0, 0, 1000_B) || is_damaged({0.5, 0, seed}, 0, 1, 1000_B)) ++seed;
    TransportTraffic traffic(cables({{0, 1}}, cable), network(protocol<GoBackNParams>(4, 100_us), 0.5, seed));
    traffic.plan(traffic.flow({0}), {0, 1, 1000_B, 1000_B}, 7_us);
    traffic.run(107_us - 1_ps);
    EXPECT_EQ(traffic.fabric.transport_use()->retransmitted, 0u);
    traffic.run(107_us);
    EXPECT_EQ(traffic.fabric.transport_use()->retransmitted, 1u);
    traffic.run(200_us);
    EXPECT_EQ((traffic.arrivals[{0, 0}]), 107_us + 11_us);
}

TEST(LinkRetry, CostsARoundTripAndThePacketOncePerDamage) {
    LinkRetryParams retry;
    retry.latency = 100_ns;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const NetworkParams params = network(retry, 0.5, seed);
        std::int64_t damaged = 0;
        while (is_damaged(params.loss, 0, static_cast<std::uint64_t>(damaged), 1000_B)) ++damaged;
        TransportTraffic traffic(cables({{0, 1}}, cable), params);
        traffic.plan(traffic.flow({0}), {0, 1, 1000_B, 1000_B}, 0_ps);
        traffic.run();
        EXPECT_EQ((traffic.arrivals[{0, 0}]), damaged * (1_us + 20_us + 100_ns) + 11_us) << seed;
        EXPECT_EQ(traffic.fabric.transport_use()->replayed, static_cast<std::uint64_t>(damaged));
    }
}

TEST(LinkRetry, KeepsWhatIsNotAcknowledgedAndNoMoreThanItsBufferHolds) {
    LinkRetryParams retry;
    retry.latency = 100_ns;
    retry.replay_buffer = 2500_B;   // two packets; each is kept for 1 us + 20 us + 0.1 us
    TransportTraffic traffic(cables({{0, 1}}, cable), network(retry, 0));
    traffic.plan(traffic.flow({0}), {0, 10, 1000_B, 1000_B}, 0_ps);
    traffic.run();
    for (std::uint32_t i = 0; i < 10; ++i)
        EXPECT_EQ((traffic.departures[{0, i}]), (i / 2) * 21'100_ns + (i % 2) * 1_us);
}

/// The message of the livelock in which a flow of so many packets ends; empty if it has none.
std::string livelock_of(TransportTraffic& traffic, std::uint32_t packets) {
    traffic.plan(traffic.flow({0}), {0, packets, 1000_B, 1000_B}, 0_ps);
    try {
        traffic.run();
    } catch (const Livelock& livelock) {
        return livelock.what();
    }
    return "";
}

TEST(Livelock, EndsTheRunAndNamesTheFlowAndItsLosses) {
    NetworkParams params = network(protocol<GoBackNParams>(4, 10_us), 0.99);
    params.stall = 1_ms;
    TransportTraffic traffic(cables({{0, 1}}, cable), params);
    EXPECT_THAT(livelock_of(traffic, 1000),
                AllOf(HasSubstr("flow rank0->rank1 repeats packet"), HasSubstr("network.stall: 1ms"),
                      ContainsRegex("rank0->rank1: [0-9]+ packets, [0-9]+ of 1000 delivered")));
}

/// With a short timeout network.stall would hold a million retransmissions.
TEST(Livelock, EndsTheRunAfterAThousandTimeoutsThoughNetworkStallIsLonger) {
    NetworkParams params = network(protocol<SelectiveParams>(1, 30_us), 1);
    params.stall = 100'000_ms;
    TransportTraffic traffic(cables({{0, 1}}, cable), params);
    EXPECT_THAT(livelock_of(traffic, 1),
                HasSubstr("was delivered for 1000 times network.reliability.timeout: 30us; lost"));
    EXPECT_EQ(traffic.fabric.transport_use()->timeouts, most_timeouts + 1);
    EXPECT_EQ(traffic.fabric.now(), (most_timeouts + 1) * 30_us);
}

TEST(Livelock, NamesTheTimeoutWhereNothingWasLost) {
    NetworkParams params = network(protocol<GoBackNParams>(1, 1_us), 0);
    params.stall = 5_us;   // the answer takes 21 us and more
    TransportTraffic traffic(cables({{0, 1}}, cable), params);
    EXPECT_THAT(livelock_of(traffic, 1),
                HasSubstr("its answers come later than network.reliability.timeout: 1us; raise"));
}

TEST(Livelock, IsNoneWhileSomethingIsDelivered) {
    NetworkParams params = network(protocol<GoBackNParams>(4, 10_us), 0.5);
    params.stall = 1_ms;   // 100 attempts; 2^-100
    TransportTraffic traffic(cables({{0, 1}}, cable), params);
    traffic.plan(traffic.flow({0}), {0, 1000, 1000_B, 1000_B}, 0_ps);
    EXPECT_NO_THROW(traffic.run());
    EXPECT_GT(traffic.last_arrival, 1_ms);
}

TEST(Livelock, OfAFlowIsNotHiddenByOtherTrafficThatIsDelivered) {
    // 1 bit of 1000 is turned over: e^-32 of packets of 4000 B come whole, and e^-0.5 of those of 64 B.
    NetworkParams params = network(protocol<GoBackNParams>(4, 10_us), 0);
    params.loss.bit_error_rate = 1e-3;
    params.stall = 1_ms;
    TransportTraffic traffic(cables({{0, 1}, {2, 3}}, cable), params);
    const FlowId other = traffic.flow({2});
    traffic.fabric.count_separately(other);
    for (std::int64_t i = 0; i < 200; ++i) traffic.plan(other, {0, 1, 64_B, 64_B}, i * 100_us);   // 20 ms
    traffic.plan(traffic.flow({0}), {0, 1, 4000_B, 4000_B}, 0_ps);
    try {
        traffic.run();
        FAIL() << "it ended";
    } catch (const Livelock& livelock) {
        EXPECT_THAT(livelock.what(), HasSubstr("flow rank0->rank1 repeats packet 0, and nothing new of it"));
        EXPECT_GT(traffic.fabric.now(), 1_ms);
        EXPECT_LT(traffic.fabric.now(), 1_ms + 2 * 10_us);   // with the next repetition
    }
}

TEST(Livelock, IsNoneOfOtherTrafficThatStarvesWhileSomethingIsDelivered) {
    NetworkParams params = network(protocol<GoBackNParams>(4, 10_us), 0);
    params.loss.bit_error_rate = 1e-3;
    params.stall = 1_ms;
    TransportTraffic traffic(cables({{0, 1}, {2, 3}}, cable), params);
    const FlowId starving = traffic.flow({0});
    traffic.fabric.count_separately(starving);
    traffic.plan(starving, {0, 1, 4000_B, 4000_B}, 0_ps);
    const FlowId job = traffic.flow({2});
    for (std::int64_t i = 0; i < 50; ++i) traffic.plan(job, {0, 1, 64_B, 64_B}, i * 100_us);
    EXPECT_NO_THROW(traffic.run(5_ms));
}

TEST(Livelock, IsNotYetWhenTheLastNewsIsExactlyTheStallOld) {
    // The first transmission is lost and the second is not. The packet is offered at 7 us, which counts as news, and is
    // repeated at 107 us.
    std::uint64_t seed = 0;
    while (!is_damaged({0.5, 0, seed}, 0, 0, 1000_B) || is_damaged({0.5, 0, seed}, 0, 1, 1000_B)) ++seed;
    NetworkParams params = network(protocol<GoBackNParams>(4, 100_us), 0.5, seed);
    for (const Time stall : {100_us, 100_us - 1_ps}) {
        params.stall = stall;
        TransportTraffic traffic(cables({{0, 1}}, cable), params);
        traffic.plan(traffic.flow({0}), {0, 1, 1000_B, 1000_B}, 7_us);
        if (stall == 100_us) {
            EXPECT_NO_THROW(traffic.run());
            EXPECT_TRUE(traffic.all_arrived());
        } else {
            EXPECT_THROW(traffic.run(), Livelock);
            EXPECT_EQ(traffic.fabric.now(), 107_us);
        }
    }
}

TEST(Retransmission, CountsTheBytesOfEveryPacketThatIsSentAgain) {
    // 299 packets of 1000 B and one of 500 B; answers take the other direction of the cable.
    for (const Reliability& reliability :
         {Reliability(protocol<GoBackNParams>(16, 50_us)), Reliability(protocol<SelectiveParams>(16, 50_us))}) {
        SCOPED_TRACE(reliability.name());
        TransportTraffic traffic(cables({{0, 1}}, cable), network(reliability, 0.1));
        traffic.plan(traffic.flow({0}), {0, 300, 1000_B, 500_B}, 0_ps);
        traffic.run();
        const TransportUse use = *traffic.fabric.transport_use();
        const LinkUse link = traffic.fabric.account().use(EdgeId{0});
        EXPECT_GT(use.retransmitted, 0u);
        EXPECT_EQ(link.packets, 300 + use.retransmitted);
        EXPECT_EQ(link.wire_bytes, 299 * 1000 + 500 + use.retransmitted_bytes);
    }
}

/// Arrivals of 50 packets a flow and what befell them; of some runs over a network that carried as many before.
struct Delivered {
    std::map<TransportTraffic::Key, Time> arrivals;   ///< by flow and packet
    TransportUse use;
    friend bool operator==(const Delivered&, const Delivered&) = default;
};

Delivered after_restart(const FabricParams& links, const NetworkParams& params,
                        const std::vector<std::vector<Hop>>& ways, bool used, std::uint64_t draw) {
    TransportTraffic traffic(links, params);
    std::vector<FlowId> flows;
    for (std::uint32_t i = 0; i < ways.size(); ++i) flows.push_back(traffic.fabric.add_flow(ways[i], i));
    const auto plan = [&](Time at) {
        for (const FlowId flow : flows) traffic.plan(flow, {0, 50, 1000_B, 1000_B}, at);
    };
    const Time origin = 100_ms;
    if (used) {
        plan(0_ps);
        traffic.run();
        traffic.departures.clear();
        traffic.arrivals.clear();
    }
    traffic.fabric.restart(draw);
    plan(origin);
    traffic.run();
    Delivered result{{}, traffic.fabric.transport_use().value()};
    for (const auto& [key, at] : traffic.arrivals) result.arrivals[{key.first % flows.size(), key.second}] = at;
    return result;
}

TEST(Restart, ForgetsWhatWasSentBeforeAndDrawsAnew) {
    NetworkParams params = network(protocol<SelectiveParams>(16, 50_us), 0.2);
    params.congestion = DcqcnParams{};
    const auto run = [&](bool used, std::uint64_t draw) {
        return after_restart(cables({{0, 1}}, cable), params, {over({0})}, used, draw);
    };
    EXPECT_EQ(run(false, 7), run(true, 7));
    EXPECT_EQ(run(true, 7).arrivals.size(), 50u);
    EXPECT_NE(run(true, 7).arrivals, run(true, 8).arrivals);
}

TEST(Restart, MarksThePacketsThatANetworkMarksWhichHasCarriedNothing) {
    // Two senders fill the queue before link 4. From 2 kB of it on packets are marked at random, and a mark slows its
    // flow down.
    NetworkParams params = network(UnreliableParams{}, 0);
    params.congestion = DcqcnParams{.mark_from = 2000_B, .mark_all_from = 100'000_B, .mark_probability = 1};
    const auto run = [&](bool used, std::uint64_t draw) {
        return after_restart(cables({{0, 3}, {1, 3}, {3, 2}}, cable), params, {over({0, 4}), over({2, 4})}, used, draw);
    };
    const Delivered fresh = run(false, 7);
    EXPECT_GT(fresh.use.marked, 0u);
    EXPECT_LT(fresh.use.marked, 100u);   // packets
    EXPECT_EQ(fresh, run(true, 7));
    EXPECT_NE(fresh, run(true, 8));
}

TEST(AnswersWay, BackIsNeeded) {
    FabricParams one_way = cables({{0, 1}}, cable);
    one_way.links.pop_back();
    TransportTraffic traffic(one_way, network(GoBackNParams{}, 0));
    EXPECT_THROW(traffic.flow({0}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::repair_test

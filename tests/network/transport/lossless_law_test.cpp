// Where nothing is lost, paused or paced, transport changes no time; where something is, nothing but times.
#include <gmock/gmock.h>

#include "tests/network/event/random_network.hpp"
#include "tests/network/transport/traffic.hpp"

namespace oscar::lossless_law_test {
namespace {

using test::RandomNetwork;

/// Sends the script of a random network; none of its messages waits for another.
/// `queues`: of a first link; flows that share one share it.
template <class Client>
void send_script(Client& client, const RandomNetwork& network, std::uint32_t queues = 1000) {
    std::vector<FlowId> flows;
    for (std::uint32_t f = 0; f < network.paths.size(); ++f)
        flows.push_back(client.fabric.add_flow(network.paths[f], f % queues));
    for (const test::Sending& sending : network.script) {
        std::vector<Time> eligible = sending.eligible;
        for (Time& time : eligible) time += sending.at;
        client.plan(flows[sending.flow], sending.message, sending.at, eligible);
    }
    client.run();
}

RandomNetwork without_order(std::uint64_t seed) {
    RandomNetwork network(seed, true);
    for (test::Sending& sending : network.script) sending.after.reset();
    return network;
}

/// The same over a network that knows of no transport.
class PlainTraffic : public FabricClient {
public:
    explicit PlainTraffic(const FabricParams& params) : fabric(params, *this) {}
    void plan(FlowId flow, FabricMessage message, Time at, std::vector<Time> eligible) {
        message.tag = plans_.size();
        plans_.push_back({flow, message, std::move(eligible)});
        fabric.call_at(at, 1, message.tag, static_cast<std::uint32_t>(message.tag), 0);
    }
    void run() {
        while (fabric.next_time() != Fabric::never) fabric.step();
    }
    void departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time) override {
        departures[{tag, sequence}] = begin;
    }
    void arrived(std::uint64_t tag, std::uint32_t sequence) override { arrivals[{tag, sequence}] = fabric.now(); }
    void called(std::uint32_t tag, std::uint32_t) override {
        fabric.send(plans_[tag].flow, plans_[tag].message, test::time_runs(plans_[tag].eligible), {});
    }

    PacketFabric fabric;
    std::map<test::TransportTraffic::Key, Time> departures, arrivals;

private:
    struct Plan {
        FlowId flow;
        FabricMessage message;
        std::vector<Time> eligible;
    };
    std::vector<Plan> plans_;
};

NetworkParams with(const FlowControl& flow_control) {
    NetworkParams network;
    network.packet = 3000_B;   // the most that a random network sends in a packet
    network.header = 0_B;
    network.flow_control = flow_control;
    return network;
}

TEST(Transport, WithoutLossOrPauseKeepsEveryTimeOfEveryPacket) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RandomNetwork random = without_order(seed);
        for (FabricLink& link : random.params.links) link.link.buffer = 100_MiB;
        PlainTraffic plain(random.params);
        send_script(plain, random);
        for_each_kind(flow_controls, [&]<class P>(const Kind<P>& kind) {
            test::TransportTraffic traffic(random.params, with(P{}));
            send_script(traffic, random);
            EXPECT_EQ(traffic.departures, plain.departures) << kind.name << " seed " << seed;
            EXPECT_EQ(traffic.arrivals, plain.arrivals) << kind.name << " seed " << seed;
        });
    }
}

TEST(Transport, WithoutLossOrPauseKeepsEveryTimeOfFlowsThatShareTheirQueues) {
    for (std::uint64_t seed = 600; seed < 800; ++seed) {
        RandomNetwork random = without_order(seed);
        for (FabricLink& link : random.params.links) link.link.buffer = 100_MiB;
        PlainTraffic plain(random.params);
        send_script(plain, random, 2);
        for_each_kind(flow_controls, [&]<class P>(const Kind<P>& kind) {
            test::TransportTraffic traffic(random.params, with(P{}));
            send_script(traffic, random, 2);
            EXPECT_EQ(traffic.departures, plain.departures) << kind.name << " seed " << seed;
            EXPECT_EQ(traffic.arrivals, plain.arrivals) << kind.name << " seed " << seed;
        });
    }
}

TEST(Transport, WithCreditsKeepsEveryTimeHoweverSmallTheBuffers) {
    for (std::uint64_t seed = 300; seed < 600; ++seed) {
        RandomNetwork random = without_order(seed);
        PlainTraffic plain(random.params);
        send_script(plain, random);
        DcqcnParams never_marks;
        never_marks.mark_from = never_marks.mark_all_from = 1_GiB;
        for (const CongestionControl& congestion : {CongestionControl{}, CongestionControl{never_marks}}) {
            NetworkParams network = with(CreditParams{});
            network.congestion = congestion;
            test::TransportTraffic traffic(random.params, network);
            send_script(traffic, random);
            EXPECT_EQ(traffic.arrivals, plain.arrivals) << "seed " << seed;
        }
    }
}

/// Four packets of one queue, by the upper and the lower switch of two: 0 and 1 go up, 2 down, 3 up. A byte takes 1 ns.
TEST(Transport, SendsThePacketsOfAQueueInSequenceOverAllItsRoutes) {
    const LinkParams link{8_Gbps, 100_ns, 100_MiB};
    const FabricParams params = test::cables({{0, 2}, {2, 3}, {3, 5}, {2, 4}, {4, 5}, {5, 1}}, link, 30_ns);
    const auto up = test::over({0, 2, 4, 10}), down = test::over({0, 6, 8, 10});
    for_each_kind(flow_controls, [&]<class P>(const Kind<P>& kind) {
        for (const Reliability& reliability : {Reliability{}, Reliability{LinkRetryParams{}}}) {
            NetworkParams network = with(P{});
            network.reliability = reliability;
            test::TransportTraffic traffic(params, network);
            const FlowId flows[] = {traffic.fabric.add_flow(up, 7), traffic.fabric.add_flow(down, 7)};
            const Time eligible[] = {0_ns, 250_ns, 0_ns, 0_ns};   // the last two wait for the second
            for (std::uint32_t i = 0; i < 4; ++i)
                traffic.plan(flows[i == 2], {i, 1, 100_B, 100_B}, 0_ns, {eligible[i]});
            traffic.run();
            const std::map<test::TransportTraffic::Key, Time> in_sequence{
                {{0, 0}, 0_ns}, {{1, 0}, 250_ns}, {{2, 0}, 350_ns}, {{3, 0}, 450_ns}};
            EXPECT_EQ(traffic.departures, in_sequence) << kind.name << ", " << reliability.name();
        }
    });
}

/// Every kind of flow control, repair and congestion control at once, with damage and buffers of a few packets.
TEST(Transport, DeliversAllOnceAndInOrderWhateverIsLost) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        RandomNetwork random = without_order(seed);
        for_each_kind(flow_controls, [&]<class F>(const Kind<F>& flow_control) {
            for_each_kind(reliabilities, [&]<class R>(const Kind<R>& reliability) {
                if constexpr (std::derived_from<R, RetransmissionParams>)
                    for (const CongestionControl& congestion :
                         {CongestionControl{}, CongestionControl{DcqcnParams{}}}) {
                        NetworkParams network = with(F{});
                        if constexpr (std::same_as<F, PfcParams>) network.flow_control = PfcParams{100_B, 50_B, 0_ps};
                        network.reliability = R{};
                        network.congestion = congestion;
                        network.loss = {0.2, 0, seed};
                        test::TransportTraffic traffic(random.params, network);
                        send_script(traffic, random);
                        EXPECT_TRUE(traffic.all_arrived())
                            << flow_control.name << " " << reliability.name << " " << seed;
                        EXPECT_FALSE(traffic.fabric.deadlock_report());
                    }
            });
        });
    }
}

TEST(Transport, IsTheSameTwiceAndAnotherForAnotherSeed) {
    const auto arrivals = [](std::uint64_t seed) {
        NetworkParams network = with(LossyParams{});
        network.reliability = SelectiveParams{};
        network.loss = {0.1, 0, seed};
        const RandomNetwork random = without_order(5);
        test::TransportTraffic traffic(random.params, network);
        send_script(traffic, random);
        return traffic.arrivals;
    };
    EXPECT_EQ(arrivals(1), arrivals(1));
    EXPECT_NE(arrivals(1), arrivals(2));
}

}   // namespace
}   // namespace oscar::lossless_law_test

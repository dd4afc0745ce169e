// Flows that are counted apart: what happens to them is in no account of the others.
#include "tests/transport/traffic.hpp"

namespace oscar {
namespace {

using test::cables;
using test::over;
using test::TransportTraffic;

/// Two flows, each over a fast and a slow cable of its own.
FabricParams two_lanes() {
    FabricParams params = cables({{0, 2}, {2, 1}, {3, 5}, {5, 4}}, {100_Gbps, 200_ns, 40'000_B}, 100_ns);
    for (const std::uint32_t edge : {2, 6}) params.links[edge].link.bandwidth = 25_Gbps;
    return params;
}

NetworkParams network(FlowControl control, Reliability reliability, CongestionControl congestion, double loss) {
    NetworkParams params;
    params.packet = 1000_B;
    params.header = 64_B;
    params.flow_control = control;
    params.reliability = reliability;
    params.congestion = congestion;
    params.loss.rate = loss;
    return params;
}

struct Case {
    const char* name;
    NetworkParams network;
    std::uint64_t TransportUse::*counter;   ///< what must not be shared
};

std::vector<Case> cases() {
    return {
        {"go_back_n", network(CreditParams{}, GoBackNParams{}, UncontrolledParams{}, 0.02),
         &TransportUse::retransmitted},
        {"selective", network(CreditParams{}, SelectiveParams{}, UncontrolledParams{}, 0.02), &TransportUse::answered},
        {"link_retry", network(CreditParams{}, LinkRetryParams{}, UncontrolledParams{}, 0.02), &TransportUse::replayed},
        {"lossy", network(LossyParams{}, GoBackNParams{}, UncontrolledParams{}, 0), &TransportUse::dropped},
        {"pfc", network(PfcParams{}, UnreliableParams{}, UncontrolledParams{}, 0), &TransportUse::paused},
        {"dcqcn",
         network(CreditParams{}, UnreliableParams{}, DcqcnParams{.mark_from = 2000_B, .mark_all_from = 9000_B}, 0),
         &TransportUse::marked}};
}

struct Seen {
    TransportUse transport;
    std::vector<std::uint64_t> packets;   ///< of each edge
    friend bool operator==(const Seen&, const Seen&) = default;
};

/// Flow a has 300 packets and so has b, if it is there at all.
Seen run(const NetworkParams& params, bool with_b, bool b_apart) {
    TransportTraffic traffic(two_lanes(), params);
    const FabricMessage message{0, 300, 1064_B, 1064_B};
    traffic.plan(traffic.flow({0, 2}), message, 0_ns);
    if (with_b) {
        const FlowId b = traffic.flow({4, 6});
        if (b_apart) traffic.fabric.count_apart(b);
        traffic.plan(b, message, 0_ns);
    }
    traffic.run();
    EXPECT_TRUE(traffic.all_arrived());
    Seen seen{traffic.fabric.transport_use().value(), {}};
    for (std::uint32_t e = 0; e < 8; ++e) seen.packets.push_back(traffic.fabric.use(e).packets);
    return seen;
}

TEST(FlowsCountedApart, LeaveTheAccountAsIfTheyWereNotThere) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const Seen alone = run(c.network, false, false), apart = run(c.network, true, true),
                   together = run(c.network, true, false);
        EXPECT_EQ(apart, alone);
        EXPECT_GT(alone.transport.*c.counter, 0u);
        EXPECT_GT(together.transport.*c.counter, alone.transport.*c.counter);
        EXPECT_GT(together.packets[4], 0u);
    }
}

}   // namespace
}   // namespace oscar

// Flows that are counted separately: what happens to them is in no account of the others.
#include "models/network/transport/make_network.hpp"
#include "tests/network/transport/traffic.hpp"

namespace oscar::accounts_test {
namespace {

using test::cables;
using test::over;
using test::TransportTraffic;

/// Two flows, each over a fast and a slow cable of its own.
FabricParams two_lanes() {
    FabricParams params = cables({{0, 2}, {2, 1}, {3, 5}, {5, 4}}, {100_Gbps, 200_ns, 40'000_B}, 100_ns);
    for (const EdgeId edge : {EdgeId{2}, EdgeId{6}}) params.links[edge].link.bandwidth = 25_Gbps;
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
        if (b_apart) traffic.fabric.count_separately(b);
        traffic.plan(b, message, 0_ns);
    }
    traffic.run();
    EXPECT_TRUE(traffic.all_arrived());
    Seen seen{traffic.fabric.transport_use().value(), {}};
    for (std::uint32_t e = 0; e < 8; ++e) seen.packets.push_back(traffic.fabric.account().use(EdgeId{e}).packets);
    return seen;
}

TEST(FlowsCountedApart, LeaveTheAccountAsIfTheyWereNotThere) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const Seen alone = run(c.network, false, false), background = run(c.network, true, true),
                   together = run(c.network, true, false);
        EXPECT_EQ(background, alone);
        EXPECT_GT(alone.transport.*c.counter, 0u);
        EXPECT_GT(together.transport.*c.counter, alone.transport.*c.counter);
        EXPECT_GT(together.packets[4], 0u);
    }
}

/// 300 packets of each of four ranks over a switch to a fifth, whose link holds 20 of them.
FabricParams incast_cables() { return cables({{0, 5}, {1, 5}, {2, 5}, {3, 5}, {5, 4}}, {100_Gbps, 200_ns, 21'280_B}); }

struct Account {
    TransportUse use;
    std::uint64_t crossings = 0;   ///< of all links, by their own count
};
Account account_of(const NetworkParams& params) {
    TransportTraffic traffic(incast_cables(), params);
    for (std::uint32_t sender = 0; sender < 4; ++sender)
        traffic.plan(traffic.flow({2 * sender, 8}), {0, 300, 1064_B, 1064_B}, 0_ns);
    traffic.run();
    Account account{*traffic.fabric.transport_use()};
    for (std::uint32_t e = 0; e < 10; ++e) account.crossings += traffic.fabric.account().use(EdgeId{e}).packets;
    return account;
}

TEST(PacketAccount, HasEachPacketOfEachLinkDeliveredDamagedOrDroppedUnderEveryControlAndRepair) {
    const LinkParams link = incast_cables().links.front().link;
    TransportUse sum;
    for_each_kind(flow_controls, [&]<class Control>(const Kind<Control>& control) {
        for_each_kind(reliabilities, [&]<class Repair>(const Kind<Repair>& repair) {
            for_each_kind(congestion_controls, [&]<class Congestion>(const Kind<Congestion>& congestion) {
                for (const double loss : {0.0, 0.03}) {
                    const NetworkParams params = network(Control{}, Repair{}, Congestion{}, loss);
                    if (find_problem(params, {&link, 1}, TimingFidelity::packet)) continue;
                    SCOPED_TRACE(std::string(control.name) + ", " + std::string(repair.name) + ", " +
                                 std::string(congestion.name) + ", loss " + std::to_string(loss));
                    const auto [use, crossings] = account_of(params);
                    EXPECT_EQ(use.sent, use.delivered + use.damaged + use.dropped);
                    EXPECT_EQ(use.sent, crossings);
                    EXPECT_GE(use.delivered, 2u * 300) << "of one sender, over two links";
                    EXPECT_EQ(use.damaged > 0, loss > 0);
                    sum += use;
                }
            });
        });
    });
    for (const auto counter : {&TransportUse::dropped, &TransportUse::replayed, &TransportUse::retransmitted,
                               &TransportUse::paused, &TransportUse::answered})
        EXPECT_GT(sum.*counter, 0u);
}

TEST(PacketAccount, CountsDataAndAnswersOnEachLinkByHand) {
    // One packet over one link, and its acknowledgement back.
    TransportTraffic traffic(cables({{0, 1}}, {8_Gbps, 10_us, 1_MiB}),
                             network(CreditParams{}, GoBackNParams{}, UncontrolledParams{}, 0));
    traffic.plan(traffic.flow({0}), {0, 1, 1000_B, 1000_B}, 0_ns);
    traffic.run();
    EXPECT_EQ(traffic.fabric.transport_use()->sent, 2u);
    EXPECT_EQ(traffic.fabric.transport_use()->delivered, 2u);
}

}   // namespace
}   // namespace oscar::accounts_test

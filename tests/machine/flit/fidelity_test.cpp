// Networks by flit, by packet and by message agree on every picosecond. Seeds are printed.
#include "tests/machine/flit/flit_support.hpp"
#include "tests/network/event/random_network.hpp"

namespace oscar::fidelity_test {
namespace {

using test::RandomNetwork;
using test::Traffic;
using FlitTraffic = Traffic<test::FlitNetwork<1>>;

constexpr std::uint64_t seeds = 600;

void expect_same(const LinkUse& a, const LinkUse& b) {
    EXPECT_EQ(a.busy, b.busy);
    EXPECT_EQ(std::tie(a.packets, a.wire_bytes, a.flits), std::tie(b.packets, b.wire_bytes, b.flits));
}

template <class A, class B>
void expect_same(const A& fine, const B& coarse, const FabricParams& params) {
    ASSERT_EQ(fine.crossings, coarse.crossings);
    EXPECT_EQ(fine.departures, coarse.departures);
    EXPECT_EQ(fine.arrivals, coarse.arrivals);
    EXPECT_EQ(fine.fabric.settled_at(), coarse.fabric.settled_at());
    for (const EdgeId e : params.links.indices()) {
        expect_same(fine.fabric.account().use(e), coarse.fabric.account().use(e));
        expect_same(fine.fabric.account().background_use(e), coarse.fabric.account().background_use(e));
    }
}

template <class Network>
void run_and_compare(const RandomNetwork& network, const FlitTraffic& fine, std::uint64_t* events = nullptr) {
    Traffic<Network> coarse(network.params, network.paths, network.script);
    coarse.run();
    expect_same(fine, coarse, network.params);
    if (events) *events = coarse.fabric.events_run();
}

void expect_all_arrived(const RandomNetwork& network, const FlitTraffic& run) {
    std::size_t crossings = 0, arrivals = 0;
    for (const test::Sending& sending : network.script) {
        crossings += sending.message.packets * network.paths[sending.flow].size();
        arrivals += sending.reported.size();
    }
    EXPECT_EQ(run.crossings.size(), crossings);
    EXPECT_EQ(run.arrivals.size(), arrivals);
    EXPECT_FALSE(run.fabric.deadlock_report());
}

/// Each packet that has crossed a link is in one of two accounts, by its flow.
void expect_accounts(const RandomNetwork& network, const FlitTraffic& run) {
    IndexedVector<EdgeId, std::uint64_t> own(network.params.links.size()), background(own.size());
    for (const test::Sending& sending : network.script)
        for (const Hop& hop : network.paths[sending.flow])
            (sending.flow % 2 == 1 ? background : own)[hop.edge] += sending.message.packets;
    for (const EdgeId e : own.indices()) {
        EXPECT_EQ(run.fabric.account().use(e).packets, own[e]);
        EXPECT_EQ(run.fabric.account().background_use(e).packets, background[e]);
    }
}

TEST(Fidelities, AgreeOnTheTimesOfAllPacketsOfFlowsThatContend) {
    for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        const RandomNetwork network(seed, true);
        FlitTraffic fine(network.params, network.paths, network.script);
        fine.run();
        expect_all_arrived(network, fine);
        expect_accounts(network, fine);
        run_and_compare<test::FlitNetwork<3>>(network, fine);
        run_and_compare<test::FlitNetwork<64>>(network, fine);
        run_and_compare<PacketFabric>(network, fine);
        run_and_compare<MessageFabric>(network, fine);
    }
}

TEST(Fidelities, AgreeOnTheTimesOfAllPacketsOfFlowsAloneOnTheirLinks) {
    for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        const RandomNetwork network(seed, false);
        FlitTraffic fine(network.params, network.paths, network.script);
        fine.run();
        expect_all_arrived(network, fine);
        run_and_compare<PacketFabric>(network, fine);
        std::uint64_t events = 0, asked = fine.arrivals.size();
        run_and_compare<MessageFabric>(network, fine, &events);
        for (const test::Sending& sending : network.script) asked += sending.after ? 0 : 1;
        EXPECT_EQ(events, asked) << "no event but those that the client asked for";
    }
}

}   // namespace
}   // namespace oscar::fidelity_test

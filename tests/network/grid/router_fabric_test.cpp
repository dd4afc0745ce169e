#include <gmock/gmock.h>

#include <set>

#include "tests/network/grid/router_support.hpp"

namespace oscar::router_fabric_test {
namespace {

using test::cycle;
using test::nic_latency;
using test::packets;
using test::random_routers;
using test::RoutersOf;
using test::RouterTraffic;
using test::Scripted;
using test::Sending;
using ::testing::HasSubstr;

struct Finished {
    Finished(const RoutersOf& of, const std::vector<std::vector<Hop>>& paths, const std::vector<Sending>& script)
        : traffic(of.params, paths, script, of.grid(), of.router) {
        traffic.run();
    }
    Time arrival(std::uint64_t tag, std::uint32_t sequence) const { return {traffic.arrivals.at({tag, sequence})}; }
    RouterTraffic traffic;
};

TEST(ARouterFabric, TakesTheZeroLoadTimeAndTheNicForAPacketAloneBetweenAnyTwoRanks) {
    for (const std::uint64_t wire : {1u, 64u, 65u, 700u}) {
        const RoutersOf of(TorusParams{3, 4}, 12);
        const auto flits = static_cast<std::uint32_t>((wire + 63) / 64);
        std::vector<std::vector<Hop>> paths;
        std::vector<Sending> script;
        std::vector<Time> expected;
        for (std::uint32_t from = 0; from < 12; ++from)
            for (std::uint32_t to = 0; to < 12; ++to) {
                if (from == to) continue;
                // One at a time, on whole cycles from the first on; in 100 us all is long at rest.
                const Time at = static_cast<std::int64_t>(script.size()) * 2000 * cycle;
                script.push_back(
                    packets(static_cast<std::uint32_t>(paths.size()), 1, {wire}, {wire}, at, paths.size()));
                paths.push_back(of.path(from, to));
                const std::uint64_t cycles = zero_load_cycles(
                    of.router, of.grid().routers_between(node_of(Rank{from}), node_of(Rank{to})), flits);
                expected.push_back(at + static_cast<std::int64_t>(cycles) * cycle + nic_latency);
            }
        const Finished run(of, paths, script);
        for (std::size_t i = 0; i < script.size(); ++i) EXPECT_EQ(run.arrival(i, 0), expected[i]) << wire << " B";
    }
}

// Routers of 2 cycles of switch and 1 + 2 on links: 1 + 1 + 2 + 3 each, and 1 + 3 from the node.
TEST(ARouterFabric, HasTheDelaysOfItsTimesInCycles) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    const Finished run(of, {of.path(0, 1)}, {packets(0, 1, 64_B, 64_B, {}, 0)});
    EXPECT_EQ(run.arrival(0, 0), (2 * 7 + 4) * cycle + nic_latency);
}

TEST(ARouterFabric, BeginsAPacketInTheFirstCycleInWhichItMayLeave) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    // The first call is at 10 ns: cycles are counted from there.
    for (const auto& [more, cycles] : {std::pair{0_ps, 0}, {1_ps, 1}, {64_ns, 1}, {64'001_ps, 2}}) {
        Sending first = packets(0, 1, 64_B, 64_B, 10_ns, 0);
        first.eligible = {more};
        const Finished run(of, {of.path(0, 1)}, {first});
        const auto [begin, end] = run.traffic.departures.at({0, 0, 0});
        EXPECT_EQ(Time{begin}, 10_ns + cycles * cycle) << more.ps;
        EXPECT_EQ(end - begin, cycle.ps);
    }
}

TEST(ARouterFabric, SendsTheQueuesOfANodeInTurnAndAQueueInOrder) {
    const RoutersOf of(MeshParams{1, 3}, 3);
    // Flows 0 and 1 are queues 0 and 1: three packets and two of three flits each.
    const Finished run(of, {of.path(0, 1), of.path(0, 2)},
                       {packets(0, 3, 192_B, 192_B, {}, 0), packets(1, 2, 192_B, 192_B, {}, 1)});
    const auto begin = [&](std::uint64_t tag, std::uint32_t sequence) {
        return Time{run.traffic.departures.at({tag, sequence, 0}).first};
    };
    EXPECT_EQ(begin(0, 0), 0 * cycle);
    EXPECT_EQ(begin(1, 0), 3 * cycle);
    EXPECT_EQ(begin(0, 1), 6 * cycle);
    EXPECT_EQ(begin(1, 1), 9 * cycle);
    EXPECT_EQ(begin(0, 2), 12 * cycle);
}

TEST(ARouterFabric, PassesOverAQueueWhoseHeadMayNotLeaveYet) {
    const RoutersOf of(MeshParams{1, 3}, 3);
    Sending late = packets(1, 1, 64_B, 64_B, {}, 1);
    late.eligible = {cycle + 1_ps};
    const Finished run(of, {of.path(0, 1), of.path(0, 2)}, {packets(0, 3, 64_B, 64_B, {}, 0), late});
    EXPECT_EQ(run.traffic.departures.at({0, 1, 0}).first, cycle.ps);
    EXPECT_EQ(run.traffic.departures.at({1, 0, 0}).first, (2 * cycle).ps);
    EXPECT_EQ(run.traffic.departures.at({0, 2, 0}).first, (3 * cycle).ps);
}

TEST(ARouterFabric, TakesEveryFlitOverEveryLinkOfItsWayOnce) {
    for (std::uint64_t seed = 1; seed <= 10 && !HasFailure(); ++seed)
        for (const RoutersOf& of : random_routers(seed)) {
            const Scripted script(of, seed);
            Finished run(of, script.paths, script.script);
            IndexedVector<EdgeId, std::uint64_t> flits(of.params.links.size()), packets_of(flits), bytes(flits);
            std::size_t crossings = 0;
            for (const Sending& sending : script.script)
                for (std::uint32_t i = 0; i < sending.message.packets; ++i)
                    for (const Hop& hop : script.paths[sending.flow]) {
                        const std::uint64_t wire = sending.message.wire_of(i).count;
                        flits[hop.edge] += (wire + 63) / 64;
                        bytes[hop.edge] += wire;
                        ++packets_of[hop.edge];
                        ++crossings;
                    }
            EXPECT_EQ(run.traffic.crossings.size(), crossings);
            for (const EdgeId e : flits.indices()) {
                const LinkUse& use = run.traffic.fabric.account().use(e);
                EXPECT_EQ(std::tie(use.flits, use.packets, use.wire_bytes),
                          std::tie(flits[e], packets_of[e], bytes[e]));
                Time busy;
                for (const Span span : use.busy) busy += span.end - span.begin;
                EXPECT_EQ(busy, static_cast<std::int64_t>(flits[e]) * cycle) << "a cycle for each flit";
            }
            EXPECT_FALSE(run.traffic.fabric.deadlock_report());
        }
}

TEST(ARouterFabric, BeginsEachLinkOfAPacketNoEarlierThanTheFlitCanBeThere) {
    const RoutersOf of(MeshParams{1, 3}, 3);
    const Finished run(of, {of.path(0, 2)}, {packets(0, 1, 128_B, 128_B, {}, 0)});
    // From the node's link 4 cycles to the first router, VC and switch allocation, 2 of switch: then on its link; the
    // next ones a hop of 7 cycles apart.
    const std::int64_t first = 4 + 1 + 1 + 2;
    for (std::int64_t hop = 0; hop < 4; ++hop) {
        const Time begin = hop == 0 ? Time{} : (first + 7 * (hop - 1)) * cycle;
        EXPECT_EQ(run.traffic.crossings.at({0, 0, static_cast<std::size_t>(hop)}),
                  std::pair(begin.ps, (begin + 2 * cycle).ps));
    }
}

TEST(ARouterFabric, SpendsNoEventOnCyclesInWhichNothingIsOnItsWay) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    const auto events = [&](Time pause) {
        Sending two = packets(0, 2, 64_B, 64_B, {}, 0);
        two.eligible = {Time{}, pause};
        return Finished(of, {of.path(0, 1)}, {two}).traffic.fabric.events_run();
    };
    EXPECT_EQ(events(1_ms), events(1000_ms));
    EXPECT_LT(events(1_ms), 100u);
}

/// Sends a packet at the start, one much later, and one as soon as it is told that the second has left.
class Follower : public FabricClient {
public:
    explicit Follower(const RoutersOf& of) : fabric(of.params, of.grid(), of.router, *this) {
        flow_ = fabric.add_flow(of.path(0, 1), 0);
        for (const Time at : {Time{}, 1'000'000 * cycle}) fabric.call_at(at, 0, 0, 0, 0);
        while (fabric.next_time() != Fabric::never) fabric.step();
    }
    void departed(std::uint64_t, std::uint32_t, Time begin, Time) override {
        begins.push_back(begin);
        if (begins.size() == 2) send();
    }
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override { send(); }
    RouterFabric fabric;
    std::vector<Time> begins;

private:
    void send() { fabric.send(flow_, {sent_++, 1, 64_B, 64_B}, std::array{TimeRun{fabric.now()}}, std::vector{0u}); }
    FlowId flow_;
    std::uint64_t sent_ = 0;
};

TEST(ARouterFabric, SimulatesNoCycleTwiceForWhatIsSentInIt) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    const std::vector<Time> expected{{}, 1'000'000 * cycle, 1'000'001 * cycle};
    EXPECT_EQ(Follower(of).begins, expected);
}

TEST(ARouterFabric, IsSettledWhenItsLastCreditIsBack) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    const Finished run(of, {of.path(0, 1)}, {packets(0, 1, 64_B, 64_B, {}, 0)});
    EXPECT_EQ(run.traffic.fabric.settled_at(),
              run.arrival(0, 0) - nic_latency + std::int64_t{of.router.credit_cycles()} * cycle);
}

/// Sends a script twice, at any two times.
class Twice : public FabricClient {
public:
    Twice(const RoutersOf& of, const Scripted& s, Time second) : fabric(of.params, of.grid(), of.router, *this), s_(s) {
        for (const auto& path : s.paths) fabric.add_flow(path, 0);
        for (const Time at : {Time{}, second}) {
            fabric.call_at(at, 0, 0, 0, 0);
            fabric.restart(7);
            while (fabric.next_time() != Fabric::never) fabric.step();
        }
    }
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override { arrivals.back().push_back((fabric.now() - begin_).ps); }
    void called(std::uint32_t, std::uint32_t) override {
        begin_ = fabric.now();
        arrivals.emplace_back();
        for (const Sending& sending : s_.script) {
            std::vector<Time> eligible = sending.eligible;
            for (Time& at : eligible) at += begin_;
            fabric.send(FlowId{sending.flow}, sending.message, test::time_runs(eligible), sending.reported);
        }
    }
    RouterFabric fabric;
    std::vector<std::vector<std::int64_t>> arrivals;

private:
    const Scripted& s_;
    Time begin_;
};

TEST(ARouterFabric, RepeatsAJobToThePicosecondWheneverItBegins) {
    for (const RoutersOf& of : random_routers(3)) {
        const Scripted script(of, 3);
        const Twice twice(of, script, 1'000_ms + 12'345_ps);
        ASSERT_EQ(twice.arrivals.size(), 2u);
        EXPECT_EQ(twice.arrivals[0], twice.arrivals[1]);
        EXPECT_FALSE(twice.arrivals[0].empty());
    }
}

TEST(ARouterFabric, DrawsTheVcClassesOfEachJobAnew) {
    const std::uint8_t way = 2;
    std::set<int> classes;
    for (std::uint64_t draw = 0; draw < 4; ++draw)
        for (std::uint64_t number = 0; number < 8; ++number) {
            const std::uint8_t coins = RouterFabric::coins(draw, NodeId{1}, NodeId{2}, number, way);
            EXPECT_EQ(coins & 3, way);
            classes.insert(coins >> 2);
        }
    EXPECT_EQ(classes, (std::set<int>{0, 1, 2, 3}));
}

TEST(ARouterFabric, NamesTheCycleOfWaitsOfADeadlock) {
    const test::StuckRing ring;
    const std::string text = ring.deadlock_text<RouterFabric>();
    EXPECT_THAT(text, HasSubstr("router (0, 0) port west VC 0 waits for"));
    EXPECT_THAT(text, HasSubstr("router (3, 0) port west VC 0"));
    const RoutersOf safe(TorusParams{1, 4}, 4);
    EXPECT_EQ(Finished(safe, ring.paths, ring.script).traffic.arrivals.size(), 4u) << "two VCs and a dateline";
}

TEST(ARouterFabric, RefusesAWayThatIsNotInDimensionOrder) {
    const RoutersOf of(MeshParams{2, 2}, 4);
    const RouterLinks links(of.grid(), of.params.links);
    EXPECT_THROW(RouterTraffic(of.params,
                               {{{links.into(RouterId{0})},
                                 {links.out_of(RouterId{0}, Port::north)},
                                 {links.out_of(RouterId{2}, Port::east)},
                                 {links.out_of(RouterId{3}, Port::node)}}},
                               {}, of.grid(), of.router),
                 std::invalid_argument);
}

}   // namespace
}   // namespace oscar::router_fabric_test

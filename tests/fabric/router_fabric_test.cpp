#include <gmock/gmock.h>

#include <deque>
#include <set>

#include "models/core/random.hpp"
#include "tests/fabric/router_support.hpp"

namespace oscar {
namespace {

using test::nic_latency;
using test::RoutersOf;
using test::RouterTraffic;
using test::Sending;
using testing::HasSubstr;

constexpr Time cycle = 64_ns;   // 64 bytes at a byte a ns

/// `count` packets of a flow, that may all leave from `at` on.
Sending packets(std::uint32_t flow, std::uint32_t count, Bytes wire, Bytes last, Time at, std::uint64_t tag) {
    Sending sending{flow, {tag, count, wire, last}, at, {}, std::vector<Time>(count), {}};
    for (std::uint32_t i = 0; i < count; ++i) sending.wanted.push_back(i);
    return sending;
}

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
                const std::uint64_t cycles = zero_load_cycles(of.router, of.grid().routers_between(from, to), flits);
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

/// Messages of random lengths, all handed over at the start, to leave from times that rise; a queue a rank.
struct Scripted {
    Scripted(const RoutersOf& of, std::uint64_t seed) {
        const auto ranks = static_cast<std::uint32_t>(of.topology.ranks);
        std::uint64_t drawn = 0;
        const auto draw = [&](std::uint64_t most) { return random_at(seed, drawn++) % (most + 1); };
        for (std::uint32_t from = 0; from < ranks; ++from)
            for (std::uint32_t to = 0; to < ranks; ++to)
                if (from != to) paths.push_back(of.path(from, to)), ends.push_back({from, to});
        std::vector<Time> last(ranks);
        for (std::uint32_t i = 0; i < 12 * ranks; ++i) {
            const auto flow = static_cast<std::uint32_t>(draw(paths.size() - 1));
            const Bytes wire{1 + draw(400)};
            Sending sending =
                packets(flow, static_cast<std::uint32_t>(1 + draw(4)), wire, {1 + draw(wire.count - 1)}, {}, i);
            for (Time& at : sending.eligible)
                at = last[ends[flow].first] +=
                    Time{static_cast<std::int64_t>(draw(draw(3) == 0 ? 3'000'000 : 100'000))};
            script.push_back(sending);
        }
    }
    std::vector<std::vector<Hop>> paths;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;   ///< per flow
    std::vector<Sending> script;
};

std::vector<RoutersOf> random_routers(std::uint64_t seed) {
    InputQueuedParams queues;
    queues.vcs = static_cast<std::uint32_t>(2 + random_at(seed, 0) % 4);
    queues.vc_flits = static_cast<std::uint32_t>(1 + random_at(seed, 1) % 9);
    queues.reuse = random_at(seed, 2) % 2 == 0 ? VcReuse::when_empty : VcReuse::when_sent;
    queues.routing_delay = static_cast<std::uint32_t>(random_at(seed, 3) % 3);
    std::vector<RoutersOf> result;
    result.emplace_back(MeshParams{3, 3}, 9, queues);
    result.emplace_back(TorusParams{2, 4}, 8, queues);
    return result;
}

/// When each packet has arrived in a network that nobody but this loop drives, by message and packet: each node's
/// packets in order, each when the one before has left.
std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> driven_by_hand(const RoutersOf& of, const Scripted& s) {
    struct Packet {
        std::uint64_t tag;
        std::uint32_t sequence, flow, flits;
        Time eligible;
    };
    const RouterLinks links(of.grid(), of.params.links);
    RouterNetwork network(of.grid(), of.router, 1);
    std::vector<std::deque<Packet>> waiting(of.topology.ranks);
    std::size_t left = 0;
    for (const Sending& sending : s.script)
        for (std::uint32_t i = 0; i < sending.message.packets; ++i, ++left)
            waiting[s.ends[sending.flow].first].push_back(
                {sending.message.tag, i, sending.flow,
                 static_cast<std::uint32_t>((sending.message.wire_of(i).count + 63) / 64), sending.eligible[i]});
    std::map<std::pair<std::uint32_t, Cycles>, Packet> under_way;
    std::map<std::uint32_t, std::deque<Cycles>> of_flow;   // begun, not taken
    std::map<std::uint32_t, std::uint64_t> number;         // packets of a flow so far
    std::set<std::pair<std::uint32_t, Cycles>> there;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> arrivals;
    for (; left > 0; network.step()) {
        for (const Flit& flit : network.arrived()) {   // in the cycle before this one
            if (!flit.tail) continue;
            there.insert({flit.from, flit.created});
            auto& order = of_flow[under_way.at({flit.from, flit.created}).flow];
            for (; !order.empty() && there.contains({flit.from, order.front()}); order.pop_front(), --left) {
                const Packet& packet = under_way.at({flit.from, order.front()});
                arrivals[{packet.tag, packet.sequence}] =
                    (static_cast<std::int64_t>(network.now() - 1) * cycle + nic_latency).ps;
            }
        }
        for (std::uint32_t node = 0; node < of.topology.ranks; ++node) {
            auto& queue = waiting[node];
            if (queue.empty() || !network.idle(node)) continue;
            const Packet packet = queue.front();
            if (packet.eligible > static_cast<std::int64_t>(network.now()) * cycle) continue;
            queue.pop_front();
            const std::uint32_t to = s.ends[packet.flow].second;
            const std::uint8_t way = *links.coins_for(s.paths[packet.flow]);
            network.begin(node, to, network.now(), RouterFabric::coins(0, node, to, number[packet.flow]++, way),
                          packet.flits);
            under_way[{node, network.now()}] = packet;
            of_flow[packet.flow].push_back(network.now());
        }
    }
    return arrivals;
}

/// As the fabric's clients do, but with one queue for all flows of a rank.
class OneQueue : public FabricClient {
public:
    OneQueue(const RoutersOf& of, const Scripted& s) : fabric(of.params, of.grid(), of.router, *this), s_(s) {
        for (const auto& path : s.paths) fabric.add_flow(path, 0);
        fabric.call_at({}, 0, 0, 0, 0);
        while (fabric.next_time() != Fabric::never) fabric.step();
    }
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t tag, std::uint32_t sequence) override {
        EXPECT_EQ(sequence, next_[tag]++) << "out of order, or twice";
        arrivals[{tag, sequence}] = fabric.now().ps;
    }
    void called(std::uint32_t, std::uint32_t) override {
        for (const Sending& sending : s_.script)
            fabric.send(FlowId{sending.flow}, sending.message, sending.eligible, sending.wanted);
    }
    RouterFabric fabric;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> arrivals;

private:
    const Scripted& s_;
    std::map<std::uint64_t, std::uint32_t> next_;
};

TEST(ARouterFabric, IsTheNetworkOfRoutersDrivenByHandOnRandomTraffic) {
    for (std::uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed)
        for (const RoutersOf& of : random_routers(seed)) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << of.topology.ranks << " ranks");
            const Scripted script(of, seed);
            EXPECT_EQ(OneQueue(of, script).arrivals, driven_by_hand(of, script));
        }
}

TEST(ARouterFabric, TakesEveryFlitOverEveryLinkOfItsWayOnce) {
    for (std::uint64_t seed = 1; seed <= 10 && !HasFailure(); ++seed)
        for (const RoutersOf& of : random_routers(seed)) {
            const Scripted script(of, seed);
            Finished run(of, script.paths, script.script);
            std::vector<std::uint64_t> flits(of.params.links.size()), packets_of(flits), bytes(flits);
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
            for (std::uint32_t e = 0; e < flits.size(); ++e) {
                const LinkUse& use = run.traffic.fabric.use(e);
                EXPECT_EQ(std::tie(use.flits, use.packets, use.wire_bytes),
                          std::tie(flits[e], packets_of[e], bytes[e]));
                Time busy;
                for (const Span span : use.busy) busy += span.end - span.begin;
                EXPECT_EQ(busy, static_cast<std::int64_t>(flits[e]) * cycle) << "a cycle for each flit";
            }
            EXPECT_FALSE(run.traffic.fabric.standstill());
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
    const auto steps = [&](Time pause) {
        Sending two = packets(0, 2, 64_B, 64_B, {}, 0);
        two.eligible = {Time{}, pause};
        return Finished(of, {of.path(0, 1)}, {two}).traffic.fabric.steps();
    };
    EXPECT_EQ(steps(1_ms), steps(1000_ms));
    EXPECT_LT(steps(1_ms), 100u);
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
    void send() { fabric.send(flow_, {sent_++, 1, 64_B, 64_B}, std::vector{fabric.now()}, std::vector{0u}); }
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
            fabric.send(FlowId{sending.flow}, sending.message, eligible, sending.wanted);
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
            const std::uint8_t coins = RouterFabric::coins(draw, 1, 2, number, way);
            EXPECT_EQ(coins & 3, way);
            classes.insert(coins >> 2);
        }
    EXPECT_EQ(classes, (std::set<int>{0, 1, 2, 3}));
}

// Packets of eight flits round a ring of four, each to the node half way east of it: without a dateline each holds the
// only VC of a link and waits for the next one.
TEST(ARouterFabric, NamesTheCycleOfWaitsOfADeadlock) {
    InputQueuedParams one;
    one.vcs = 1;
    one.vc_flits = 1;
    const RoutersOf of(TorusParams{1, 4}, 4, one);
    const RouterGrid no_dateline(router_grid(*of.topology.grid), false);
    const RouterLinks links(no_dateline, of.params.links);
    std::vector<std::vector<Hop>> paths;
    std::vector<Sending> script;
    for (std::uint32_t r = 0; r < 4; ++r) {
        paths.push_back({{links.into(r)},
                         {links.out_of(r, Port::east)},
                         {links.out_of((r + 1) % 4, Port::east)},
                         {links.out_of((r + 2) % 4, Port::node)}});
        script.push_back(packets(r, 1, 512_B, 512_B, {}, r));
    }
    RouterTraffic traffic(of.params, paths, script, no_dateline, of.router);
    try {
        traffic.run();
        FAIL() << "no deadlock";
    } catch (const RouterDeadlock& deadlock) {
        EXPECT_THAT(deadlock.what(), HasSubstr("router (0, 0) port west VC 0 waits for"));
        EXPECT_THAT(deadlock.what(), HasSubstr("router (3, 0) port west VC 0"));
    }
    const RoutersOf safe(TorusParams{1, 4}, 4);
    EXPECT_EQ(Finished(safe, paths, script).traffic.arrivals.size(), 4u) << "two VCs and a dateline";
}

TEST(ARouterFabric, RefusesAWayThatIsNotInDimensionOrder) {
    const RoutersOf of(MeshParams{2, 2}, 4);
    const RouterLinks links(of.grid(), of.params.links);
    EXPECT_THROW(RouterTraffic(of.params,
                               {{{links.into(0)},
                                 {links.out_of(0, Port::north)},
                                 {links.out_of(2, Port::east)},
                                 {links.out_of(3, Port::node)}}},
                               {}, of.grid(), of.router),
                 std::invalid_argument);
}

}   // namespace
}   // namespace oscar

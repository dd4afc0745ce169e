// The fabric of routers against routers that a loop drives cycle by cycle.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "tests/network/grid/router_support.hpp"

namespace oscar::router_by_hand_test {
namespace {

using test::cycle;
using test::nic_latency;
using test::random_routers;
using test::RoutersOf;
using test::Scripted;
using test::Sending;

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
    IndexedVector<NodeId, std::deque<Packet>> waiting(of.topology.ranks);
    std::size_t left = 0;
    for (const Sending& sending : s.script)
        for (std::uint32_t i = 0; i < sending.message.packets; ++i, ++left)
            waiting[node_of(Rank{s.ends[sending.flow].first})].push_back(
                {sending.message.tag, i, sending.flow,
                 static_cast<std::uint32_t>((sending.message.wire_of(i).count + 63) / 64), sending.eligible[i]});
    std::map<std::pair<std::uint32_t, Cycles>, Packet> under_way;
    std::map<std::uint32_t, std::deque<Cycles>> of_flow;   // begun, not taken
    std::map<std::uint32_t, std::uint64_t> number;         // packets of a flow so far
    std::set<std::pair<std::uint32_t, Cycles>> there;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> arrivals;
    for (; left > 0; network.step()) {
        for (const RouterFlit& flit : network.arrived()) {   // in the cycle before this one
            if (!flit.tail) continue;
            there.insert({flit.from, flit.created});
            auto& order = of_flow[under_way.at({flit.from, flit.created}).flow];
            for (; !order.empty() && there.contains({flit.from, order.front()}); order.pop_front(), --left) {
                const Packet& packet = under_way.at({flit.from, order.front()});
                arrivals[{packet.tag, packet.sequence}] =
                    (static_cast<std::int64_t>(network.now() - 1) * cycle + nic_latency).ps;
            }
        }
        for (const NodeId node : waiting.indices()) {
            auto& queue = waiting[node];
            if (queue.empty() || !network.idle(node)) continue;
            const Packet packet = queue.front();
            if (packet.eligible > static_cast<std::int64_t>(network.now()) * cycle) continue;
            queue.pop_front();
            const NodeId to = node_of(Rank{s.ends[packet.flow].second});
            const std::uint8_t way = *links.coins_for(s.paths[packet.flow]);
            network.begin(node, to, network.now(), RouterFabric::coins(0, node, to, number[packet.flow]++, way),
                          packet.flits);
            under_way[{node.value, network.now()}] = packet;
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
            fabric.send(FlowId{sending.flow}, sending.message, test::time_runs(sending.eligible), sending.reported);
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
            SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << of.topology.ranks << " ranks");
            const Scripted script(of, seed);
            EXPECT_EQ(OneQueue(of, script).arrivals, driven_by_hand(of, script));
        }
}

}   // namespace
}   // namespace oscar::router_by_hand_test

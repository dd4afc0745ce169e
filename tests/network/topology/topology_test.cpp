// Every kind against the formulas of its shape.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "tests/network/topology/support.hpp"

namespace oscar::topology_test {
namespace {

using ::testing::HasSubstr;

constexpr LinkParams link{100_Gbps, 1_us, 64_KiB};

IndexedVector<NodeId, std::uint32_t> degrees(const Topology& topology) {
    IndexedVector<NodeId, std::uint32_t> out(topology.nodes());
    for (const auto& edge : topology.edges) ++out[edge.from];
    return out;
}

std::size_t links_to_ranks(const Topology& topology) {
    return static_cast<std::size_t>(
        std::ranges::count_if(topology.edges, [&](const auto& e) { return !topology.is_switch(e.to); }));
}

template <class F>
std::string error_of(F&& make) {
    try {
        make();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "no error";
}

TEST(EveryTopology, IsCabledBothWaysWithTheSameLinkAtEveryNumberOfRanks) {
    for (std::uint32_t n = 2; n <= 33; ++n)
        test::for_each_topology(n, [&](std::string_view name, const Topology& topology) {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(n));
            EXPECT_EQ(topology.ranks, n);
            std::map<std::pair<NodeId, NodeId>, int> cables;
            for (const auto& edge : topology.edges) {
                ASSERT_LT(std::max(edge.from, edge.to).value, topology.nodes());
                EXPECT_NE(edge.from, edge.to);
                ++cables[{edge.from, edge.to}];
                --cables[{edge.to, edge.from}];
            }
            for (const auto& [ends, surplus] : cables)
                EXPECT_EQ(surplus, 0) << ends.first.value << " " << ends.second.value;
            EXPECT_EQ(links_to_ranks(topology) % n, 0u);   // all ranks have as many
        });
}

TEST(Cables, HaveBothDirectionsOfAllThatTheirEdgeSays) {
    Topology topology{2, 0};
    topology.cable(NodeId{1}, NodeId{0}, {NodeId{7}, NodeId{7}, {25_Gbps}, 3, true, 4, 5});
    ASSERT_EQ(topology.edges.size(), 2u);
    for (const EdgeId e : topology.edges.indices()) {
        const Topology::Edge& edge = topology.edges[e];
        EXPECT_EQ(edge.from, NodeId{1 - e.value});
        EXPECT_EQ(edge.to, NodeId{e.value});
        EXPECT_EQ(edge.link.bandwidth, 25_Gbps);
        EXPECT_EQ(std::tuple(edge.cost, edge.dateline, edge.line, edge.dimension), std::tuple(3u, true, 4u, 5u));
    }
}

TEST(Star, HasALinkUpAndOneDownForEachRank) {
    for (const std::uint32_t n : {2u, 5u, 64u}) {
        const Topology star = make_topology(StarParams{}, n, link);
        EXPECT_EQ(star.switches, 1u);
        EXPECT_EQ(star.edges.size(), 2 * n);
        EXPECT_EQ(star.edge_name(EdgeId{2}), "rank1->switch0");
        EXPECT_EQ(star.edge_name(EdgeId{3}), "switch0->rank1");
        for (const auto& edge : star.edges) EXPECT_EQ(edge.link, link);
    }
}

TEST(CableRing, HasNeighboursAndNoSwitch) {
    for (const std::uint32_t n : {2u, 3u, 5u, 33u}) {
        const Topology ring = make_topology(CableRingParams{}, n, link);
        EXPECT_EQ(ring.switches, 0u);
        EXPECT_EQ(ring.edges.size(), n == 2 ? 2 : 2 * n);
        for (const auto& edge : ring.edges)
            EXPECT_TRUE((edge.from.value + 1) % n == edge.to.value || (edge.to.value + 1) % n == edge.from.value);
    }
}

TEST(CableRing, ThatForwardsIsATorusOfOneDimension) {
    for (const std::uint32_t n : {2u, 3u, 4u, 8u, 33u}) {
        const Topology ring = make_topology(CableRingParams{.forwards = true}, n, link);
        const Topology torus = make_topology(TorusParams{.dimensions = {n}}, n, link);
        EXPECT_EQ(ring.switches, n);
        ASSERT_EQ(ring.edges.size(), torus.edges.size());
        for (const EdgeId e : ring.edges.indices()) {
            const auto &a = ring.edges[e], &b = torus.edges[e];
            EXPECT_EQ(std::tie(a.from, a.to, a.dateline, a.line, a.place, a.rises),
                      std::tie(b.from, b.to, b.dateline, b.line, b.place, b.rises));
        }
    }
}

TEST(CableRing, ThatForwardsSendsTheShorterWayRoundAndLoadsAllItsLinksAlike) {
    for (const std::uint32_t n : {4u, 5u, 8u, 12u}) {   // of 6 and 10, ranks opposite each other would need half a path
        const Topology ring = make_topology(CableRingParams{.forwards = true}, n, link);
        const Routes routes(ring, {}, 2);
        std::vector<std::uint32_t> paths(ring.edges.size());
        for (std::uint32_t from = 0; from < n; ++from)
            for (std::uint32_t to = 0; to < n; ++to) {
                if (from == to) continue;
                const std::uint32_t up = (to + n - from) % n;
                EXPECT_EQ(routes.path(Rank{from}, Rank{to}).size(), 2 + std::min(up, n - up));
                for (const Hop& hop : routes.path(Rank{from}, Rank{to})) ++paths[hop.edge.value];
            }
        for (const EdgeId e : ring.edges.indices())
            if (ring.is_switch(ring.edges[e].from) && ring.is_switch(ring.edges[e].to)) {
                EXPECT_EQ(paths[e.value], n / 2 * ((n + 1) / 2) / 2) << n << ", " << ring.edge_name(e);
            }
    }
}

struct GridSize {
    std::uint32_t rows, columns;
};
constexpr std::array grid_sizes{GridSize{1, 2}, GridSize{2, 2}, GridSize{1, 7}, GridSize{3, 4},
                                GridSize{4, 4}, GridSize{5, 2}, GridSize{8, 8}};

TEST(Mesh, HasARouterPerRankAndCablesInRowsAndColumns) {
    for (const auto [rows, columns] : grid_sizes) {
        const std::uint32_t n = rows * columns;
        const Topology mesh = make_topology(MeshParams{rows, columns}, n, link);
        EXPECT_EQ(mesh.switches, n);
        EXPECT_EQ(mesh.edges.size(), 2 * (n + rows * (columns - 1) + columns * (rows - 1)));
        const auto degree = degrees(mesh);
        EXPECT_LE(*std::max_element(degree.begin(), degree.end()), 5u);
        for (std::uint32_t r = 0; r < n; ++r) EXPECT_EQ(degree[node_of(Rank{r})], 1u);
    }
}

TEST(Torus, HasTwoCablesPerRouterWhereLinesAreOfThreeAndMore) {
    for (const auto [rows, columns] : grid_sizes) {
        const std::uint32_t n = rows * columns;
        const Topology torus = make_topology(TorusParams{rows, columns}, n, link);
        const auto per_line = [](std::uint32_t size) { return size >= 3 ? size : size - 1; };
        EXPECT_EQ(torus.edges.size(), 2 * (n + rows * per_line(columns) + columns * per_line(rows)));
        const auto datelines =
            static_cast<std::uint32_t>(std::ranges::count_if(torus.edges, &Topology::Edge::dateline));
        EXPECT_EQ(datelines, 2 * ((columns >= 3 ? rows : 0) + (rows >= 3 ? columns : 0)));
    }
}

TEST(Grids, AreAsSquareAsTheDivisorsOfTheRanksAllow) {
    const auto grid = [](std::uint32_t n, MeshParams params = {}) { return *make_topology(params, n, link).grid; };
    EXPECT_EQ(grid(64).rows, 8u);
    EXPECT_EQ(grid(12).rows, 3u);
    EXPECT_EQ(grid(7).rows, 1u);
    EXPECT_EQ(grid(12, {6, 0}).columns, 2u);
    EXPECT_EQ(grid(12, {0, 6}).rows, 2u);
    EXPECT_THAT(error_of([] {
                    make_topology(MeshParams{4, 4}, 8, link);
                }),
                HasSubstr("the topology has 16 nodes, the run 8 ranks; choose rows and columns"));
    EXPECT_THAT(error_of([] { make_topology(TorusParams{3, 0}, 8, link); }), HasSubstr("6 nodes"));
}

TEST(FatTree, OfThreeLevelsHasTheNumbersOfTheLiterature) {
    for (const std::uint32_t k : {2u, 4u, 6u, 8u}) {
        const std::uint32_t n = k * k * k / 4;
        const Topology tree = make_topology(FatTreeParams{k}, n, link);
        EXPECT_EQ(tree.switches, 5 * k * k / 4);
        EXPECT_EQ(tree.edges.size(), 2 * 3 * n);   // as many cables at each of three levels
        for (std::uint32_t s = 0; s < tree.switches; ++s) EXPECT_EQ(degrees(tree)[tree.switch_node(s)], k);
    }
}

TEST(FatTree, OfTwoLevelsJoinsKEdgeSwitchesByHalfAsManyCores) {
    for (const std::uint32_t k : {2u, 4u, 8u}) {
        const Topology tree = make_topology(FatTreeParams{k, 2}, k * k / 2, link);
        EXPECT_EQ(tree.switches, k + k / 2);
        EXPECT_EQ(tree.edges.size(), 2 * 2 * k * k / 2);
    }
}

TEST(FatTree, OversubscribedHasSoManyTimesMoreRanksThanUplinks) {
    for (const std::uint32_t o : {1u, 2u, 4u})
        for (const std::uint32_t levels : {2u, 3u}) {
            const std::uint32_t k = 4, edges = levels == 2 ? k : k * k / 2;
            const Topology tree = make_topology(FatTreeParams{k, levels, o}, edges * o * k / 2, link);
            for (std::uint32_t s = 0; s < edges; ++s) {
                std::uint32_t up = 0, down = 0;
                for (const auto& edge : tree.edges)
                    if (edge.from == tree.switch_node(s)) ++(tree.is_switch(edge.to) ? up : down);
                EXPECT_EQ(down, o * up);
            }
        }
}

/// The most that can flow at once from the ranks below `half` to the others, a unit a link. (Ford & Fulkerson)
std::uint32_t max_flow(const Topology& topology, std::uint32_t half) {
    IndexedVector<EdgeId, int> capacity(topology.edges.size(), 1), back(topology.edges.size(), 0);
    IndexedVector<Rank, bool> sent(topology.ranks, false), received(topology.ranks, false);
    for (std::uint32_t flow = 0;; ++flow) {
        IndexedVector<NodeId, std::int64_t> came(topology.nodes(), -2);   // edge * 2 + backwards
        std::queue<NodeId> open;
        for (std::uint32_t r = 0; r < half; ++r)
            if (const NodeId node = node_of(Rank{r}); !sent[Rank{r}]) came[node] = -1, open.push(node);
        std::optional<Rank> end;
        while (!open.empty() && !end) {
            const NodeId node = open.front();
            open.pop();
            if (!topology.is_switch(node) && node.value >= half && !received[rank_of(node)]) end = rank_of(node);
            if (!topology.is_switch(node) && came[node] >= 0) continue;
            for (const EdgeId e : topology.edges.indices()) {
                const auto& edge = topology.edges[e];
                const auto go = [&](NodeId to, int room, bool backwards) {
                    if (room == 0 || came[to] != -2) return;
                    came[to] = std::int64_t{2} * e.value + backwards;
                    open.push(to);
                };
                if (edge.from == node) go(edge.to, capacity[e], false);
                if (edge.to == node) go(edge.from, back[e], true);
            }
        }
        if (!end) return flow;
        received[*end] = true;
        NodeId node = node_of(*end);
        for (; came[node] >= 0;) {
            const EdgeId e{static_cast<std::uint32_t>(came[node] / 2)};
            const int forwards = came[node] % 2 == 0 ? 1 : -1;
            capacity[e] -= forwards;
            back[e] += forwards;
            node = forwards == 1 ? topology.edges[e].from : topology.edges[e].to;
        }
        sent[rank_of(node)] = true;
    }
}

TEST(FatTree, HasFullBisectionAndAnOversubscribedOneSoMuchLess) {
    // Half of the ranks, whole pods, send to the other half: 16 of 16 at full bisection, a quarter at 4:1.
    EXPECT_EQ(max_flow(make_topology(FatTreeParams{4}, 16, link), 8), 8u);
    EXPECT_EQ(max_flow(make_topology(FatTreeParams{4, 2}, 8, link), 4), 4u);
    EXPECT_EQ(max_flow(make_topology(FatTreeParams{4, 2, 4}, 32, link), 16), 4u);
    EXPECT_EQ(max_flow(make_topology(FatTreeParams{4, 3, 2}, 32, link), 16), 8u);
}

TEST(FatTree, IsTheSmallestThatHasRoomAndSaysWhichWouldHave) {
    EXPECT_EQ(make_topology(FatTreeParams{}, 16, link).switches, 20u);   // k = 4
    EXPECT_EQ(make_topology(FatTreeParams{}, 17, link).switches, 45u);   // k = 6
    EXPECT_THAT(error_of([] { make_topology(FatTreeParams{4}, 32, link); }),
                HasSubstr("the topology has 16 nodes, the run 32 ranks; raise k to 6"));
    EXPECT_THAT(error_of([] { make_topology(FatTreeParams{5}, 8, link); }), HasSubstr("choose an even number"));
}

TEST(LeafSpine, CablesEachLeafToEachSpineAsOftenAsItIsToldTo) {
    LeafSpineParams params{4, 4, 2, 3};
    params.spine_link.bandwidth = 10_Gbps;
    const Topology topology = make_topology(params, 16, link);
    EXPECT_EQ(topology.switches, 4u + 2u);
    EXPECT_EQ(topology.edges.size(), 2 * (16 + 4 * 2 * 3));
    for (const auto& edge : topology.edges) {
        const bool trunk = topology.is_switch(edge.from) && topology.is_switch(edge.to);
        EXPECT_EQ(edge.link.bandwidth, trunk ? 10_Gbps : link.bandwidth);
        EXPECT_EQ(edge.link.propagation, link.propagation);
    }
}

TEST(LeafSpine, HasAsManySpinesAsItsOversubscriptionAllows) {
    const auto spines = [](LeafSpineParams params) { return make_topology(params, 64, link).switches - params.leaves; };
    EXPECT_EQ(spines({8, 8, 0, 1, 1}), 8u);
    EXPECT_EQ(spines({8, 8, 0, 2, 1}), 4u);
    EXPECT_EQ(spines({8, 8, 0, 1, 4}), 2u);
    EXPECT_EQ(make_topology(LeafSpineParams{}, 64, link).switches, 8u + 8u);
    EXPECT_THAT(error_of([] {
                    make_topology(LeafSpineParams{2, 4}, 16, link);
                }),
                HasSubstr("the topology has 8 nodes, the run 16 ranks; raise leaves or hosts"));
}

TEST(Dragonfly, HasCompleteGroupsAndTheSameNumberOfCablesBetweenAnyTwo) {
    struct Size {
        DragonflyParams params;
        std::uint32_t ranks, copies;   // copies = floor(routers * links / (groups - 1))
    };
    for (const auto& [p, ranks, copies] :
         {Size{{9, 4, 2, 2}, 72, 1}, Size{{3, 4, 2, 2}, 24, 4}, Size{{4, 3, 1, 2}, 12, 2}, Size{{1, 4, 2, 2}, 8, 0}}) {
        const Topology topology = make_topology(p, ranks, link);
        EXPECT_EQ(topology.switches, p.groups * p.routers);
        const std::uint32_t local = p.groups * p.routers * (p.routers - 1) / 2;
        const std::uint32_t global = p.groups * (p.groups - 1) / 2 * copies;
        EXPECT_EQ(topology.edges.size(), 2 * (ranks + local + global));
        std::map<NodeId, std::uint32_t> ports;   // global ones, of each router
        for (const auto& edge : topology.edges) ports[edge.from] += edge.dateline;
        for (const auto& [node, used] : ports) EXPECT_LE(used, p.links) << topology.node_name(node);
    }
}

TEST(Dragonfly, SaysWhenGroupsCannotReachEachOther) {
    EXPECT_THAT(error_of([] {
                    make_topology(DragonflyParams{9, 4, 2, 1}, 72, link);
                }),
                HasSubstr("reaches 4 groups, but there are 8 others; raise links or routers"));
    EXPECT_THAT(error_of([] { make_topology(DragonflyParams{2, 2, 2, 2}, 16, link); }), HasSubstr("has 8 nodes"));
}

TEST(Hierarchical, GivesEachRankALinkToItsIslandAndOneToItsRail) {
    const IslandsParams rails{4, {}, true, 1};
    const Topology topology = make_topology(rails, 16, link);
    EXPECT_EQ(topology.switches, 4u + 4u + 1u);
    EXPECT_EQ(topology.edges.size(), 2 * (16 + 16 + 4));
    for (std::uint32_t r = 0; r < 16; ++r) {
        std::set<NodeId> ends;
        for (const auto& edge : topology.edges)
            if (edge.from == node_of(Rank{r})) ends.insert(edge.to);
        EXPECT_EQ(ends, (std::set{topology.switch_node(r / 4), topology.switch_node(4 + r % 4)}));
    }
    EXPECT_EQ(make_topology(IslandsParams{4, {}, false, 1}, 16, link).switches, 4u + 1u);
}

TEST(Hierarchical, HasLinksOfItsOwnOnAnIsland) {
    for (const auto& edge : make_topology(IslandsParams{}, 16, link).edges) {
        const std::set<std::uint32_t> ends{edge.from.value, edge.to.value};   // nodes 16 and 17: the islands
        const bool island = ends.contains(16) || ends.contains(17);
        EXPECT_EQ(edge.link.bandwidth, island ? 3600_Gbps : link.bandwidth);
    }
}

TEST(Graph, HasTheLinksOfItsListInTheirDirections) {
    GraphParams graph;
    graph.switches = 1;
    GraphEdge both, one;
    both.from = "rank0";
    both.to = one.from = "switch0";
    both.buffer = 1_KiB;
    one.to = "rank1";
    one.one_way = true;
    graph.edges = {both, one};
    const Topology topology = make_topology(graph, 2, link);
    ASSERT_EQ(topology.edges.size(), 3u);
    EXPECT_EQ(topology.edge_name(EdgeId{0}), "rank0->switch0");
    EXPECT_EQ(topology.edge_name(EdgeId{1}), "switch0->rank0");
    EXPECT_EQ(topology.edge_name(EdgeId{2}), "switch0->rank1");
    EXPECT_EQ(topology.edges[EdgeId{1}].link, (LinkParams{link.bandwidth, link.propagation, 1_KiB}));
    EXPECT_EQ(topology.edges[EdgeId{2}].link, link);
}

TEST(Graph, NamesTheEdgeWhoseEndIsUnknown) {
    const auto error = [](const char* from, const char* to) {
        GraphParams graph;
        graph.switches = 2;
        graph.edges.resize(2);
        graph.edges[0].from = "rank0", graph.edges[0].to = "switch1";
        graph.edges[1].from = from, graph.edges[1].to = to;
        return error_of([&] { make_topology(graph, 3, link); });
    };
    EXPECT_EQ(error("rank1", "swich0"), "edges.1: no node 'swich0'; there are rank0 to rank2 and switch0 to switch1");
    EXPECT_THAT(error("rank3", "switch0"), HasSubstr("no node 'rank3'"));
    EXPECT_THAT(error("switch02x", "rank0"), HasSubstr("no node 'switch02x'"));
    EXPECT_THAT(error("switch0", "switch0"), HasSubstr("leads from switch0 to itself"));
}

TEST(StarAndRing, WantNodesThatAgreeWithTheRanks) {
    EXPECT_EQ(error_of([] { make_topology(StarParams{4}, 4, link); }), "no error");
    EXPECT_EQ(error_of([] { make_topology(StarParams{8}, 4, link); }),
              "the topology has 8 nodes, the run 4 ranks; make them equal, or leave nodes at 0");
    EXPECT_THAT(error_of([] { make_topology(CableRingParams{3}, 4, link); }), HasSubstr("3 nodes"));
}

}   // namespace
}   // namespace oscar::topology_test

// Tori of any number of dimensions, written as graphs: their lines, the order of their dimensions, and deadlock.
#include "models/network/topology/lines.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "models/network/topology/deadlock.hpp"
#include "models/network/topology/routes.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::lines_test {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using Sizes = std::vector<std::uint32_t>;

/// A torus with a rank at each switch, whose wrap-around cables are datelines; lines of two have one cable. Switch
/// number i of the torus is switch number names[i] of the graph.
GraphParams torus(const Sizes& sizes, const Sizes& names) {
    GraphParams graph;
    graph.switches = static_cast<std::uint32_t>(names.size());
    for (std::uint32_t i = 0; i < graph.switches; ++i) {
        const auto add = [&](const std::string& from, std::uint32_t to, bool dateline) {
            GraphEdge edge;
            edge.from = from;
            edge.to = "switch" + std::to_string(names[to]);
            edge.dateline = dateline;
            graph.edges.push_back(edge);
        };
        add("rank" + std::to_string(i), i, false);
        std::uint32_t stride = 1;
        for (const std::uint32_t size : sizes) {
            const std::uint32_t at = i / stride % size, next = i - at * stride + (at + 1) % size * stride;
            const bool wraps = at + 1 == size;
            if (size > 2 || !wraps) add("switch" + std::to_string(names[i]), next, wraps);
            stride *= size;
        }
    }
    return graph;
}

Sizes in_order(std::uint32_t count) {
    Sizes names(count);
    std::iota(names.begin(), names.end(), 0u);
    return names;
}

std::uint32_t product(const Sizes& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1u, std::multiplies<>{});
}

Topology torus_of(const Sizes& sizes) {
    return make_topology(torus(sizes, in_order(product(sizes))), product(sizes), {});
}

TEST(Lines, OfATorusAreItsRingsWhateverItsSwitchesAreCalled) {
    for (const Sizes& sizes : {Sizes{6}, {4, 4}, {3, 5}, {3, 3, 3}, {4, 4, 4}, {3, 4, 5}, {3, 3, 3, 3}, {4, 3, 2}}) {
        const std::uint32_t n = product(sizes);
        Sizes names = in_order(n);
        for (std::uint32_t i = 0; i < n; ++i) std::swap(names[i], names[(i * 7919 + 13) % n]);
        const Topology topology = make_topology(torus(sizes, names), n, {});
        std::uint32_t rings = 0;
        for (const std::uint32_t size : sizes) rings += n / size;
        std::set<std::uint32_t> lines, dimensions;
        for (const Topology::Edge& edge : topology.edges) {
            const bool between = topology.is_switch(edge.from) && topology.is_switch(edge.to);
            EXPECT_EQ(edge.line != Topology::none, between);
            if (between) lines.insert(edge.line), dimensions.insert(edge.dimension);
        }
        EXPECT_EQ(lines.size(), rings) << n;
        EXPECT_EQ(dimensions.size(), sizes.size()) << n;
    }
}

TEST(Lines, AreNoneWithoutDatelinesNorWhereTheyCloseNone) {
    EXPECT_FALSE(find_lines(make_topology(test::switch_ring(6, 0), 6, {})));
    EXPECT_FALSE(find_lines(make_topology(test::switch_ring(6, 2), 6, {})));   // which of them closes the ring?
    EXPECT_FALSE(find_lines(make_topology(DragonflyParams{9, 4, 2, 2}, 72, {})));
    GraphParams crossed = torus({4, 4}, in_order(16));
    GraphEdge diagonal;
    diagonal.from = "switch0", diagonal.to = "switch5", diagonal.dateline = true;   // two shortest paths
    crossed.edges.push_back(diagonal);
    EXPECT_FALSE(find_lines(make_topology(crossed, 16, {})));
}

TEST(DimensionOrder, InAGraphFinishesOneDimensionBeforeTheNextByAShortestWay) {
    const Topology topology = torus_of({4, 3, 5});
    const Routes routes(topology, DimensionOrderParams{}, 2);
    for (std::uint32_t from = 0; from < topology.ranks; ++from) {
        const auto least = test::least_costs(topology, Rank{from});
        for (std::uint32_t to = 0; to < topology.ranks; ++to) {
            if (from == to) continue;
            const auto path = routes.path(Rank{from}, Rank{to});
            ASSERT_TRUE(test::connects(topology, path, Rank{from}, Rank{to}));
            EXPECT_EQ(test::cost_of(topology, path), least[node_of(Rank{to})]);
            for (std::size_t i = 2; i + 1 < path.size(); ++i) {
                const auto &before = topology.edges[path[i - 1].edge], &after = topology.edges[path[i].edge];
                EXPECT_LE(before.dimension, after.dimension);
                const bool crossed = before.line == after.line && (path[i - 1].channel == 1 || before.dateline);
                EXPECT_EQ(path[i].channel, crossed ? 1 : 0) << "the class is of the line";
            }
        }
    }
}

/// In each dimension of a ring of n, n even, a link is crossed M n^2 / 8 times, of M = ranks / n (lattice_test.cpp).
TEST(DimensionOrder, InAGraphOfEvenSizesLoadsAllLinksOfADimensionAlike) {
    for (const Sizes& sizes : {Sizes{4, 4}, {4, 4, 4}, {6, 4}, {8, 8}}) {
        const std::uint32_t n = product(sizes);
        Sizes names = in_order(n);
        for (std::uint32_t i = 0; i < n; ++i) std::swap(names[i], names[(i * 7919 + 13) % n]);
        const Topology topology = make_topology(torus(sizes, names), n, {});
        const Routes routes(topology, DimensionOrderParams{}, 2);
        IndexedVector<EdgeId, std::uint32_t> crossed(topology.edges.size());
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = 0; b < n; ++b)
                if (a != b)
                    for (const Hop& hop : routes.path(Rank{a}, Rank{b})) ++crossed[hop.edge];
        std::map<std::uint32_t, std::set<std::uint32_t>> of_dimension;
        for (const EdgeId e : topology.edges.indices())
            if (topology.edges[e].dimension != Topology::none)
                of_dimension[topology.edges[e].dimension].insert(crossed[e]);
        std::multiset<std::uint32_t> loads, expected;
        for (const auto& [dimension, different] : of_dimension) loads.insert(different.begin(), different.end());
        for (const std::uint32_t size : sizes) expected.insert(n * size / 8);
        EXPECT_EQ(loads, expected) << n;
    }
}

TEST(WaitCycles, OfATorusOfAnyDimensionsAreOpenedByItsDatelinesAndTwoClasses) {
    for (const Sizes& sizes : {Sizes{4, 4}, {5, 5}, {3, 3, 3}, {4, 4, 4}, {6, 4, 5}, {4, 4, 2}, {3, 3, 3, 3}}) {
        const Topology topology = torus_of(sizes);
        SCOPED_TRACE(topology.switches);
        EXPECT_THAT(find_wait_cycle(topology, {}, 2), IsEmpty());
        EXPECT_THAT(find_wait_cycle(topology, {}, 6), IsEmpty());
        EXPECT_THAT(find_wait_cycle(topology, ShortestParams{}, 2), Not(IsEmpty())) << "dimensions in any order";
        const bool rings = std::ranges::max(sizes) > 3;   // on a ring of three each way is one link
        EXPECT_EQ(find_wait_cycle(topology, {}, 1).empty(), !rings);
    }
}

}   // namespace
}   // namespace oscar::lines_test

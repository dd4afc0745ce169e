// Lattices of any number of dimensions: cables, routes, placements of ranks.
#include "models/network/topology/kinds/lattice.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "models/network/topology/deadlock.hpp"
#include "models/network/topology/kinds/topologies.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar::lattice_test {
namespace {

using Sizes = std::vector<std::uint32_t>;

TorusParams torus(const Sizes& dimensions, Placement placement = Placement::row_major) {
    TorusParams params;
    params.dimensions = dimensions;
    params.placement = placement;
    return params;
}

std::uint32_t product(const Sizes& dimensions) {
    std::uint32_t ranks = 1;
    for (const std::uint32_t size : dimensions) ranks *= size;
    return ranks;
}

/// Coordinates of a router, the last dimension first.
std::vector<std::uint32_t> coordinates(std::uint32_t router, const Sizes& dimensions) {
    std::vector<std::uint32_t> result;
    for (std::size_t d = dimensions.size(); d-- > 0; router /= dimensions[d]) result.push_back(router % dimensions[d]);
    return result;
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b, std::uint32_t size, bool wraps) {
    const std::uint32_t forth = a < b ? b - a : a - b;
    return wraps ? std::min(forth, size - forth) : forth;
}

/// The hops between routers from rank to rank, and the dimension of each.
void expect_shortest_in_dimension_order(const Topology& topology, const Sizes& dimensions, bool wraps) {
    const Routes routes(topology, RoutingParams{}, 2);
    for (std::uint32_t a = 0; a < topology.ranks; ++a)
        for (std::uint32_t b = 0; b < topology.ranks; ++b) {
            if (a == b) continue;
            const auto path = routes.path(Rank{a}, Rank{b});
            const auto from = coordinates(a, dimensions), to = coordinates(b, dimensions);
            std::size_t hops = 0;
            for (std::size_t d = 0; d < from.size(); ++d)
                hops += distance(from[d], to[d], dimensions[dimensions.size() - 1 - d], wraps);
            ASSERT_EQ(path.size(), hops + 2) << a << " to " << b;
            for (std::size_t h = 2; h + 1 < path.size(); ++h)
                ASSERT_LE(topology.edges[path[h - 1].edge].dimension, topology.edges[path[h].edge].dimension);
        }
}

TEST(Lattices, TakeShortestPathsOneDimensionAfterTheOther) {
    for (const Sizes& dimensions : {Sizes{4, 4, 4}, Sizes{2, 3, 5}, Sizes{3, 4}, Sizes{7}, Sizes{2, 3, 2, 3}}) {
        const std::uint32_t ranks = product(dimensions);
        expect_shortest_in_dimension_order(make_topology(torus(dimensions), ranks, {}), dimensions, true);
        MeshParams mesh;
        mesh.dimensions = dimensions;
        expect_shortest_in_dimension_order(make_topology(mesh, ranks, {}), dimensions, false);
    }
}

/// How often each link between routers is crossed when each rank sends to each other once.
IndexedVector<EdgeId, std::uint32_t> crossings(const Topology& topology) {
    const Routes routes(topology, RoutingParams{}, 2);
    IndexedVector<EdgeId, std::uint32_t> crossed(topology.edges.size());
    for (std::uint32_t a = 0; a < topology.ranks; ++a)
        for (std::uint32_t b = 0; b < topology.ranks; ++b)
            if (a != b)
                for (const Hop& hop : routes.path(Rank{a}, Rank{b})) ++crossed[hop.edge];
    return crossed;
}

/// The fewest and the most crossings of a link of each dimension, the last dimension first.
std::vector<std::pair<std::uint32_t, std::uint32_t>> extremes(const Topology& topology, std::size_t dimensions) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result(dimensions, {~0u, 0u});
    const auto crossed = crossings(topology);
    for (const EdgeId e : topology.edges.indices()) {
        if (topology.edges[e].dimension == Topology::none) continue;
        auto& [least, most] = result[topology.edges[e].dimension];
        least = std::min(least, crossed[e]);
        most = std::max(most, crossed[e]);
    }
    return result;
}

/// The places of a ring of n, n even, are n^2 / 4 links away from one of them, together. Of M = ranks / n ranks at each
/// place all send to one of those at each other, so that 2 n links of a line are crossed M n n^2 / 4 times.
TEST(Lattices, OfEvenSizesLoadAllLinksOfADimensionAlike) {
    for (const Sizes& sizes : {Sizes{4},
                               {8},
                               {12},
                               {4, 4},
                               {8, 8},
                               {6, 4},
                               {6, 6},
                               {10, 6},
                               {12, 3},
                               {4, 4, 4},
                               {6, 4, 4},
                               {4, 6, 6},
                               {4, 4, 4, 4}})
        for (const Placement placement : {Placement::row_major, Placement::snake}) {
            const std::uint32_t ranks = product(sizes);
            const auto of_dimension = extremes(make_topology(torus(sizes, placement), ranks, {}), sizes.size());
            for (std::size_t d = 0; d < sizes.size(); ++d) {
                const std::uint32_t n = sizes[sizes.size() - 1 - d];
                if (n % 2 != 0) continue;
                EXPECT_EQ(of_dimension[d], (std::pair{ranks / n * n * n / 8, ranks / n * n * n / 8}))
                    << ranks << " ranks, dimension " << d;
            }
        }
}

/// The three pairs of opposite places of a ring of six are 3 links apart: 18 crossings of 12 links.
TEST(Lattices, OfSixPlacesAndAnOddNumberOfLinesLoadLinksWithOneCrossingMoreOrLess) {
    EXPECT_THAT(extremes(make_topology(torus({6}), 6, {}), 1), ::testing::ElementsAre(std::pair{4u, 5u}));
    EXPECT_EQ(extremes(make_topology(torus({3, 6}), 18, {}), 2)[0], (std::pair{13u, 14u}));
}

template <class P>
Topology by_rows(std::uint32_t rows, std::uint32_t columns) {
    P params;
    params.rows = rows;
    params.columns = columns;
    return make_topology(params, rows * columns, {});
}
template <class P>
Topology by_dimensions(const Sizes& dimensions) {
    P params;
    params.dimensions = dimensions;
    return make_topology(params, product(dimensions), {});
}

void expect_same_paths(const Topology& grid, const Topology& lattice, const RoutingParams& routing,
                       std::uint32_t virtual_channels) {
    const Routes of_grid(grid, routing, virtual_channels), of_lattice(lattice, routing, virtual_channels);
    for (std::uint32_t a = 0; a < grid.ranks; ++a)
        for (std::uint32_t b = 0; b < grid.ranks; ++b)
            ASSERT_TRUE(std::ranges::equal(of_grid.path(Rank{a}, Rank{b}), of_lattice.path(Rank{a}, Rank{b})))
                << a << " to " << b;
}

/// The grid finds its paths without the lists of shortest paths that the lattice has.
template <class P>
void expect_grids_are_lattices() {
    for (std::uint32_t rows = 1; rows <= 8; ++rows)
        for (std::uint32_t columns = rows == 1 ? 2 : 1; columns <= 8; ++columns) {
            SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
            const Topology grid = by_rows<P>(rows, columns), lattice = by_dimensions<P>({rows, columns});
            ASSERT_EQ(grid.edges.size(), lattice.edges.size());
            for (const EdgeId e : grid.edges.indices()) {
                const auto &a = grid.edges[e], &b = lattice.edges[e];
                ASSERT_TRUE(a.from == b.from && a.to == b.to && a.dateline == b.dateline && a.line == b.line);
            }
            for (const std::uint32_t channels : {1u, 2u, 5u}) {
                expect_same_paths(grid, lattice, DimensionOrderParams{}, channels);
                expect_same_paths(grid, lattice, ShortestParams{}, channels);
            }
        }
}

TEST(Lattices, OfTwoDimensionsHaveTheLinksAndPathsOfRowsAndColumns) {
    expect_grids_are_lattices<TorusParams>();
    expect_grids_are_lattices<MeshParams>();
}

TEST(Lattices, OfOneDimensionHaveThePathsOfOneRow) {
    for (const std::uint32_t ranks : {2u, 3u, 4u, 6u, 8u, 10u})
        expect_same_paths(by_rows<TorusParams>(1, ranks), by_dimensions<TorusParams>({ranks}), DimensionOrderParams{},
                          2);
}

TEST(Lattices, NeedTwoVirtualChannelsWhereTheyCloseToRings) {
    const Topology closed = make_topology(torus({4, 4, 4}), 64, {});
    EXPECT_FALSE(find_wait_cycle(closed, {}, 1).empty());
    EXPECT_TRUE(find_wait_cycle(closed, {}, 2).empty());
    MeshParams mesh;
    mesh.dimensions = {4, 4, 4};
    EXPECT_TRUE(find_wait_cycle(make_topology(mesh, 64, {}), {}, 1).empty());
}

TEST(Lattices, HaveSixCablesAtARouterOfThreeDimensionsAndOneOfItsRank) {
    const Topology topology = make_topology(torus({3, 4, 5}), 60, {});
    EXPECT_EQ(topology.switches, 60u);
    std::vector<std::uint32_t> cables(topology.nodes());
    for (const auto& edge : topology.edges) ++cables[edge.from.value];
    for (std::uint32_t r = 0; r < 60; ++r) {
        EXPECT_EQ(cables[r], 1u);
        EXPECT_EQ(cables[60 + r], 7u);
    }
}

/// In a snake the next rank is a router away, and on a torus of an even first dimension so is the first from the last.
TEST(Lattices, PlaceNeighbouringRanksSideBySideInASnake) {
    for (const Sizes& dimensions : {Sizes{4, 4, 4}, Sizes{2, 3, 5}, Sizes{4, 3}, Sizes{6}, Sizes{2, 3, 2, 3}}) {
        const std::uint32_t ranks = product(dimensions);
        const auto routers = routers_of({dimensions, Placement::snake});
        EXPECT_EQ(std::set(routers.begin(), routers.end()).size(), ranks);
        const Topology topology = make_topology(torus(dimensions, Placement::snake), ranks, {});
        const Routes routes(topology, RoutingParams{}, 2);
        for (std::uint32_t r = 0; r < ranks; ++r)
            EXPECT_EQ(routes.path(Rank{r}, Rank{(r + 1) % ranks}).size(), 3u) << r << " of " << ranks;
    }
}

TEST(Lattices, PutRanksWhereAListSays) {
    MeshParams mesh;
    mesh.rows = 2;
    mesh.columns = 2;
    mesh.routers = {3, 0, 2, 1};
    const Topology topology = make_topology(mesh, 4, {});
    const auto router = [&](std::uint32_t rank) {
        return topology.switch_number(
            topology.edges[Routes(topology, RoutingParams{}).path(Rank{rank}, Rank{rank == 0 ? 1u : 0u}).front().edge]
                .to);
    };
    EXPECT_EQ(router(0), 3u);
    EXPECT_EQ(router(1), 0u);
    EXPECT_EQ(router(3), 1u);
}

std::string error_of(const MeshParams& params, std::uint32_t ranks) {
    try {
        make_topology(params, ranks, {});
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(Lattices, RefuseSizesAndListsThatDoNotFit) {
    MeshParams params;
    params.dimensions = {2, 3};
    EXPECT_EQ(error_of(params, 8),
              "dimensions: their product is 6, and there are 8 ranks; choose sizes whose product is that");
    params.rows = 2;
    EXPECT_EQ(error_of(params, 6), "rows and columns are dimensions, too; leave them out, or dimensions");
    params.rows = 0;
    params.routers = {0, 1, 2, 3, 4, 4};
    EXPECT_EQ(error_of(params, 6), "routers: 4 stands there twice; name each of 0 to 5 once");
    params.routers = {0, 1, 2, 3, 4, 6};
    EXPECT_EQ(error_of(params, 6), "routers: 6 is no router; name each of 0 to 5 once");
    params.routers = {0, 1};
    EXPECT_EQ(error_of(params, 6), "routers: there are 2, and 6 ranks; name one for each");
}

}   // namespace
}   // namespace oscar::lattice_test

// The ways of packets: that there is one, that it is cheapest, and how equal ones share the flows.
#include "models/network/topology/routes.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/network/topology/support.hpp"

namespace oscar::routes_test {
namespace {

using test::connects;
using test::cost_of;

/// Calls f(from, to) for all pairs of different ranks.
template <class F>
void for_each_pair(const Topology& topology, F&& f) {
    for (std::uint32_t a = 0; a < topology.ranks; ++a)
        for (std::uint32_t b = 0; b < topology.ranks; ++b)
            if (a != b) f(a, b);
}

TEST(EveryRoute, IsACheapestWayWhateverTheRoutingOfWhateverTopology) {
    for (const std::uint32_t n : {2u, 3u, 7u, 8u, 16u, 33u})
        test::for_each_topology(n, [&](std::string_view name, const Topology& topology) {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(n));
            for (const RoutingParams& routing :
                 {RoutingParams{}, RoutingParams{ShortestParams{7}}, RoutingParams{SprayParams{}}}) {
                const Routes routes(topology, routing, 2);
                for (std::uint32_t a = 0; a < n; ++a) {
                    const auto least = test::least_costs(topology, Rank{a});
                    for (std::uint32_t b = 0; b < n; ++b) {
                        const auto path = routes.path(Rank{a}, Rank{b}, 5);
                        ASSERT_EQ(path.empty(), a == b || least[node_of(Rank{b})] == test::no_way) << a << " to " << b;
                        if (path.empty()) continue;
                        ASSERT_TRUE(connects(topology, path, Rank{a}, Rank{b})) << a << " to " << b;
                        ASSERT_EQ(cost_of(topology, path), least[node_of(Rank{b})]) << a << " to " << b;
                    }
                }
            }
        });
}

TEST(EveryRoute, LeadsBackAtTheSameCost) {
    test::for_each_topology(24, [&](std::string_view name, const Topology& topology) {
        const Routes routes(topology, RoutingParams{}, 2);
        for_each_pair(topology, [&](std::uint32_t a, std::uint32_t b) {
            EXPECT_EQ(cost_of(topology, routes.path(Rank{a}, Rank{b})),
                      cost_of(topology, routes.path(Rank{b}, Rank{a})))
                << name << " " << a << " to " << b;
        });
    });
}

TEST(EveryRoute, ExistsButBetweenRanksOfARingThatAreNoNeighbours) {
    for (std::uint32_t n = 2; n <= 17; ++n)
        test::for_each_topology(n, [&](std::string_view name, const Topology& topology) {
            const Routes routes(topology, RoutingParams{}, 2);
            for_each_pair(topology, [&](std::uint32_t a, std::uint32_t b) {
                const bool neighbours = (a + 1) % n == b || (b + 1) % n == a;
                EXPECT_EQ(routes.path(Rank{a}, Rank{b}).empty(), name == "ring" && !neighbours) << name << n;
            });
        });
}

TEST(RoutesOfAFatTree, AreTwoFourOrSixLinksLong) {
    const Topology tree = make_topology(FatTreeParams{4}, 16, {});   // 2 ranks a switch, 4 a pod
    const Routes routes(tree, RoutingParams{});
    for_each_pair(tree, [&](std::uint32_t a, std::uint32_t b) {
        EXPECT_EQ(routes.path(Rank{a}, Rank{b}).size(), a / 2 == b / 2 ? 2u : a / 4 == b / 4 ? 4u : 6u);
    });
}

TEST(RoutesOfADragonfly, CrossAtMostOneGlobalLinkAndThreeInAll) {
    for (const DragonflyParams& params :
         {DragonflyParams{9, 4, 2, 2}, DragonflyParams{3, 4, 2, 2}, DragonflyParams{5, 4, 2, 1}}) {
        const std::uint32_t in_group = params.routers * params.hosts;
        const Topology topology = make_topology(params, params.groups * in_group, {});
        const Routes routes(topology, RoutingParams{}, 2);
        std::size_t longest = 0;
        for_each_pair(topology, [&](std::uint32_t a, std::uint32_t b) {
            const auto path = routes.path(Rank{a}, Rank{b});
            longest = std::max(longest, path.size() - 2);
            const auto global =
                std::ranges::count_if(path, [&](const Hop& hop) { return topology.edges[hop.edge].dateline; });
            EXPECT_EQ(global, a / in_group == b / in_group ? 0 : 1);
        });
        EXPECT_LE(longest, 3u);
    }
}

TEST(RoutesOfADragonfly, ChangeTheChannelBehindTheGlobalLink) {
    const Topology topology = make_topology(DragonflyParams{9, 4, 2, 2}, 72, {});
    const Routes one(topology, RoutingParams{}, 1), two(topology, RoutingParams{}, 2);
    for_each_pair(topology, [&](std::uint32_t a, std::uint32_t b) {
        bool crossed = false;
        for (const Hop& hop : two.path(Rank{a}, Rank{b})) {
            EXPECT_EQ(hop.channel, crossed ? 1 : 0);
            crossed = crossed || topology.edges[hop.edge].dateline;
        }
        for (const Hop& hop : one.path(Rank{a}, Rank{b})) EXPECT_EQ(hop.channel, 0);
    });
}

TEST(RoutesOfAHierarchy, StayOnTheIslandAndElseOnTheRail) {
    const Topology topology = make_topology(IslandsParams{4}, 16, {});   // islands 0-3, rails 4-7, spine 8
    const Routes routes(topology, RoutingParams{});
    for_each_pair(topology, [&](std::uint32_t a, std::uint32_t b) {
        const auto path = routes.path(Rank{a}, Rank{b});
        const std::uint32_t first = topology.switch_number(topology.edges[path.front().edge].to);
        if (a / 4 == b / 4) {
            EXPECT_EQ(path.size(), 2u);
            EXPECT_EQ(first, a / 4);
        } else {
            EXPECT_EQ(path.size(), a % 4 == b % 4 ? 2u : 4u);
            EXPECT_EQ(first, 4 + a % 4);
        }
    });
    const Topology common = make_topology(IslandsParams{4, {}, false, 1}, 16, {});
    const Routes over(common, RoutingParams{});
    EXPECT_EQ(common.edge_name(over.path(Rank{0}, Rank{1}).front().edge), "rank0->switch0");
    EXPECT_EQ(common.edge_name(over.path(Rank{0}, Rank{5}).front().edge), "rank0->switch4");
    const Topology apart = make_topology(IslandsParams{4, {}, true, 0}, 16, {});
    EXPECT_TRUE(Routes(apart, RoutingParams{}).path(Rank{0}, Rank{5}).empty());
}

TEST(DimensionOrder, GoesAlongTheRowThenTheColumnAndIsAsLongAsTheManhattanDistance) {
    for (const bool wraps : {false, true})
        for (const auto& grid : {std::pair{4u, 4u}, std::pair{3u, 5u}, std::pair{2u, 6u}, std::pair{1u, 9u}}) {
            const std::uint32_t rows = grid.first, columns = grid.second, n = rows * columns;
            const Topology topology = wraps ? make_topology(TorusParams{rows, columns}, n, {})
                                            : make_topology(MeshParams{rows, columns}, n, {});
            const Routes routes(topology, RoutingParams{}, 2);
            const auto distance = [&](std::uint32_t from, std::uint32_t to, std::uint32_t size) {
                const std::uint32_t d = from < to ? to - from : from - to;
                return wraps ? std::min(d, size - d) : d;
            };
            for_each_pair(topology, [&](std::uint32_t a, std::uint32_t b) {
                const auto path = routes.path(Rank{a}, Rank{b});
                const std::size_t x = distance(a % columns, b % columns, columns),
                                  y = distance(a / columns, b / columns, rows);
                ASSERT_EQ(path.size(), 2 + x + y);
                for (std::size_t h = 1; h + 1 < path.size(); ++h) {
                    const auto& edge = topology.edges[path[h].edge];
                    const auto row = [&](NodeId router) { return topology.switch_number(router) / columns; };
                    const bool in_row = row(edge.from) == row(edge.to);
                    EXPECT_EQ(in_row, h <= x) << a << " to " << b << ", hop " << h;
                }
            });
        }
}

TEST(DimensionOrder, ChangesTheChannelBehindTheDatelineOfEachDimensionAnew) {
    const Topology torus = make_topology(TorusParams{4, 5}, 20, {});
    const Routes routes(torus, RoutingParams{}, 2);
    for_each_pair(torus, [&](std::uint32_t a, std::uint32_t b) {
        const auto path = routes.path(Rank{a}, Rank{b});
        std::uint8_t expected = 0;
        std::optional<bool> row;
        for (std::size_t h = 1; h + 1 < path.size(); ++h) {
            const auto& edge = torus.edges[path[h].edge];
            const bool in_row = torus.switch_number(edge.from) / 5 == torus.switch_number(edge.to) / 5;
            if (row != in_row) expected = 0;
            row = in_row;
            EXPECT_EQ(path[h].channel, expected);
            if (edge.dateline) expected = 1;
        }
    });
}

TEST(DimensionOrder, LoadsBothDirectionsOfATorusAlike) {
    // From each of 8 routers of a line to each: 1 + 2 + 3 links in either direction and 4 for one router in two, over 8
    // rows: (6 + 4 / 2) * 8 = 64 times each link between routers.
    const Topology torus = make_topology(TorusParams{8, 8}, 64, {});
    const Routes routes(torus, RoutingParams{}, 2);
    std::map<EdgeId, std::uint32_t> load;
    for_each_pair(torus, [&](std::uint32_t a, std::uint32_t b) {
        for (const Hop& hop : routes.path(Rank{a}, Rank{b})) ++load[hop.edge];
    });
    for (const auto& [edge, flows] : load)
        EXPECT_EQ(flows, torus.is_switch(torus.edges[edge].from) && torus.is_switch(torus.edges[edge].to) ? 64u : 63u)
            << torus.edge_name(edge);
}

TEST(DimensionOrder, IsRefusedWhereThereAreNoDimensions) {
    const Topology star = make_topology(StarParams{}, 4, {});
    EXPECT_THROW(Routes(star, RoutingParams{DimensionOrderParams{}}), std::invalid_argument);
}

/// Pearson's statistic of `counts` against equal shares.
template <class Cell>
double chi_square(const std::map<Cell, std::uint32_t>& counts, std::size_t cells) {
    double all = 0, sum = 0;
    for (const auto& [cell, count] : counts) all += count;
    const double expected = all / static_cast<double>(cells);
    for (const auto& [cell, count] : counts) sum += (count - expected) * (count - expected) / expected;
    return sum + static_cast<double>(cells - counts.size()) * expected;
}

TEST(EqualCostWays, ShareTheFlowsEvenly) {
    // 16 ranks of one leaf to 48 others, over 8 spines: 7 degrees of freedom, of which 24.3 is exceeded once in 1000.
    const Topology topology = make_topology(LeafSpineParams{4, 16, 8}, 64, {});
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Routes routes(topology, RoutingParams{ShortestParams{seed}});
        std::map<EdgeId, std::uint32_t> flows;
        for (std::uint32_t a = 0; a < 16; ++a)
            for (std::uint32_t b = 16; b < 64; ++b) ++flows[routes.path(Rank{a}, Rank{b})[1].edge];
        EXPECT_LT(chi_square(flows, 8), 24.3) << "seed " << seed;
    }
}

TEST(EqualCostWays, KeepAFlowTogetherUnlessTheyAreSprayed) {
    const Topology topology = make_topology(LeafSpineParams{4, 16, 8}, 64, {});
    const Routes flow(topology, RoutingParams{ShortestParams{}}), spray(topology, RoutingParams{SprayParams{}});
    EXPECT_FALSE(flow.sprays());
    EXPECT_TRUE(spray.sprays());
    std::map<EdgeId, std::uint32_t> packets;
    for (std::uint64_t packet = 0; packet < 800; ++packet) {
        EXPECT_EQ(flow.path(Rank{0}, Rank{20}, packet).data(), flow.path(Rank{0}, Rank{20}).data());
        ++packets[spray.path(Rank{0}, Rank{20}, packet)[1].edge];
    }
    EXPECT_LT(chi_square(packets, 8), 24.3);
    EXPECT_EQ(spray.kept(), 8u);   // each way once
}

TEST(EqualCostWays, FollowTheHashThatIsWritten) {
    const Topology topology = make_topology(LeafSpineParams{2, 1, 5}, 2, {});
    const auto mix = [](std::uint64_t key, std::uint64_t index) {   // SplitMix64, written out
        std::uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::uint64_t h = mix(mix(mix(seed, 0), 1), 2) >> 32;   // rank 0 to rank 1, at node 2: the first leaf
        const Routes routes(topology, RoutingParams{ShortestParams{seed}});
        EXPECT_EQ(topology.edges[routes.path(Rank{0}, Rank{1})[1].edge].to.value, 2 + 2 + h * 5 / (1ULL << 32));
    }
}

TEST(VirtualChannels, AreDealtToGroupsAndAFlowKeepsToOne) {
    const Topology star = make_topology(StarParams{}, 64, {});
    const Routes routes(star, RoutingParams{}, 4);
    std::map<std::uint32_t, std::uint32_t> flows;
    for_each_pair(star, [&](std::uint32_t a, std::uint32_t b) {
        const auto path = routes.path(Rank{a}, Rank{b});
        EXPECT_EQ(path[0].channel, path[1].channel);
        ++flows[path[0].channel];
    });
    EXPECT_LT(chi_square(flows, 4), 16.3);   // 3 degrees of freedom, once in 1000
    const Topology torus = make_topology(TorusParams{4, 4}, 16, {});
    const Routes pairs(torus, RoutingParams{}, 5);   // two groups of two, and one that nobody takes
    std::set<int> used;
    for_each_pair(torus, [&](std::uint32_t a, std::uint32_t b) {
        for (const Hop& hop : pairs.path(Rank{a}, Rank{b})) {
            used.insert(hop.channel);
            EXPECT_EQ(hop.channel / 2, pairs.path(Rank{a}, Rank{b}).front().channel / 2);
        }
    });
    EXPECT_EQ(used, (std::set{0, 1, 2, 3}));
}

TEST(RoutesOfManyRanks, AreKeptOnlyWhereTheyAreAskedFor) {   // how fast: tests/bench/planning_bench.cpp
    const Topology tree = make_topology(FatTreeParams{}, 4096, {});
    const Routes routes(tree, RoutingParams{});
    for (std::uint32_t r = 0; r < 4096; ++r)
        EXPECT_TRUE(connects(tree, routes.path(Rank{r}, Rank{(r + 1777) % 4096}), Rank{r}, Rank{(r + 1777) % 4096}));
    EXPECT_LE(routes.kept(), 4096u);
}

}   // namespace
}   // namespace oscar::routes_test

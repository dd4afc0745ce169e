// Which routings can deadlock, against a search over the ways of all pairs of ranks.
#include "models/network/topology/deadlock.hpp"

#include <gmock/gmock.h>

#include <set>

#include "models/network/topology/routes.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::deadlock_test {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

/// Whether the hops follow each other, the first behind the last.
bool closes(const Topology& topology, const std::vector<Hop>& cycle) {
    for (std::size_t i = 0; i < cycle.size(); ++i)
        if (topology.edges[cycle[i].edge].to != topology.edges[cycle[(i + 1) % cycle.size()].edge].from) return false;
    return !cycle.empty();
}

/// The pairs of hops that follow each other in some way of some pair of ranks, in one group of virtual
/// channels; ways by many sprayed packets.
using Pairs = std::set<std::pair<std::pair<EdgeId, int>, std::pair<EdgeId, int>>>;
Pairs pairs_of(const Topology& topology, const RoutingParams& routing, std::uint32_t virtual_channels) {
    const Routes routes(topology, routing, ChannelClasses(topology, virtual_channels).classes);
    Pairs pairs;
    for (std::uint32_t a = 0; a < topology.ranks; ++a)
        for (std::uint32_t b = 0; b < topology.ranks; ++b)
            for (std::uint64_t packet = 0; packet < (routes.sprays() ? 200u : 1u); ++packet) {
                const auto path = routes.path(Rank{a}, Rank{b}, packet);
                for (std::size_t i = 1; i < path.size(); ++i)
                    pairs.insert({{path[i - 1].edge, path[i - 1].channel}, {path[i].edge, path[i].channel}});
            }
    return pairs;
}

/// By taking away, again and again, whatever nothing leads to.
bool has_circle(Pairs pairs) {
    for (bool changed = true; changed;) {
        std::set<std::pair<EdgeId, int>> led_to;
        for (const auto& [before, after] : pairs) led_to.insert(after);
        changed = std::erase_if(pairs, [&](const auto& pair) { return !led_to.contains(pair.first); }) > 0;
    }
    return !pairs.empty();
}

TEST(WaitCycles, AreFoundExactlyWhereTheWaysOfAllPairsHaveThem) {
    for (const std::uint32_t n : {2u, 6u, 9u, 16u, 20u})
        test::for_each_topology(n, [&](std::string_view name, const Topology& topology) {
            for (const std::uint32_t channels : {1u, 2u})
                for (const RoutingParams& routing :
                     {RoutingParams{DimensionOrderParams{}}, RoutingParams{SprayParams{}}}) {
                    if (!topology.grid && !std::holds_alternative<SprayParams>(routing.params)) continue;
                    SCOPED_TRACE(std::string(name) + " of " + std::to_string(n) + ", " + std::string(routing.name()) +
                                 ", channels: " + std::to_string(channels));
                    const auto cycle = find_wait_cycle(topology, routing, channels);
                    const Pairs pairs = pairs_of(topology, routing, channels);
                    EXPECT_EQ(!cycle.empty(), has_circle(pairs));
                    if (cycle.empty()) continue;
                    EXPECT_TRUE(closes(topology, cycle));
                    for (std::size_t i = 0; i < cycle.size(); ++i) {
                        const Hop &before = cycle[i], &after = cycle[(i + 1) % cycle.size()];
                        EXPECT_TRUE(pairs.contains({{before.edge, before.channel}, {after.edge, after.channel}}));
                    }
                }
        });
}

TEST(WaitCycles, AreInNoTreeNorMeshNorHierarchyWithOneChannel) {
    const auto free = [](const TopologyKind& kind, std::uint32_t n) {
        EXPECT_THAT(find_wait_cycle(make_topology(kind, n, {}), {}, 1), IsEmpty()) << kind.name();
    };
    free(MeshParams{8, 8}, 64);
    free(FatTreeParams{8}, 128);
    free(FatTreeParams{8, 2, 4}, 128);
    free(LeafSpineParams{8, 8}, 64);
    free(IslandsParams{8}, 64);
    free(StarParams{}, 64);
    free(CableRingParams{}, 64);
}

TEST(WaitCycles, AreInATorusWithOneChannelAndNotWithTwo) {
    for (const auto& [rows, columns] :
         {std::pair{4u, 4u}, std::pair{1u, 5u}, std::pair{2u, 4u}, std::pair{4u, 2u}, std::pair{8u, 8u}}) {
        const Topology torus = make_topology(TorusParams{rows, columns}, rows * columns, {});
        EXPECT_TRUE(closes(torus, find_wait_cycle(torus, {}, 1))) << rows << " x " << columns;
        EXPECT_THAT(find_wait_cycle(torus, {}, 2), IsEmpty()) << rows << " x " << columns;
    }
    const Topology ring = make_topology(CableRingParams{.forwards = true}, 8, {});
    EXPECT_TRUE(closes(ring, find_wait_cycle(ring, {}, 1)));
    EXPECT_THAT(find_wait_cycle(ring, {}, 2), IsEmpty());
    // On a ring of three the shorter way is one link: nothing is held while another is wanted.
    EXPECT_THAT(find_wait_cycle(make_topology(TorusParams{3, 3}, 9, {}), {}, 1), IsEmpty());
    // On a lone ring of four, ways of two links begin at 0 and 2 upwards and at 1 and 3 downwards: none meet.
    EXPECT_THAT(find_wait_cycle(make_topology(TorusParams{1, 4}, 4, {}), {}, 1), IsEmpty());
}

TEST(WaitCycles, AreInADragonflyUntilItHasAChannelForEachSideOfTheGlobalLink) {
    const Topology dragonfly = make_topology(DragonflyParams{9, 4, 2, 2}, 72, {});
    EXPECT_TRUE(closes(dragonfly, find_wait_cycle(dragonfly, {}, 1)));
    EXPECT_THAT(find_wait_cycle(dragonfly, {}, 2), IsEmpty());
    EXPECT_THAT(find_wait_cycle(dragonfly, RoutingParams{SprayParams{}}, 2), IsEmpty());
}

TEST(WaitCycles, OfARingOfSwitchesAreOpenedByADateline) {
    const Topology plain = make_topology(test::switch_ring(6, 0), 6, {});
    const Topology opened = make_topology(test::switch_ring(6, 1), 6, {});
    for (const std::uint32_t channels : {1u, 2u, 4u}) EXPECT_TRUE(closes(plain, find_wait_cycle(plain, {}, channels)));
    EXPECT_TRUE(closes(opened, find_wait_cycle(opened, {}, 1)));
    EXPECT_THAT(find_wait_cycle(opened, {}, 2), IsEmpty());
}

TEST(WaitCycles, AreSoughtAmongManyRanks) {   // how fast: tests/bench/planning_bench.cpp
    struct Case {
        TopologyKind kind;
        std::uint32_t ranks;
    };
    for (const auto& [kind, ranks] : {Case{FatTreeParams{}, 1024}, Case{MeshParams{}, 4096}, Case{TorusParams{}, 4096},
                                      Case{DragonflyParams{}, 1024}, Case{IslandsParams{}, 1024},
                                      Case{LeafSpineParams{}, 1024}, Case{StarParams{}, 4096}}) {
        const Topology topology = make_topology(kind, ranks, {});
        EXPECT_THAT(find_wait_cycle(topology, {}, 2), IsEmpty()) << kind.name();
    }
}

}   // namespace
}   // namespace oscar::deadlock_test

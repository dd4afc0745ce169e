#include "models/network/open_loop/destinations.hpp"

#include <gmock/gmock.h>

#include <set>

#include "models/core/random.hpp"

namespace oscar::destinations_test {
namespace {

using ::testing::HasSubstr;

const RouterGrid mesh4(RouterMeshParams{4, 4});

std::uint32_t from(std::uint32_t source, const TrafficPattern& pattern, const RouterGrid& grid = mesh4) {
    return Destinations(pattern, grid).of(NodeId{source}, 0).value;
}

// Node 6 of a 4 x 4 grid is at (2, 1): 0110 in bits.
TEST(Destinations, SendWhereTheirFormulasSay) {
    EXPECT_EQ(from(6, TornadoTrafficParams{}), 11u);   // ceil(4/2) - 1 = 1: to (3, 2)
    EXPECT_EQ(from(15, TornadoTrafficParams{}), 0u);
    EXPECT_EQ(from(0, TornadoTrafficParams{}, RouterGrid(RouterMeshParams{8, 8})), 27u);   // by 3: to (3, 3)
    EXPECT_EQ(from(6, BitComplementTrafficParams{}), 9u);
    EXPECT_EQ(from(6, TransposeTrafficParams{}), 9u);    // (1, 2)
    EXPECT_EQ(from(1, BitReverseTrafficParams{}), 8u);   // 0001 to 1000
    EXPECT_EQ(from(9, ShuffleTrafficParams{}), 3u);      // 1001 to 0011
    EXPECT_EQ(from(3, NeighborTrafficParams{}), 4u);     // (3, 0) to (0, 1)
}

TEST(Destinations, ThatAreFixedArePermutations) {
    for_each_kind(traffic_patterns, []<class P>(const Kind<P>& kind) {
        if (find_pattern_problem(P{}, mesh4) || kind.name == "uniform" || kind.name == "hotspot") return;
        std::set<std::uint32_t> reached;
        for (std::uint32_t n = 0; n < 16; ++n) reached.insert(from(n, P{}));
        EXPECT_EQ(reached.size(), 16u) << kind.name;
    });
}

// Of 16000 draws each node has 1000 on average, with a standard deviation of sqrt(16000 * 1/16 * 15/16) = 31: within 5
// of them.
TEST(Destinations, DrawWithTheProbabilityTheyState) {
    for (const TrafficPattern& pattern :
         {TrafficPattern(UniformTrafficParams{}), TrafficPattern(HotspotTrafficParams{5, 0.25})}) {
        const Destinations destinations(pattern, mesh4);
        IndexedVector<NodeId, double> count(16);
        for (std::uint64_t i = 0; i < 16000; ++i) ++count[destinations.of(NodeId{3}, random_at(7, i))];
        for (const NodeId to : count.indices())
            EXPECT_NEAR(count[to], 16000 * destinations.probability(NodeId{3}, to), 5 * 60)
                << pattern.name() << to.value;
    }
}

TEST(Destinations, HaveProbabilitiesThatSumToOne) {
    for_each_kind(traffic_patterns, []<class P>(const Kind<P>& kind) {
        if (find_pattern_problem(P{}, mesh4)) return;
        const Destinations destinations(P{}, mesh4);
        double sum = 0;
        for (const NodeId to : IndexRange<NodeId>(16)) sum += destinations.probability(NodeId{2}, to);
        EXPECT_NEAR(sum, 1, 1e-9) << kind.name;
    });
}

// In a row of 4, tornado goes one hop from three nodes and three hops back from the last: 6 / 4 in x, the same in y,
// and the router that both ends have: 4. Uniform: mean |a - b| over 16 pairs is 20 / 16, twice, and one: 3.5.
TEST(Destinations, PassAsManyRoutersAsTheirDistances) {
    EXPECT_DOUBLE_EQ(mean_routers(Destinations(TornadoTrafficParams{}, mesh4), mesh4), 4);
    EXPECT_DOUBLE_EQ(mean_routers(Destinations(UniformTrafficParams{}, mesh4), mesh4), 3.5);
}

TEST(Destinations, AreRefusedWhereTheyAreNotDefined) {
    const RouterGrid odd(RouterMeshParams{3, 4});
    EXPECT_THAT(find_pattern_problem(BitReverseTrafficParams{}, odd).value(), HasSubstr("power of two"));
    EXPECT_THAT(find_pattern_problem(ShuffleTrafficParams{}, odd).value(), HasSubstr("power of two"));
    EXPECT_THAT(find_pattern_problem(TransposeTrafficParams{}, odd).value(), HasSubstr("square"));
    EXPECT_THAT(find_pattern_problem(HotspotTrafficParams{12, 0.1}, odd).value(), HasSubstr("0 to 11"));
    EXPECT_FALSE(find_pattern_problem(TornadoTrafficParams{}, odd));
}

TEST(Destinations, AreThoseOfEveryPatternOfRoutersAndOfNoneThatOnlyRanksFollow) {
    for_each_kind(traffic_patterns, []<class P>(const Kind<P>& kind) {
        EXPECT_EQ(!find_pattern_problem(P{}, mesh4), contains(P::senders, PatternSenders::routers)) << kind.name;
    });
    EXPECT_EQ(find_pattern_problem(IncastTrafficParams{}, mesh4),
              "incast is a pattern of ranks, for background traffic; choose one of routers: uniform, tornado, "
              "bit_complement, transpose, bit_reverse, shuffle, neighbor, hotspot");
}

}   // namespace
}   // namespace oscar::destinations_test

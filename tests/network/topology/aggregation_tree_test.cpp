#include "models/network/topology/aggregation_tree.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/network/topology/support.hpp"

namespace oscar::aggregation_tree_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Topology topology_of(const TopologyKind& kind, std::uint32_t ranks) { return make_topology(kind, ranks, {}); }

std::vector<std::uint32_t> parents_of(const AggregationTree& tree) {
    std::vector<std::uint32_t> result;
    for (const Rank parent : tree.parents) result.push_back(parent.value);
    return result;
}

std::vector<std::uint32_t> numbers_of(const std::vector<NodeId>& nodes) {
    std::vector<std::uint32_t> result;
    for (const NodeId node : nodes) result.push_back(node.value);
    return result;
}

/// The nodes that a way passes, its ends included.
std::vector<NodeId> nodes_on(const Topology& topology, std::span<const Hop> way) {
    std::vector<NodeId> nodes{topology.edges[way.front().edge].from};
    for (const Hop& hop : way) {
        EXPECT_EQ(topology.edges[hop.edge].from, nodes.back());
        nodes.push_back(topology.edges[hop.edge].to);
    }
    return nodes;
}

TEST(AggregationTree, OfAStarIsItsSwitch) {
    const AggregationTree tree = aggregation_tree(topology_of(StarParams{}, 3));
    EXPECT_THAT(numbers_of(tree.switches), ElementsAre(3));
    EXPECT_THAT(parents_of(tree), Each(3u));
    EXPECT_THAT(tree.parents, SizeIs(4));
}

/// k = 4: 16 ranks at 8 edge switches, nodes 16 to 23; 8 aggregation switches, two a pod; cores from node 32 on.
TEST(AggregationTree, OfAFatTreeHasACoreOverASwitchOfEachPodOverItsEdges) {
    const AggregationTree tree = aggregation_tree(topology_of(FatTreeParams{.k = 4}, 16));
    EXPECT_THAT(numbers_of(tree.switches), ElementsAre(32, 24, 26, 28, 30, 16, 17, 18, 19, 20, 21, 22, 23));
    EXPECT_THAT(parents_of(tree), ElementsAre(21, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 28, 28,   // ranks
                                              16, 16, 16, 16, 16,                 // core, pods
                                              17, 17, 18, 18, 19, 19, 20, 20));   // edges
}

/// In one pod of k = 4 its aggregation switches are nearer to all than any core.
TEST(AggregationTree, HasTheRootThatIsNearestToTheFarthestRank) {
    const AggregationTree tree = aggregation_tree(topology_of(FatTreeParams{.k = 4}, 4));
    EXPECT_EQ(tree.switches.front(), NodeId{4 + 8});
    EXPECT_THAT(tree.switches, SizeIs(3));
}

/// Five ranks in twos: the third leaf has one, which passes it on its way to the spine.
TEST(AggregationTree, PassesSwitchesWithRanksBehindOneLink) {
    const Topology topology = topology_of(LeafSpineParams{.hosts = 2, .spines = 2}, 5);
    const AggregationTree tree = aggregation_tree(topology);
    EXPECT_THAT(numbers_of(tree.switches), ElementsAre(8, 5, 6));   // leaves 5 to 7, spines 8 and 9
    EXPECT_THAT(parents_of(tree), ElementsAre(6, 6, 7, 7, 5, 5, 5, 5));
    EXPECT_THAT(numbers_of(nodes_on(topology, tree.path_between(Rank{4}, Rank{5}))), ElementsAre(4, 7, 8));
    EXPECT_THAT(numbers_of(nodes_on(topology, tree.path_between(Rank{5}, Rank{4}))), ElementsAre(8, 7, 4));
    EXPECT_THAT(numbers_of(nodes_on(topology, tree.path_between(Rank{6}, Rank{5}))), ElementsAre(5, 8));
    EXPECT_THAT(tree.up[5], SizeIs(0));
}

TEST(AggregationTree, HasWaysUpAndDownBetweenEachParticipantAndItsParent) {
    for (const TopologyKind& kind :
         {TopologyKind(StarParams{}), TopologyKind(FatTreeParams{}), TopologyKind(LeafSpineParams{}),
          TopologyKind(DragonflyParams{}), TopologyKind(IslandsParams{}), TopologyKind(test::sample<GraphParams>(33))})
        for (const std::uint32_t ranks : {2u, 9u, 33u}) {
            SCOPED_TRACE(std::string(kind.name()) + " of " + std::to_string(ranks));
            if (kind.name() == "graph" && ranks != 33) continue;
            const Topology topology = topology_of(kind, ranks);
            const AggregationTree tree = aggregation_tree(topology);
            const auto node = [&](Rank p) { return p.value < ranks ? node_of(p) : tree.switches[p.value - ranks]; };
            for (std::uint32_t p = 0; p < tree.parents.size(); ++p) {
                if (p == ranks) continue;
                const auto up = nodes_on(topology, tree.up[p]), down = nodes_on(topology, tree.down[p]);
                EXPECT_EQ(std::pair(up.front(), up.back()), std::pair(node(Rank{p}), node(tree.parents[p])));
                EXPECT_TRUE(std::equal(up.begin(), up.end(), down.rbegin(), down.rend()));
                EXPECT_TRUE(p < ranks || tree.parents[p].value < p) << "parents come first";
            }
        }
}

std::string refusal(const Topology& topology) {
    try {
        aggregation_tree(topology);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(AggregationTree, RefusesTopologiesWhoseSwitchesCannotAdd) {
    EXPECT_EQ(refusal(topology_of(CableRingParams{}, 4)),
              "in_network adds in switches, and this topology has none; choose star, fat_tree, leaf_spine, "
              "hierarchical or a graph with such switches");
    EXPECT_THAT(refusal(topology_of(MeshParams{}, 4)), HasSubstr("each belong to one rank"));
    EXPECT_THAT(refusal(topology_of(TorusParams{}, 9)), HasSubstr("each belong to one rank"));
    const Topology apart = topology_of(IslandsParams{.island = 4, .spines = 0}, 8);   // rails that nothing joins
    EXPECT_THAT(refusal(apart), HasSubstr("no switch has a way to and from all ranks"));
    Topology one_way = topology_of(StarParams{}, 3);
    one_way.edges.erase(one_way.edges.begin() + 1);   // nothing leads to rank 0
    EXPECT_THAT(refusal(one_way), HasSubstr("no switch has a way to and from all ranks"));
}

}   // namespace
}   // namespace oscar::aggregation_tree_test

#include "models/network/topology/dot.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/network/topology/support.hpp"

namespace oscar::dot_test {
namespace {

TEST(Drawing, MergesTwoEqualDirectionsToALineAndLeavesOthersArrows) {
    Topology topology = make_topology(StarParams{}, 2, {});
    topology.edges[EdgeId{3}].link.bandwidth = 10_Gbps;
    EXPECT_EQ(to_dot(topology),
              "digraph topology {\n"
              "    label=\"links of 400Gbps\";\n"
              "    rank0 [shape=box];\n"
              "    rank1 [shape=box];\n"
              "    switch0 [shape=circle, style=filled, fillcolor=\"/blues9/2\"];\n"
              "    rank0->switch0 [dir=none];\n"
              "    rank1->switch0;\n"
              "    switch0->rank1 [label=\"10Gbps\"];\n"
              "}\n");
}

TEST(Drawing, LabelsTheLinksThatDifferFromMost) {
    Topology topology = make_topology(StarParams{}, 2, {});
    for (const EdgeId e : {EdgeId{0}, EdgeId{1}}) topology.edges[e].link.bandwidth = 10_Gbps;   // rank0's cable
    const std::string half = to_dot(topology);   // of two equal shares the lower
    EXPECT_THAT(half, ::testing::HasSubstr("label=\"links of 10Gbps\";"));
    EXPECT_THAT(half, ::testing::HasSubstr("rank1->switch0 [label=\"400Gbps\", dir=none];"));
    EXPECT_THAT(half, ::testing::HasSubstr("rank0->switch0 [dir=none];"));
}

TEST(Drawing, DarkensSwitchesFromTierToTier) {
    const std::string dot = to_dot(make_topology(FatTreeParams{}, 16, {}));
    const auto count = [&](const std::string& colour) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = dot.find("fillcolor=\"/blues9/" + colour + "\"", at)) != std::string::npos; ++at)
            ++found;
        return found;
    };
    EXPECT_EQ(count("2"), 8u);   // edge switches of a fat tree of 4-port switches
    EXPECT_EQ(count("4"), 8u);   // aggregation
    EXPECT_EQ(count("6"), 4u);   // core
}

TEST(Drawing, FramesIslandsWithTheirSwitchesAndLeavesRailsAndSpinesOutside) {
    IslandsParams params;
    params.island = 2;
    const std::string dot =
        to_dot(make_topology(params, 4, {}));   // switches 0 and 1: islands; 2 and 3: rails; 4: spine
    EXPECT_THAT(dot, ::testing::HasSubstr("    subgraph cluster_1 {\n"
                                          "        label=\"island 1\";\n"
                                          "        rank2 [shape=box];\n"
                                          "        rank3 [shape=box];\n"
                                          "        switch1 [shape=circle, style=filled, fillcolor=\"/blues9/2\"];\n"
                                          "    }\n"
                                          "    switch2 [shape=circle, style=filled, fillcolor=\"/blues9/2\"];\n"));
    EXPECT_THAT(dot, ::testing::HasSubstr("switch1->rank2 [label=\"3600Gbps\", dir=none];"));   // ranks lie between
    EXPECT_THAT(dot, ::testing::HasSubstr("rank2->switch2 [dir=none];"));                       // island and rail
    EXPECT_THAT(to_dot(make_topology(StarParams{}, 4, {})), ::testing::Not(::testing::HasSubstr("subgraph")));
}

TEST(Drawing, ARailOfASingleIslandIsCabledToItAlone) {
    IslandsParams params;
    params.island = 4;
    const std::string dot = to_dot(make_topology(params, 4, {}));
    EXPECT_THAT(dot, ::testing::HasSubstr("subgraph cluster_0"));
    EXPECT_THAT(dot, ::testing::Not(::testing::HasSubstr("cluster_1")));
}

TEST(Drawing, StacksRanksThatAreTooManyForARow) {
    EXPECT_THAT(to_dot(make_topology(StarParams{}, 17, {})), ::testing::HasSubstr("    rankdir=LR;\n"));
    EXPECT_THAT(to_dot(make_topology(StarParams{}, 16, {})), ::testing::Not(::testing::HasSubstr("rankdir")));
}

TEST(Drawing, HasALineForEachCableOfEachKind) {
    test::for_each_topology(12, [](std::string_view name, const Topology& topology) {
        const std::string dot = to_dot(topology);
        std::size_t lines = 0;
        for (std::size_t at = 0; (at = dot.find("dir=none", at)) != std::string::npos; ++at) ++lines;
        EXPECT_EQ(2 * lines, topology.edges.size()) << name;
    });
}

}   // namespace
}   // namespace oscar::dot_test

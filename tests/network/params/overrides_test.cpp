#include "models/network/params/overrides.hpp"

#include <gmock/gmock.h>

namespace oscar::overrides_test {
namespace {

/// The numbers of the links whose bandwidth is not as the others'.
std::vector<std::string> changed(const LinkOverride& change, const TopologyKind& kind = StarParams{}) {
    NetworkParams network;
    network.topology = kind;
    network.overrides = {change};
    const Topology topology = make_topology(network, 3);
    std::vector<std::string> names;
    for (const EdgeId e : topology.edges.indices())
        if (topology.edges[e].link.bandwidth == 10_Gbps) names.push_back(topology.edge_name(e));
    return names;
}

LinkOverride of_link(const char* pattern) { return {{10_Gbps, {}, {}}, pattern, ""}; }
LinkOverride of_node(const char* pattern) { return {{10_Gbps, {}, {}}, "", pattern}; }

TEST(Patterns, MatchCharacterByCharacterAndAnythingForAStar) {
    EXPECT_TRUE(matches("rank3", "rank3"));
    EXPECT_FALSE(matches("rank3", "rank33"));
    EXPECT_FALSE(matches("rank33", "rank3"));
    EXPECT_TRUE(matches("*", ""));
    EXPECT_TRUE(matches("rank*->switch0", "rank12->switch0"));
    EXPECT_FALSE(matches("rank*->switch0", "rank12->switch01"));
    EXPECT_TRUE(matches("*1*", "switch21->rank0"));
    EXPECT_TRUE(matches("a*ab", "aabab"));   // the first b that comes is not the last
    EXPECT_TRUE(matches("r**", "r"));
}

TEST(Overrides, ChangeTheLinksOfThatName) {
    EXPECT_THAT(changed(of_link("rank1->switch0")), ::testing::ElementsAre("rank1->switch0"));
    EXPECT_THAT(changed(of_link("switch0->rank*")),
                ::testing::ElementsAre("switch0->rank0", "switch0->rank1", "switch0->rank2"));
}

TEST(Overrides, ChangeAllLinksOfANodeOrThoseThatAreBoth) {
    EXPECT_THAT(changed(of_node("rank2")), ::testing::ElementsAre("rank2->switch0", "switch0->rank2"));
    LinkOverride both = of_node("rank*");
    both.link = "switch0->*2";
    EXPECT_THAT(changed(both), ::testing::ElementsAre("switch0->rank2"));
}

TEST(Overrides, KeepWhatTheyDoNotNameAndTheLaterOnesWin) {
    NetworkParams network;
    network.link = {100_Gbps, 1_us, 64_KiB};
    network.overrides = {of_node("rank0"), {{{}, 3_us, {}}, "rank0->switch0", ""}, {{20_Gbps, {}, {}}, "rank*", ""}};
    network.overrides[2].link = "rank0->*";
    const Topology topology = make_topology(network, 2);
    EXPECT_EQ(topology.edges[EdgeId{0}].link, (LinkParams{20_Gbps, 3_us, 64_KiB}));
    EXPECT_EQ(topology.edges[EdgeId{1}].link, (LinkParams{10_Gbps, 1_us, 64_KiB}));
    EXPECT_EQ(topology.edges[EdgeId{2}].link, network.link);
}

TEST(Overrides, ThatNameNoLinkAreTold) {
    Topology topology = make_topology(StarParams{}, 3, {});
    EXPECT_EQ(apply_overrides({of_link("rank0->switch0"), of_link("rank3->switch0")}, topology), 1u);
    EXPECT_EQ(apply_overrides({of_node("rank*")}, topology), std::nullopt);
    EXPECT_EQ(apply_overrides({LinkOverride{}}, topology), 0u);
    NetworkParams network;
    network.overrides = {of_node("rank7")};
    EXPECT_THROW(make_topology(network, 3), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::overrides_test

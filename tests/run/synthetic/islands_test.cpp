// Islands of the hierarchical collective: those of the topology, or a note that they differ.
#include <gmock/gmock.h>

#include "sim/run/notes/notes.hpp"
#include "tests/run/synthetic/machines.hpp"

namespace oscar::islands_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

test::SyntheticFile file_of(std::uint32_t ranks, std::uint32_t island, const std::string& more = "") {
    return test::SyntheticFile("ranks: " + std::to_string(ranks) +
                               "\nsize: 96KiB\nmethods: [fp32]\ncollective: hierarchical\nnetwork: {topology: {kind: "
                               "hierarchical, island: " +
                               std::to_string(island) + more + "}}\n");
}

std::int64_t time_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    return file.report(changes)["methods"][0]["allreduce_ps"].get<std::int64_t>();
}

std::string note_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    const Parameters p = file.load(changes).parameters;
    return note_on_islands_of_collective(p, make_topology(p.network, p.ranks)).value_or("none");
}

std::string error_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    try {
        file.load(changes);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

TEST(IslandsOfTheCollective, AreThoseOfTheTopologyWhereNoneAreNamed) {
    for (const std::uint32_t island : {2u, 4u, 16u})
        for (const std::string rails : {"false", "true"}) {
            const test::SyntheticFile file = file_of(16, island, ", rails: " + rails);
            SCOPED_TRACE(rails + ", islands of " + std::to_string(island));
            const std::int64_t time = time_of(file, {});
            EXPECT_EQ(time, time_of(file, {"collective.island=" + std::to_string(island)}));
            EXPECT_NE(time, time_of(file, {"collective.island=8"}));
            EXPECT_EQ(note_of(file, {}), "none");
        }
}

TEST(IslandsOfTheCollective, AreNotedWithTheirEffectWhereTheyReachBeyondOnesOfTheTopology) {
    const test::SyntheticFile file = file_of(16, 2);
    EXPECT_EQ(
        note_of(file, {"collective.island=8"}),
        "islands of collective: hierarchical have 8 ranks, those of network.topology 2: messages inside an island "
        "of the collective pass NICs, where the links of an island do not lead; leave collective.island out, for "
        "islands of 2");
    EXPECT_GT(time_of(file, {"collective.island=8", "size=6MiB"}), time_of(file, {"size=6MiB"}));
    EXPECT_THAT(file.report({"collective.island=8"})["notes"].dump(), HasSubstr("leave collective.island out"));
    EXPECT_THAT(file.report({})["notes"].dump(), Not(HasSubstr("islands of collective")));
}

/// Two of the four NICs of an island send twice as much: (16 / 2 - 1) / 2 to (16 / 4 - 1) / 4 of the bucket, 14 : 3
/// / 2.
TEST(IslandsOfTheCollective, AreNotedWithTheNicsThatIdleWhereTheyAreParts) {
    const test::SyntheticFile file = file_of(16, 4);
    EXPECT_THAT(
        note_of(file, {"collective.island=2"}),
        HasSubstr("only 2 of the 4 NICs of an island of the topology carry what leaves it, each about 2 times"));
    const auto report = file.report({"collective.island=2"});
    std::uint32_t busy = 0;   // of links from ranks to rails
    for (const auto& link : report["methods"][0]["links"]) {
        const std::string name = link["name"];
        if (!name.starts_with("rank") || name.ends_with("switch0") || name.ends_with("switch1") ||
            name.ends_with("switch2") || name.ends_with("switch3"))
            continue;
        busy += link["wire_bytes"] > 0;
    }
    EXPECT_EQ(busy, 8u);
}

/// 8 does not divide 12, of which 6 would be on two islands.
TEST(IslandsOfTheCollective, AreNamedWhereThoseOfTheTopologyDoNotDivideTheRanks) {
    const test::SyntheticFile file = file_of(12, 8);
    EXPECT_THAT(error_of(file, {}),
                HasSubstr("exp.yaml:2:8: ranks: 12 ranks do not fill islands (nodes) of 8: the last has 4, and "
                          "hierarchical needs as many on each; write 8 or 16, or network.topology.island: 4; or name "
                          "smaller islands, like collective.island: 4, or take a ring"));
    EXPECT_THAT(note_of(file, {"collective.island=4"}), AllOf(HasSubstr("have 4 ranks, those of network.topology 8"),
                                                              HasSubstr("choose a multiple of 8 ranks")));
    for (const char* right : {"ranks=8", "ranks=16", "ranks=4", "collective=ring", "network.topology.island=4",
                              "collective={kind: all_gather, shape: ring}"})
        EXPECT_EQ(error_of(file, {right}), "no error") << right;
    for (const char* half : {"reduce_scatter", "all_gather", "{kind: all_gather, shape: hierarchical}"})
        EXPECT_THAT(error_of(file, {std::string("collective=") + half}), HasSubstr(": ranks: 12 ranks do not fill"));
}

/// Half a node, a node, and two share a bucket; a node and a half, or parts that lie on two nodes, do not.
TEST(GroupsOfACollective, AreWholeIslandsOrPartsOfOne) {
    const test::SyntheticFile file = file_of(48, 8);
    const auto of = [&](std::uint32_t group) {
        return error_of(file, {"collective={kind: reduce_scatter, group: " + std::to_string(group) + "}"});
    };
    for (const std::uint32_t group : {2u, 4u, 8u, 16u, 24u, 48u}) EXPECT_EQ(of(group), "no error") << group;
    for (const std::uint32_t group : {3u, 6u, 12u})
        EXPECT_THAT(of(group), HasSubstr("collective.group: groups of " + std::to_string(group) +
                                         " are no whole islands (nodes) of 8, nor equal parts of one; choose a divisor "
                                         "or a multiple of 8"));
}

/// An hsdp step on nodes of eight, whose groups `group` says; none where it is 0.
test::SyntheticFile hsdp_of(std::uint32_t ranks, std::uint32_t group, const std::string& collective = "hierarchical") {
    const std::string key = group == 0 ? "" : ", group: " + std::to_string(group);
    return test::SyntheticFile("ranks: " + std::to_string(ranks) + "\nmethods: [fp32]\ncollective: " + collective +
                               "\nstep: {strategy: hsdp, given: [{bytes: 96KiB, ready: 0us}], forward: 1us, backward: "
                               "1us" +
                               key + "}\nnetwork: {topology: {kind: hierarchical, island: 8, rails: true}}\n");
}

/// All notes on islands and on what their rails bear.
std::string notes_of(const test::SyntheticFile& file, const std::vector<std::string>& changes = {}) {
    return file.report(changes)["notes"].dump();
}

/// Groups of four are half a node: the key of the group is the remedy, and collective.island none.
TEST(GroupsOfAnHsdpStep, AreNamedByTheNoteWhereTheyAreTheCause) {
    const test::SyntheticFile halves = hsdp_of(16, 4);
    EXPECT_THAT(note_of(halves, {}), AllOf(HasSubstr("have 4 ranks, those of network.topology 8: only 4 of the 8 NICs"),
                                           HasSubstr("; choose groups of whole islands, like step.group: 8"),
                                           Not(HasSubstr("collective.island"))));
    EXPECT_EQ(note_of(halves, {"step.group=8"}), "none");
    EXPECT_THAT(note_of(halves, {"collective.island=2"}), HasSubstr("leave collective.island out, for islands of 4"));
    EXPECT_THAT(note_of(halves, {"step.group=8", "collective.island=4"}),
                HasSubstr("leave collective.island out, for islands of 8"));
}

TEST(GroupsOfAnHsdpStep, AreTheRemedyOfTheNoteOnRails) {
    EXPECT_THAT(notes_of(hsdp_of(16, 4)),
                AllOf(HasSubstr("cables between rails and spines limit reduce_scatter"),
                      HasSubstr(", or step.group: 8, with which messages stay on their rail")));
}

TEST(GroupsOfAReduceScatter, AreNamedByTheNoteWhereTheyAreTheCause) {
    const test::SyntheticFile file = file_of(16, 8);
    EXPECT_THAT(note_of(file, {"collective={kind: reduce_scatter, group: 2}"}),
                HasSubstr("; choose groups of whole islands, like collective.group: 8"));
    EXPECT_EQ(note_of(file, {"collective={kind: reduce_scatter, group: 8}"}), "none");
}

/// 20 ranks fill two nodes and a half. Each key that an error tells to write is right.
TEST(GroupsOfAnHsdpStep, AreRefusedWithAPlaceAndARemedyThatHelps) {
    EXPECT_THAT(error_of(hsdp_of(20, 0), {}),
                HasSubstr("exp.yaml:2:8: ranks: 20 ranks do not fill islands (nodes) of 8, each of which shares the "
                          "parameters; write 16 or 24"));
    for (const char* right : {"ranks=16", "ranks=24"})
        EXPECT_EQ(error_of(hsdp_of(20, 0), {right}), "no error") << right;
    EXPECT_THAT(
        error_of(hsdp_of(20, 4), {}),
        HasSubstr("ranks: 20 ranks do not fill islands (nodes) of 8: the last has 4, and reduce_scatter needs as "
                  "many on each; write 16 or 24, or network.topology.island: 4; or name smaller islands, like "
                  "collective.island: 4, or take a ring"));
    for (const char* right :
         {"ranks=16", "ranks=24", "network.topology.island=4", "collective.island=4", "collective=ring"})
        EXPECT_EQ(error_of(hsdp_of(20, 4), {right}), "no error") << right;
    EXPECT_THAT(error_of(hsdp_of(24, 6), {}), HasSubstr("step.group: groups of 6 are no whole islands (nodes) of 8"));
    EXPECT_THAT(error_of(hsdp_of(40, 16), {}), HasSubstr("step.group: groups of 16 do not divide 40 ranks; choose a "
                                                         "divisor, like 8"));
    EXPECT_THAT(
        error_of(hsdp_of(16, 8), {"collective.island=3"}),
        HasSubstr("--set collective.island=3: collective.island: islands of 3 do not divide the groups of 8 ranks "
                  "(step.group); choose a divisor of 8, or leave it out"));
}

/// Of a prime number of ranks only rings are left beside other numbers: an island of one rank is none.
TEST(IslandsOfTheCollective, OfOneRankAreNoRemedy) {
    EXPECT_THAT(error_of(file_of(17, 8), {}), HasSubstr("write 16 or 24, or take a ring"));
}

/// What an error tells to write for a group is accepted on any number of whole nodes.
TEST(GroupsOfAnHsdpStep, ThatAreToldAreRight) {
    for (const std::uint32_t ranks : {8u, 16u, 24u, 40u, 48u})
        for (std::uint32_t group = 2; group <= ranks; ++group) {
            const std::string error = error_of(hsdp_of(ranks, group), {}), like = "choose a divisor, like ";
            const std::size_t found = error.find(like);
            if (found == std::string::npos) continue;
            const std::string told = "step.group=" + error.substr(found + like.size());
            EXPECT_EQ(error_of(hsdp_of(ranks, group), {told}), "no error") << ranks << " ranks, groups of " << group;
        }
}

TEST(ChannelsOfACollective, AreNoMoreThanTheNicsOfAnIsland) {
    const test::SyntheticFile file = file_of(16, 8);
    const auto of = [&](const char* channels, const char* more = "seed=1") {
        return error_of(file,
                        {std::string("collective={kind: ring, channel_order: rotated, channels: ") + channels + "}",
                         "gpu={island_port: {}, gradients: codes}", more});
    };
    EXPECT_EQ(of("8"), "no error");
    EXPECT_THAT(of("9"), HasSubstr("collective.channels: 9 channels leave an island (node) by its 8 NICs; choose 8"));
    EXPECT_THAT(of("8", "network.topology.gpus_per_nic=2"),
                HasSubstr("8 channels leave an island (node) by its 4 NICs"));
    EXPECT_EQ(of("16", "ranks=8"), "no error") << "nothing leaves a node";
}

TEST(IslandsOfTheCollective, AreTheRemedyOfTheRailsWhereTheyLeaveThem) {
    const test::SyntheticFile file = file_of(16, 2);
    const Parameters p = file.load({"collective.island=8"}).parameters;
    const Topology topology = make_topology(p.network, p.ranks);
    const std::string note = note_on_rails(p, Routes(topology, p.network.routing)).value_or("none");
    EXPECT_THAT(note, AllOf(HasSubstr("or collective.island: 2, with which messages stay on their rail"),
                            Not(HasSubstr("or collective: hierarchical"))));
}

}   // namespace
}   // namespace oscar::islands_test

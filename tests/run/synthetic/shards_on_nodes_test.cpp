// Reduce-scatter and all-gather on machines of nodes: their bytes on each link, their time, and what is noted and
// echoed.
#include <gmock/gmock.h>

#include <map>

#include "tests/run/synthetic/machines.hpp"

namespace oscar::shards_on_nodes_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Json = test::SyntheticFile::Json;

test::SyntheticFile on_nodes(const std::string& collective, const std::string& topology = "island: 4",
                             const std::string& more = "") {
    return test::SyntheticFile("ranks: 16\nsize: 768KiB\nmethods: [fp32]\ncollective: " + collective +
                               "\nnetwork: {topology: {kind: hierarchical, " + topology + "}}\n" + more);
}

std::map<std::string, std::int64_t> bytes_on_links(const Json& report) {
    std::map<std::string, std::int64_t> bytes;
    for (const auto& link : report["methods"][0]["links"])
        bytes[link["name"].get<std::string>()] += link["wire_bytes"].get<std::int64_t>();
    return bytes;
}

std::int64_t time_of(const Json& report) { return report["methods"][0]["allreduce_ps"].get<std::int64_t>(); }

/// So a reduce-scatter and then an all-gather are an AllReduce on each link of NVLink, of the NICs and of the spines.
TEST(ShardsOnNodes, CarryTheBytesOfTheAllReduceOnEachLink) {
    const std::string port = "gpu: {island_port: {}}\n";
    for (const char* topology : {"island: 4", "island: 2, rails: false", "island: 8, spines: 2"})
        for (const std::string& more : {std::string(), port})
            for (const auto& [whole, shape] :
                 {std::pair{"kind: hierarchical", "hierarchical"},
                  {"kind: ring", "ring"},
                  {"kind: ring, channels: 2, channel_order: rotated", "ring, channels: 2, channel_order: rotated"},
                  {"kind: hierarchical, slices: 3", "hierarchical, slices: 3"}}) {
                SCOPED_TRACE(std::string(topology) + ", " + whole + more);
                const auto half = [&](const std::string& kind) {
                    return bytes_on_links(
                        on_nodes("{kind: " + kind + ", shape: " + shape + "}", topology, more).report({}));
                };
                auto both = half("reduce_scatter");
                for (const auto& [link, bytes] : half("all_gather")) both[link] += bytes;
                EXPECT_EQ(both, bytes_on_links(on_nodes(std::string("{") + whole + "}", topology, more).report({})));
            }
}

/// Half of its bytes and of its timesteps; the first half also reads and adds.
TEST(ShardsOnNodes, TakeTheTimeOfTheAllReduceTogetherWithoutBeingAsked) {
    for (const char* topology : {"island: 4", "island: 2, rails: false", "island: 8"}) {
        SCOPED_TRACE(topology);
        const auto time = [&](const std::string& kind) {
            return static_cast<double>(time_of(on_nodes(kind, topology).report({"size=24MiB"})));
        };
        const double whole = time("hierarchical"), first = time("reduce_scatter"), second = time("all_gather");
        EXPECT_GT(first, second);
        EXPECT_LT(first, 0.6 * whole);
        EXPECT_NEAR((first + second) / whole, 1, 0.05);
    }
}

/// A flat ring of 16 ranks in four nodes has one NIC of four carry what leaves a node.
TEST(ShardsOnNodes, LeaveANodeByOneNicOnARingAndSaySo) {
    const auto flat = on_nodes("{kind: reduce_scatter, shape: ring}", "island: 4, rails: false").report({});
    const auto note = flat["notes"].dump();
    EXPECT_THAT(note, HasSubstr("leaves an island by 1 of its 4 NICs"));
    EXPECT_THAT(note, HasSubstr("shape: hierarchical"));
    const auto by_two =
        on_nodes("{kind: all_gather, shape: ring, channels: 2, channel_order: rotated}", "island: 4, rails: false")
            .report({});
    EXPECT_THAT(by_two["notes"].dump(), HasSubstr("leaves an island by 2 of its 4 NICs"));
    for (const char* all :
         {"reduce_scatter", "all_gather", "{kind: all_gather, shape: ring, channels: 4, channel_order: rotated}"})
        EXPECT_THAT(on_nodes(all, "island: 4, rails: false").report({})["notes"].dump(),
                    Not(HasSubstr("of its 4 NICs")))
            << all;
}

TEST(ShardsOnNodes, AreEchoedWithTheirShapeAndOnlyTheKeysThatCount) {
    const auto echo = [](const test::SyntheticFile& file) { return file.report({})["config"]["collective"].dump(); };
    EXPECT_EQ(
        echo(on_nodes("reduce_scatter")),
        R"({"kind":"reduce_scatter","issue":"lock_step","slices":1,"island":4,"inside":"ranks","shape":"hierarchical"})");
    EXPECT_EQ(echo(on_nodes("{kind: all_gather, shape: ring}")),
              R"({"kind":"all_gather","issue":"lock_step","slices":1,"shape":"ring"})");
    const test::SyntheticFile star("ranks: 4\nsize: 64KiB\nmethods: [fp32]\ncollective: reduce_scatter\n");
    EXPECT_EQ(echo(star), R"({"kind":"reduce_scatter","issue":"lock_step","slices":1})");
}

TEST(ShardsOnNodes, RunAgainFromTheirEcho) {
    const auto first = on_nodes("{kind: reduce_scatter, group: 8}").report({});
    const test::SyntheticFile again(
        "size: 768KiB\nranks: 16\nmethods: [fp32]\nnetwork: {topology: {kind: hierarchical, island: 4}}\ncollective: " +
        first["config"]["collective"].dump() + "\n");
    EXPECT_EQ(time_of(again.report({})), time_of(first));
}

/// Of two groups of two nodes: less than an AllReduce of all, whose last gather it leaves out, and more than a
/// reduce-scatter of all; and a gather in two nodes less than one in all four.
TEST(ShardsOnNodes, TakeInGroupsWhatLiesBetweenAHalfAndTheWhole) {
    const auto time = [](const std::string& collective) {
        return time_of(on_nodes(collective).report({"size=24MiB"}));
    };
    const std::int64_t in_groups = time("{kind: reduce_scatter, group: 8}");
    EXPECT_LT(in_groups, time("hierarchical"));
    EXPECT_GT(in_groups, time("reduce_scatter"));
    EXPECT_LT(time("{kind: all_gather, group: 8}"), time("all_gather"));
    EXPECT_EQ(time("{kind: all_gather, group: 16}"), time("all_gather"));
}

/// A GPU's blocks to a node all go to its first GPU first where all of a node go by number.
TEST(ShardsOnNodes, ExchangeBlocksFasterNodeByNodeThanByNumber) {
    const auto time = [](const std::string& order) {
        return time_of(on_nodes("{kind: all_to_all, order: " + order + "}", "island: 8, rails: false").report({}));
    };
    EXPECT_LT(time("nodes"), time("number"));
    EXPECT_EQ(time("nodes"), time_of(on_nodes("all_to_all", "island: 8, rails: false").report({})));
}

/// A step of one unit of 24 MiB of fp32, which computes for no time.
Json step_of(const std::string& strategy, const std::string& collective) {
    return test::SyntheticFile(
               "ranks: 16\nmethods: [fp32]\ncollective: " + collective +
               "\nnetwork: {topology: {kind: hierarchical, island: 4}}\nstep: {forward: 0s, backward: 0s, given: "
               "[{bytes: 24MiB}], strategy: " +
               strategy + "}\n")
        .report({})["methods"][0]["step"];
}
std::int64_t time_alone(const std::string& collective) { return time_of(on_nodes(collective).report({"size=24MiB"})); }

TEST(ShardedStepOnNodes, TakesWhatItsCollectivesTakeAlone) {
    for (const auto& [whole, shape] :
         {std::pair{"hierarchical", "hierarchical"},
          {"reduce_scatter", "automatic"},
          {"ring", "ring"},
          {"{kind: ring, channels: 4, channel_order: rotated}", "ring, channels: 4, channel_order: rotated"}}) {
        const auto step = step_of("fsdp", whole)["sharding"];
        EXPECT_EQ(step["gather_forward_ps"], time_alone(std::string("{kind: all_gather, shape: ") + shape + "}"))
            << whole;
        EXPECT_EQ(step["reduce_scatter_ps"], time_alone(std::string("{kind: reduce_scatter, shape: ") + shape + "}"))
            << whole;
    }
}

TEST(HsdpOnNodes, OfOneGroupIsFsdp) {
    EXPECT_EQ(step_of("hsdp, group: 16", "hierarchical"), step_of("fsdp", "hierarchical"));
}

TEST(HsdpOnNodes, GathersInItsGroupsAndSumsOverAll) {
    const auto hsdp = step_of("hsdp", "hierarchical")["sharding"], fsdp = step_of("fsdp", "hierarchical")["sharding"];
    EXPECT_LT(hsdp["gather_forward_ps"], fsdp["gather_forward_ps"]);
    EXPECT_EQ(hsdp["gather_forward_ps"], time_alone("{kind: all_gather, shape: hierarchical, group: 4}"));
    EXPECT_EQ(hsdp["reduce_scatter_ps"], time_alone("{kind: reduce_scatter, shape: hierarchical, group: 4}"));
}

TEST(ShardsOnNodes, FoldAsTheirAllReduceDoes) {
    for (const char* collective : {"reduce_scatter", "all_gather", "{kind: reduce_scatter, slices: 2}"}) {
        const test::SyntheticFile file(std::string("ranks: 32\nsize: 1MiB\nmethods: [fp32]\ncollective: ") +
                                       collective + "\nnetwork: {topology: {kind: hierarchical, island: 4}}\n");
        EXPECT_EQ(time_of(file.report({"folding=always"})), time_of(file.report({"folding=never"}))) << collective;
    }
    EXPECT_THROW(on_nodes("{kind: reduce_scatter, group: 8}", "island: 2").report({"folding=always"}),
                 std::runtime_error);
}

}   // namespace
}   // namespace oscar::shards_on_nodes_test

#include "sim/sweep/plan.hpp"

#include <gmock/gmock.h>

#include <set>

#include "sim/config/load.hpp"
#include "tests/sweep/support.hpp"

namespace oscar::plan_test {
namespace {

using test::SweepLaboratory;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Experiment experiment(const SweepPlan& plan, std::size_t point) {
    return experiment_of(plan.definition, plan.points.at(point).settings);
}

TEST(SweepPlan, SetsWhatTheSweepSetsAndThenWhatThePointSets) {
    const SweepLaboratory laboratory;
    const SweepPlan plan = laboratory.plan("[{key: ranks, values: [2, 3]}, {key: network.link.buffer, values: [8KiB]}]",
                                           "set: {ranks: 8, seed: 7, network.link.bandwidth: 10Gbps}\n");
    ASSERT_EQ(plan.points.size(), 2u);
    const Parameters p = experiment(plan, 1).parameters;
    EXPECT_EQ(p.ranks, 3u);
    EXPECT_EQ(p.seed, 7u);
    EXPECT_EQ(p.network.link.bandwidth, (Bandwidth{10'000}));
    EXPECT_EQ(p.network.link.buffer, (Bytes{8192}));
    EXPECT_THAT(plan.definition.keys(), ElementsAre("ranks", "network.link.buffer"));
}

TEST(SweepPlan, TakesAnExperimentInThePlaceOfABaseFile) {
    const SweepLaboratory laboratory;
    const auto file = laboratory.folder.write("inline.yaml",
                                              "base: {trace: captured, ranks: 4, network: {packet: 1KiB}}\n"
                                              "axes: [{key: ranks, values: [2, 4]}]\n");
    const SweepPlan plan = plan_sweep(file);
    EXPECT_EQ(experiment(plan, 0).parameters.ranks, 2u);
    EXPECT_EQ(experiment(plan, 0).parameters.network.packet, (Bytes{1024}));
    EXPECT_EQ(experiment(plan, 0).parameters.experiment, "inline");
}

TEST(SweepPlan, NamesTheMethodsOfAllPointsOnce) {
    const SweepLaboratory laboratory;
    EXPECT_THAT(laboratory.plan("[{key: methods, values: [[asc, fp32], [{kind: asc, name: mine}, fp32]]}]").methods,
                ElementsAre("asc", "fp32", "mine"));
}

TEST(SweepPlan, HasFiguresOfTiersWhereAPointHasSeveralIslands) {
    const SweepLaboratory laboratory;
    const auto is_tiered = [&](const std::string& islands) {
        return laboratory
            .plan("[{key: network.topology.island, values: " + islands + "}]",
                  "set: {ranks: 4, network.topology.kind: hierarchical}\n")
            .tiered;
    };
    EXPECT_TRUE(is_tiered("[4, 2]"));
    EXPECT_FALSE(is_tiered("[4, 8]"));
    EXPECT_FALSE(laboratory.plan("[{key: ranks, values: [2, 3]}]").tiered);
}

TEST(SweepPlan, GivesEveryPointAKeyOfItsOwnAndTheSameTwice) {
    const SweepLaboratory laboratory;
    const std::string_view axes = "[{key: ranks, values: [2, 3, 4]}, {key: seed, range: {from: 1, to: 5, step: 1}}]";
    const SweepPlan once = laboratory.plan(axes), twice = laboratory.plan(axes);
    std::set<std::string> keys;
    for (std::size_t i = 0; i < once.points.size(); ++i) {
        EXPECT_EQ(once.points[i].key, twice.points[i].key);
        keys.insert(once.points[i].key);
    }
    EXPECT_EQ(keys.size(), 15u);
}

TEST(SweepPlan, LocatesAWrongValueOnItsAxisAndNamesThePoint) {
    const SweepLaboratory laboratory;
    EXPECT_EQ(laboratory.error("[{key: ranks, values: [2, 4]}, {key: quantiser.bits, values: [8, 40]}]"),
              "sweep.yaml:2:72: quantiser.bits: 40 is out of range; choose 2 to 16 (point 1: ranks=2 "
              "quantiser.bits=40)");
    EXPECT_THAT(laboratory.error("[{key: network.link.bandwith, values: [1Gbps]}]"),
                AllOf(StartsWith("sweep.yaml:2:14: network.link.bandwith"), HasSubstr("did you mean bandwidth?")));
    EXPECT_THAT(laboratory.error("[{key: quantiser, values: [{kind: max, bits: 40}]}]"),
                StartsWith("sweep.yaml:2:52: quantiser.bits: 40"));
}

TEST(SweepPlan, ChecksThePointsAgainstTheTraceAndTheMachine) {
    const SweepLaboratory laboratory;
    EXPECT_THAT(laboratory.error("[{key: iterations.first, values: [1, 4]}]"),
                AllOf(HasSubstr("the trace has 0 to 3"), HasSubstr("(point 1: iterations.first=4)")));
    EXPECT_THAT(laboratory.error("[{key: trace, values: [captured, nowhere]}]"),
                HasSubstr("sweep.yaml:2:40: trace: no such folder 'nowhere'"));
    EXPECT_THAT(laboratory.error("[{key: ranks, values: [2, 4]}]", "set: {network.topology: {kind: star, nodes: 2}}"),
                HasSubstr("(point 1: ranks=4)"));
}

TEST(SweepPlan, RefusesTwoPointsThatAreTheSameConfiguration) {
    const SweepLaboratory laboratory;
    EXPECT_THAT(laboratory.error("[{key: network.link.bandwidth, values: [1Gbps, 2Gbps, 1000Mbps]}]"),
                AllOf(StartsWith("sweep.yaml:2:"), HasSubstr("point 2 (network.link.bandwidth=1000Mbps) is the same "
                                                             "configuration as point 0")));
}

TEST(SweepPlan, MayDrawItsPointsFromTheGrid) {
    const SweepLaboratory laboratory;
    const std::string axes =
        "[{key: ranks, values: [2, 3, 4]}, {key: seed, range: {from: 1, to: 9999, step: 1}}, {key: "
        "quantiser.bits, range: {from: 4, to: 16, step: 1}}]";
    const auto points = [&](const char* more) { return laboratory.plan(axes, more).points; };
    EXPECT_EQ(points("sample: {points: 7}").size(), 7u);
    EXPECT_EQ(points("sample: {kind: latin_hypercube, points: 13, seed: 5}").size(), 13u);
    EXPECT_THAT(laboratory.error(axes), HasSubstr("draw from the grid with sample: {points: 100}"));
    EXPECT_EQ(laboratory.error("[{key: ranks, values: [2, 4]}]", "sample: {points: 3}"),
              "sweep.yaml:3:9: sample: draws 3 points of a grid that has 2; leave sample out");
    EXPECT_THAT(laboratory.error("[{key: ranks, values: [2, 4]}]", "sample: {kind: sobol}"),
                HasSubstr("sample.kind: 'sobol' is not known; choose one of random, latin_hypercube"));
}

TEST(SweepPlan, SaysWhatIsWrongWithTheFileItself) {
    const SweepLaboratory laboratory;
    const std::string good = "[{key: ranks, values: [2]}]";
    EXPECT_THAT(laboratory.error(good, "sett: {seed: 1}"), HasSubstr("sett: no such parameter (did you mean set?)"));
    EXPECT_THAT(laboratory.error(good, "set: [1]"), HasSubstr("sweep.yaml:3:6: set: is a list, but a map is due"));
    EXPECT_THAT(laboratory.error("[]"), HasSubstr("axes: is empty"));
    EXPECT_THAT(laboratory.error(""), HasSubstr("axes: is missing"));
    EXPECT_THAT(laboratory.error("[{key: ranks, values: [2]}, {key: ranks, values: [4]}]"),
                HasSubstr("axes.1: sets ranks, as an axis before it"));
    EXPECT_THAT(laboratory.error("[{key: seed, range: {from: 1, to: 9999, step: 1}}, {key: ranks, range: {from: 2, to: "
                                 "40, step: 1}}]"),
                HasSubstr("axes.1: makes more than 100000 points"));
    const auto base = [&](const std::string& text) {
        const auto file = laboratory.folder.write("sweep.yaml", "base: " + text + "\naxes: " + good + "\n");
        return testing::error_of<InputError>(laboratory.folder, [&] { plan_sweep(file); });
    };
    EXPECT_THAT(base("none.yaml"), HasSubstr("sweep.yaml:1:7: base: no such file 'none.yaml'"));
    EXPECT_THAT(base("[1]"), HasSubstr("base: is a list"));
    EXPECT_THAT(base(""), HasSubstr("base: is missing"));
    EXPECT_THAT(base("{base: none.yaml}"), HasSubstr("sweep.yaml:1:14: base: no such file 'none.yaml'"));
    laboratory.folder.write("machine.yaml", "ranks: 4");
    EXPECT_THAT(base("machine.yaml"), HasSubstr("machine.yaml:1:1: trace: is missing"));
    EXPECT_THAT(base("{base: machine.yaml, seed: 2}"), HasSubstr("sweep.yaml:1:7: trace: is missing"));
    EXPECT_THAT(base("{ranks: 4}"), HasSubstr("sweep.yaml:1:7: trace: is missing"));
}

}   // namespace
}   // namespace oscar::plan_test

// run() builds a Machine, of which a process has one: each test runs at most one experiment to its end.
#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"

namespace oscar::sharded_step_test {
namespace {

using test::Laboratory;
using ::testing::HasSubstr;

/// Two units of 300 values: the last layer alone, ready at 10 of 40 us, and the two others, ready at its end.
test::Capture two_units() {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.layers = {100, 200, 300};
    capture.ready = {"40us", "30us", "10us"};
    return capture;
}

std::string sharded(const std::string& step) {
    return "ranks: 4\nmethods: [fp32, fixed_point]\niterations: {first: 1, count: 1}\ncollective: {kind: "
           "reduce_scatter}\n"
           "step: {strategy: fsdp, buckets: {size: 1200B}, " +
           step + "}\n";
}

TEST(ShardedStep, IsTheSumOfPassesGathersAndReduceScattersWithoutPrefetch) {
    const Report report = Laboratory(sharded("backward: 20us, prefetch: 0"), two_units()).run();
    for (const MethodReport& m : report.methods) {
        const ShardingReport& s = m.step->sharding.value();
        EXPECT_EQ(m.sums_match_reference, true);
        EXPECT_EQ(s.reduce_scatter_ps, m.allreduce_ps);
        EXPECT_GT(s.gather_backward_ps, 0);
        EXPECT_EQ(s.gather_forward_ps, 2 * s.gather_backward_ps);   // of equal units, one keeps its parameters
        EXPECT_EQ(m.step->communication_ps, s.gather_forward_ps + s.gather_backward_ps + s.reduce_scatter_ps);
        EXPECT_EQ(m.step->step_ps, 30'000'000 + m.step->communication_ps);
        EXPECT_EQ(s.exposed_gather_forward_ps, s.gather_forward_ps);
        EXPECT_EQ(s.exposed_gather_backward_ps, s.gather_backward_ps);
        EXPECT_EQ(s.exposed_reduce_scatter_ps, s.reduce_scatter_ps);
    }
}

TEST(ShardedStep, ExposesOneGatherAndOneReduceScatterOfLongPasses) {
    const Report report = Laboratory(sharded("backward: 1s"), two_units()).run();
    for (const MethodReport& m : report.methods) {
        const ShardingReport& s = m.step->sharding.value();
        EXPECT_EQ(s.exposed_gather_forward_ps, s.gather_forward_ps / 2);
        EXPECT_EQ(s.exposed_gather_backward_ps, 0);
        EXPECT_EQ(s.exposed_reduce_scatter_ps, m.step->buckets[1].allreduce_ps);
        EXPECT_EQ(m.step->exposed_ps, s.exposed_gather_forward_ps + s.exposed_reduce_scatter_ps);
    }
}

TEST(ShardedStep, GathersParametersAsTheyAreWhateverTheMethodDoesToGradients) {
    const Report report = Laboratory(sharded("backward: 0s, reshard: false"), two_units()).run();
    const StepReport &fp32 = *report.methods[0].step, &fixed = *report.methods[1].step;
    EXPECT_EQ(fp32.sharding->gather_forward_ps, fixed.sharding->gather_forward_ps);
    EXPECT_EQ(fp32.sharding->gather_backward_ps, 0);
    EXPECT_NE(fp32.sharding->reduce_scatter_ps, fixed.sharding->reduce_scatter_ps);
    EXPECT_DOUBLE_EQ(fixed.speedup[0].second, static_cast<double>(fp32.step_ps) / static_cast<double>(fixed.step_ps));
    EXPECT_THAT(test::unbroken_table(report),
                HasSubstr("parameters sharded, gathered 1 ahead; step, and its speed-up over"));
}

/// Two nodes of two.
const std::string nodes = "network: {topology: {kind: hierarchical, island: 2}}\n";
std::string sharded_on_nodes(const std::string& step, const std::string& collective) {
    return "ranks: 4\nmethods: [fp32, asc]\niterations: {first: 1, count: 1}\ncollective: " + collective + "\n" +
           nodes + "step: {buckets: {size: 1200B}, backward: 0s, " + step + "}\n";
}
void expect_kept_sums(const Report& report) {
    for (const MethodReport& m : report.methods) EXPECT_EQ(m.sums_match_reference, true) << m.name;
}

TEST(ShardedStepOnNodes, TakesTheHalvesOfTheHierarchicalAllReduce) {
    const Report report = Laboratory(sharded_on_nodes("strategy: fsdp", "hierarchical"), two_units()).run();
    expect_kept_sums(report);
    EXPECT_EQ(report.config["collective"]["kind"], "reduce_scatter");
    EXPECT_EQ(report.config["collective"]["shape"], "hierarchical");
    EXPECT_EQ(report.config["collective"]["island"], 2);
    EXPECT_FALSE(report.config["step"].contains("group"));
}

TEST(ShardedStepOnNodes, TakesTheHalvesOfARingWithItsChannels) {
    const Report report =
        Laboratory(sharded_on_nodes("strategy: fsdp", "{kind: ring, channels: 2, channel_order: rotated, slices: 2}"),
                   two_units())
            .run();
    expect_kept_sums(report);
    EXPECT_EQ(report.config["collective"].dump(),
              R"({"kind":"reduce_scatter","issue":"lock_step","slices":2,"channels":2,"channel_order":"rotated",)"
              R"("shape":"ring"})");
}

/// Each rank has a shard of half of a unit, which its node gathers by itself; gradients are reduce-scattered in each
/// node, and their shards summed over both.
TEST(HsdpStep, SharesParametersInEachNodeAndSumsGradientsOverAll) {
    const Report report = Laboratory(sharded_on_nodes("strategy: hsdp", "hierarchical"), two_units()).run();
    expect_kept_sums(report);
    EXPECT_EQ(report.config["step"]["group"], 2);
    EXPECT_EQ(report.config["collective"]["group"], 2);
    for (const MethodReport& m : report.methods) EXPECT_GT(m.step->sharding->gather_backward_ps, 0);
}

TEST(ShardedStepErrors, TellWhatGroupsNeed) {
    const Laboratory lab(sharded_on_nodes("strategy: hsdp", "hierarchical"), two_units());
    EXPECT_EQ(lab.error({"step.group=3"}),
              "--set step.group=3: step.group: groups of 3 do not divide 4 ranks; choose a divisor, like 2");
    EXPECT_EQ(lab.error({"network.topology=star"}),
              "exp.yaml:7:7: step.group: network.topology star has no islands; write how many neighbouring ranks share "
              "the parameters, like group: 2");
    EXPECT_EQ(lab.error({"step.strategy=ddp", "step.group=2"}),
              "--set step.group=2: step.group: ranks share parameters in groups with strategy: hsdp alone; write that, "
              "or leave it out");
    EXPECT_EQ(lab.error({"collective={kind: reduce_scatter, group: 4}", "step.group=2"}),
              "--set collective={kind: reduce_scatter, group: 4}: collective.group: step.group says 2; leave one of "
              "them out");
}

TEST(ShardedStepErrors, TellWhatShardedParametersNeed) {
    const Laboratory lab(sharded("backward: 1us"), two_units());
    EXPECT_EQ(
        lab.error({"collective=direct"}),
        "--set collective=direct: collective: strategy fsdp reduce-scatters gradients, and gathers parameters "
        "itself; write collective: {kind: reduce_scatter}, or ring or hierarchical, of which it takes the halves");
    EXPECT_EQ(lab.error({"step.overlap=false"}),
              "--set step.overlap=false: step.overlap: strategy fsdp overlaps as its prefetch lets it; leave it out, "
              "and write prefetch: 0 for no overlap");
    EXPECT_THAT(lab.error({"step.prefetch=1025"}), HasSubstr("choose 0 to 1024"));
}

}   // namespace
}   // namespace oscar::sharded_step_test

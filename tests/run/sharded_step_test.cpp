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

TEST(ShardedStepErrors, TellWhatShardedParametersNeed) {
    const Laboratory lab(sharded("backward: 1us"), two_units());
    EXPECT_EQ(lab.error({"collective=ring"}),
              "--set collective=ring: collective: strategy fsdp reduce-scatters gradients, and gathers parameters "
              "itself; write collective: {kind: reduce_scatter}");
    EXPECT_EQ(lab.error({"step.overlap=false"}),
              "--set step.overlap=false: step.overlap: strategy fsdp overlaps as its prefetch lets it; leave it out, "
              "and write prefetch: 0 for no overlap");
    EXPECT_THAT(lab.error({"step.prefetch=1025"}), HasSubstr("choose 0 to 1024"));
}

}   // namespace
}   // namespace oscar::sharded_step_test

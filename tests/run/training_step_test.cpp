// run() builds a Machine, of which a process has one: each test runs at most one experiment to its end.
#include "sim/run/training_step.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/run/laboratory.hpp"

namespace oscar::training_step_test {
namespace {

using test::Laboratory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Layers of 100, 200 and 300 values. In buckets of 1200 B the last alone fills one, the two others the next, which is
/// ready with the first layer, at 40 of 40 us; the first bucket at 10 us.
test::Capture three_layers() {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.layers = {100, 200, 300};
    capture.ready = {"40us", "30us", "10us"};
    return capture;
}

constexpr std::string_view setting = "ranks: 4\nmethods: [fp32, asc]\niterations: {first: 1, count: 1}\n";

/// One iteration with `step` over two buckets, if it does not say otherwise.
Report run_step(const std::string& step) {
    return Laboratory(std::string(setting) + "step: {buckets: {size: 1200B}, " + step + "}\n", three_layers()).run();
}

TEST(TrainingStep, SendsEveryValueInOneOfItsBuckets) {
    const Report report = run_step("backward: 10us");
    EXPECT_EQ(report.trace.elements, 600u);
    for (const MethodReport& m : report.methods) {
        ASSERT_EQ(m.step->buckets.size(), 2u);
        EXPECT_EQ(m.step->buckets[0].elements, 300u);
        EXPECT_EQ(m.step->buckets[1].elements, 300u);
        EXPECT_EQ(m.step->buckets[1].layers.size(), 2u);
        EXPECT_EQ(m.sums_match_reference, true);
    }
    EXPECT_EQ(report.methods[0].values, 4u * 6 * 150);   // 4 ranks, 6 steps of a quarter of 300 values, twice
    EXPECT_EQ(report.methods[0].payload_bytes, 4u * 4 * 6 * 150);
}

TEST(TrainingStep, CommunicatesForAsLongAsItsAllReducesTakeTogether) {
    const Report report = run_step("backward: 10us");
    for (const MethodReport& m : report.methods) {
        EXPECT_EQ(m.step->communication_ps, m.step->buckets[0].allreduce_ps + m.step->buckets[1].allreduce_ps);
        EXPECT_EQ(m.allreduce_ps, m.step->communication_ps);
    }
}

TEST(TrainingStep, ConvertsTheGradientsOfEachBucketByKernelsOfItsOwn) {
    const Report report = Laboratory(std::string(setting) +
                                         "gpu: {gradients: codes, kernel_latency: 5us, memory_bandwidth: 8Gbps, "
                                         "memory_efficiency: 1}\n"
                                         "step: {buckets: {size: 1200B}, backward: 10us}\n",
                                     three_layers())
                              .run();
    const std::int64_t of_a_bucket = 2 * 5'000'000 + 300 * (4 + 1 + 2 + 4) * 1000;   // a byte a ns; a sum has 10 bits
    EXPECT_EQ(report.methods[0].gpu_kernel_ps, 0);
    EXPECT_EQ(report.methods[1].gpu_kernel_ps, 2 * of_a_bucket);
    for (const MethodReport& m : report.methods) {
        EXPECT_EQ(m.step->communication_ps, m.allreduce_ps);
        EXPECT_EQ(m.critical_path.total_ps(), m.allreduce_ps);
    }
    for (const BucketReport& bucket : report.methods[1].step->buckets) EXPECT_GT(bucket.allreduce_ps, of_a_bucket);
}

TEST(TrainingStep, SendsEachBucketWhenItIsReadyAndTheOneBeforeIsDone) {
    const Report report = run_step("forward: 7us, backward: 20us, optimiser: 3us");
    for (const MethodReport& m : report.methods) {
        const auto& b = m.step->buckets;
        EXPECT_EQ(b[0].ready_ps, 12'000'000);   // 7 + 10 / 40 of 20 us
        EXPECT_EQ(b[1].ready_ps, 27'000'000);
        EXPECT_EQ(b[0].start_ps, b[0].ready_ps);
        EXPECT_EQ(b[1].start_ps, std::max(b[0].end_ps, b[1].ready_ps));
        EXPECT_EQ(m.step->step_ps, b[1].end_ps + 3'000'000);
    }
}

TEST(TrainingStep, ExposesOnlyTheLastBucketOfALongBackwardPass) {
    const Report report = run_step("backward: 1s");
    for (const MethodReport& m : report.methods) {
        EXPECT_EQ(m.step->exposed_ps, m.step->buckets[1].allreduce_ps);
        EXPECT_EQ(m.step->compute_ps, 1'500'000'000'000);   // the forward pass takes half as long
    }
}

TEST(TrainingStep, IsTheSumOfItsAllReducesIfNothingIsComputed) {
    const Report report = run_step("backward: 0s");
    for (const MethodReport& m : report.methods) EXPECT_EQ(m.step->step_ps, m.allreduce_ps);
    EXPECT_DOUBLE_EQ(report.methods[1].step->speedup[0].second, report.methods[1].speedup[0].second);
}

TEST(TrainingStep, WithoutOverlapIsWhatAmdahlsLawPredicts) {
    const Report report = run_step("backward: 30us, optimiser: 5us, overlap: false");
    for (const MethodReport& m : report.methods) {
        EXPECT_EQ(m.step->step_ps, 50'000'000 + m.allreduce_ps);
        for (const auto& [other, check] : m.step->amdahl) EXPECT_NEAR(check.difference, 0, 1e-12) << other;
    }
    EXPECT_GT(report.methods[0].step->speedup[1].second, 0);
}

TEST(TrainingStep, TakesReadyTimesAsCapturedIfTheBackwardPassIsNotGiven) {
    const Report report = run_step("forward: 1us");
    EXPECT_EQ(report.methods[0].step->backward_ps, 40'000'000);
    EXPECT_EQ(report.methods[0].step->buckets[0].ready_ps, 11'000'000);
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("as captured"));
}

TEST(TrainingStep, ComputesForTheWholeTraceThoughOnlySomeLayersAreSent) {
    const Laboratory lab("ranks: 4\nstep: {}\n", three_layers());
    const Experiment experiment = load_experiment(lab.folder.path() / "exp.yaml", {});
    const StepCompute compute =
        compute_of(experiment.parameters, Trace::open(lab.trace).manifest(), {{2}, {1}, {1, 2}});
    EXPECT_EQ(compute.backward.ps, 40'000'000);
    EXPECT_THAT(compute.ready, ElementsAre(Time{30'000'000}, Time{50'000'000}, Time{50'000'000}));
}

TEST(TrainingStep, TellsItsProgressPerBucket) {
    std::vector<std::string> what;
    Laboratory("ranks: 4\nmethods: [fp32]\niterations: {first: 1, count: 1}\nstep: {buckets: {size: 1200B}}\n",
               three_layers())
        .run([&](const std::string& text, double) {
            if (test::is_work(text)) what.push_back(text);
        });
    what.erase(std::unique(what.begin(), what.end()), what.end());
    EXPECT_THAT(what, ElementsAre("iteration 0, bucket 0, fp32", "iteration 1, bucket 0, fp32",
                                  "iteration 0, bucket 1, fp32", "iteration 1, bucket 1, fp32"));
}

/// Two buckets of the same gradient, and how long each takes, on links that limit.
std::vector<std::int64_t> equal_buckets(const std::string& rounding) {
    test::Capture capture = test::random_capture(2, 4, 2000);
    capture.layers = {2000, 2000};
    for (test::Gradients& iteration : capture.gradients)
        for (auto& rank : iteration) {
            const std::vector<float> again = rank;
            rank.insert(rank.end(), again.begin(), again.end());
        }
    const Report report = Laboratory(
                              "ranks: 4\nmethods: [asc]\nnetwork: {link: {bandwidth: 1Gbps}}\niterations: {first: 1, "
                              "count: 1}\nquantiser: {kind: percentile, rounding: " +
                                  rounding + "}\nstep: {buckets: {size: 8KB}, backward: 0s}\n",
                              capture)
                              .run();
    std::vector<std::int64_t> times;
    for (const BucketReport& bucket : report.methods[0].step->buckets) times.push_back(bucket.allreduce_ps);
    return times;
}

TEST(TrainingStep, RoundsEqualBucketsAlikeToTheNearest) {
    const auto times = equal_buckets("nearest");
    EXPECT_EQ(times.at(0), times.at(1));
}

TEST(TrainingStep, DrawsOtherRandomNumbersInEachBucket) {
    const auto times = equal_buckets("stochastic");
    EXPECT_NE(times.at(0), times.at(1));
}

TEST(TrainingStepErrors, TellWhatAStepHasNoPlaceFor) {
    const Laboratory lab("ranks: 4\nstep: {}\n", three_layers());
    EXPECT_EQ(lab.error({"bucket.index=0"}),
              "--set bucket.index=0: bucket: one bucket is no training step, which replays all of them; leave out "
              "bucket or step");
    EXPECT_EQ(lab.error({"start_jitter=1us"}),
              "--set start_jitter=1us: start_jitter: all ranks compute in step where there is a step; leave out "
              "start_jitter or step");
    EXPECT_THAT(lab.error({"step.backward=2000s"}),
                HasSubstr("step.backward: 2000s is out of range; choose 0ps to 1000s"));
    EXPECT_THAT(lab.error({"step.backwards=2s"}), HasSubstr("(did you mean backward?)"));
}

TEST(TrainingStepErrors, TellThatATraceDoesNotKnowWhenItsLayersAreReady) {
    const Laboratory lab("ranks: 4\nstep: {}\n");
    EXPECT_THAT(lab.error(),
                StartsWith("exp.yaml:3:7: step: the trace does not say when its layers are ready; say how long"));
    EXPECT_THAT(lab.error({"step.backward=5ms"}), HasSubstr("so nothing can overlap; give each layer"));
}

TEST(TrainingStep, NeedsNoReadyTimesWithoutOverlap) {
    const Report report = Laboratory("ranks: 4\nmethods: [fp32]\nstep: {backward: 5us, overlap: false}\n").run();
    EXPECT_EQ(report.methods[0].step->buckets[0].ready_ps, 7'500'000);
}

}   // namespace
}   // namespace oscar::training_step_test

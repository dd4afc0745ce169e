#include "models/workload/training_step.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/core/random.hpp"

namespace oscar::training_step_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;

/// Forward 100, backward 200, optimiser 50; gradients complete at 160 and, the last, at 300.
StepCompute two_buckets() { return {100_ps, 200_ps, 50_ps, {160_ps, 300_ps}}; }

TEST(StepTimeline, HidesWhatIsSentDuringTheBackwardPass) {
    // 160 + 90 = 250 is before the second is ready: only the second's 40 are exposed. 300 + 40 + 50 = 390.
    const StepTimeline t = make_timeline(two_buckets(), std::vector{90_ps, 40_ps});
    EXPECT_THAT(t.buckets, ElementsAre(BucketTimes{160_ps, 160_ps, 250_ps}, BucketTimes{300_ps, 300_ps, 340_ps}));
    EXPECT_EQ(t.compute, 350_ps);
    EXPECT_EQ(t.communication, 130_ps);
    EXPECT_EQ(t.step, 390_ps);
    EXPECT_EQ(t.exposed(), 40_ps);
}

TEST(StepTimeline, StartsABucketWhenItIsReadyAndTheOneBeforeIsDoneWhicheverIsLater) {
    const auto second_start = [](Time first) {
        return make_timeline(two_buckets(), std::vector{first, 40_ps}).buckets[1].start;
    };
    EXPECT_EQ(second_start(139_ps), 300_ps);   // the first ends at 299, the second is not ready
    EXPECT_EQ(second_start(140_ps), 300_ps);
    EXPECT_EQ(second_start(141_ps), 301_ps);
}

TEST(StepTimeline, KeepsTheOrderOfTheBucketsThoughALaterOneIsReadyFirst) {
    const StepTimeline t = make_timeline({0_ps, 300_ps, 0_ps, {300_ps, 100_ps}}, std::vector{10_ps, 20_ps});
    EXPECT_THAT(t.buckets, ElementsAre(BucketTimes{300_ps, 300_ps, 310_ps}, BucketTimes{100_ps, 310_ps, 330_ps}));
}

TEST(StepTimeline, StartsTheOptimiserAfterTheBackwardPassThoughAllIsSentBefore) {
    // The backward pass ends at 300 with a layer that is in no bucket; the last AllReduce at 299, 300 and 301.
    const auto step = [](Time allreduce) {
        return make_timeline({100_ps, 200_ps, 50_ps, {200_ps}}, std::vector{allreduce}).step;
    };
    EXPECT_EQ(step(99_ps), 350_ps);
    EXPECT_EQ(step(100_ps), 350_ps);
    EXPECT_EQ(step(101_ps), 351_ps);
}

TEST(StepTimeline, IsTheComputationAloneIfSendingTakesNoTime) {
    const StepTimeline t = make_timeline(two_buckets(), std::vector{0_ps, 0_ps});
    EXPECT_EQ(t.step, 350_ps);
    EXPECT_EQ(t.exposed(), 0_ps);
}

TEST(StepTimeline, IsTheSumOfTheAllReducesIfComputingTakesNoTime) {
    const StepTimeline t = make_timeline({0_ps, 0_ps, 0_ps, {0_ps, 0_ps}}, std::vector{90_ps, 40_ps});
    EXPECT_EQ(t.step, 130_ps);
    EXPECT_EQ(t.exposed(), 130_ps);
}

TEST(StepTimeline, LiesBetweenPerfectOverlapAndNone) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const auto any = [&] { return Time{static_cast<std::int64_t>(testing::random_magnitude(random, 30))}; };
        std::vector<Time> captured(1 + random() % 10), allreduce;
        for (Time& time : captured) time = any();
        for (std::size_t b = 0; b < captured.size(); ++b) allreduce.push_back(any());
        std::ranges::sort(captured);
        StepParams params;
        params.optimiser = any();
        const StepTimeline overlapped = make_timeline(make_compute(params, captured, captured.back()), allreduce);
        params.overlap = false;
        const StepTimeline serial = make_timeline(make_compute(params, captured, captured.back()), allreduce);
        EXPECT_EQ(serial.step, serial.compute + serial.communication);
        EXPECT_EQ(overlapped.compute, serial.compute);
        EXPECT_LE(overlapped.step, serial.step);
        EXPECT_GE(overlapped.step, overlapped.compute + allreduce.back());   // ready at the end of the backward pass
    }
}

TEST(StepCompute, TakesReadyTimesAsCapturedAndAForwardPassOfHalfTheBackwardPass) {
    StepParams params;
    params.optimiser = 7_ps;
    const StepCompute c = make_compute(params, std::vector{50_ps, 401_ps}, 401_ps);
    EXPECT_EQ(c.forward, 200_ps);   // 401 / 2, rounded down
    EXPECT_EQ(c.backward, 401_ps);
    EXPECT_EQ(c.optimiser, 7_ps);
    EXPECT_THAT(c.ready, ElementsAre(250_ps, 601_ps));
    EXPECT_EQ(c.total(), 608_ps);
}

TEST(StepCompute, ScalesReadyTimesToTheBackwardPassThatIsGiven) {
    StepParams params;
    params.forward = 1000_ps;
    params.backward = 3000_ps;
    // 10 of 400 ps is a fortieth: 75 of 3000.
    EXPECT_THAT(make_compute(params, std::vector{10_ps, 200_ps, 400_ps}, 400_ps).ready,
                ElementsAre(1075_ps, 2500_ps, 4000_ps));
}

TEST(StepCompute, IsReadyAtOnceIfTheBackwardPassTakesNoTime) {
    StepParams params;
    params.backward = 0_ps;
    EXPECT_THAT(make_compute(params, std::vector{10_ps, 400_ps}, 400_ps).ready, ElementsAre(0_ps, 0_ps));
    EXPECT_THAT(make_compute(params, std::vector{0_ps, 0_ps}, 0_ps).ready, ElementsAre(0_ps, 0_ps));
}

TEST(StepCompute, IsReadyAfterTheBackwardPassWithoutOverlap) {
    StepParams params;
    params.overlap = false;
    params.forward = 1_ps;
    params.backward = 9_ps;
    EXPECT_THAT(make_compute(params, std::vector{0_ps, 0_ps}, 0_ps).ready, ElementsAre(10_ps, 10_ps));
}

TEST(StepCompute, EndsWithTheBackwardPassToThePicosecondWhateverTheScale) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        const Time captured{1 + static_cast<std::int64_t>(testing::random_magnitude(random, 49))};
        StepParams params;
        params.forward = 0_ps;
        params.backward = Time{static_cast<std::int64_t>(testing::random_magnitude(random, 49))};
        EXPECT_EQ(make_compute(params, std::vector{captured}, captured).ready[0], *params.backward) << seed;
    }
}

}   // namespace
}   // namespace oscar::training_step_test

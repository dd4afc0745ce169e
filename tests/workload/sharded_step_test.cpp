#include "models/workload/sharded_step.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "tests/core/random.hpp"

namespace oscar::sharded_step_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::FieldsAre;

StepParams sharded(std::uint32_t prefetch, bool reshard = true) {
    StepParams params;
    params.strategy = StepStrategy::fsdp;
    params.prefetch = prefetch;
    params.reshard = reshard;
    return params;
}

/// Forward 100, backward 200, optimiser 50. Unit 0 has 60 of the 200 backward and 30 forward, unit 1 140 and 70.
StepCompute two_units() { return {100_ps, 200_ps, 50_ps, {160_ps, 300_ps}}; }
const std::vector<UnitTraffic> two_traffics{{20_ps, 25_ps}, {40_ps, 45_ps}};

TEST(UnitPasses, DivideTheBackwardPassByReadyTimesAndTheForwardPassAlike) {
    EXPECT_THAT(passes_of(two_units()), ElementsAre(UnitPasses{30_ps, 60_ps}, UnitPasses{70_ps, 140_ps}));
}

TEST(UnitPasses, TakeNoTimeIfAnEarlierUnitIsReadyLater) {
    EXPECT_THAT(passes_of({0_ps, 200_ps, 0_ps, {150_ps, 100_ps, 200_ps}}),
                ElementsAre(UnitPasses{0_ps, 150_ps}, UnitPasses{0_ps, 0_ps}, UnitPasses{0_ps, 50_ps}));
}

TEST(ShardedTimeline, GathersAUnitAheadBehindThePassesOfTheOneBefore) {
    // Gathers 1: 0-40, 0: 40-60. Forward 1: 40-110, 0: 110-140. Gather 1: 140-180 while backward 0: 140-200.
    // Reduce-scatter 0: 200-225 while backward 1: 200-340. Reduce-scatter 1: 340-385. Optimiser to 435.
    const ShardedTimeline t = make_sharded_timeline(two_units(), two_traffics, sharded(1));
    EXPECT_EQ(t.step.step, 435_ps);
    EXPECT_EQ(t.step.compute, 350_ps);
    EXPECT_EQ(t.step.communication, 170_ps);
    EXPECT_THAT(t.step.buckets, ElementsAre(BucketTimes{200_ps, 200_ps, 225_ps}, BucketTimes{340_ps, 340_ps, 385_ps}));
    EXPECT_THAT(t.communication, FieldsAre(60_ps, 40_ps, 70_ps));
    EXPECT_THAT(t.exposed, FieldsAre(40_ps, 0_ps, 45_ps));
}

TEST(ShardedTimeline, WithoutPrefetchIsTheSumOfAll) {
    const ShardedTimeline t = make_sharded_timeline(two_units(), two_traffics, sharded(0));
    EXPECT_EQ(t.step.step, 520_ps);   // 350 + 170
    EXPECT_EQ(t.exposed, t.communication);
}

TEST(ShardedTimeline, WaitsForTheGatherThatThePassBeforeIsTooShortFor) {
    // With gathers of 100 for unit 1: forward 1 from 100 to 170, 0 to 200; gather 1: 200-300, backward 0: 200-260,
    // reduce-scatter 0: 300-325, backward 1: 300-440, reduce-scatter 1: 440-485.
    const std::vector<UnitTraffic> traffic{{20_ps, 25_ps}, {100_ps, 45_ps}};
    const ShardedTimeline t = make_sharded_timeline(two_units(), traffic, sharded(1));
    EXPECT_THAT(t.step.buckets, ElementsAre(BucketTimes{260_ps, 300_ps, 325_ps}, BucketTimes{440_ps, 440_ps, 485_ps}));
    EXPECT_THAT(t.exposed, FieldsAre(100_ps, 40_ps, 45_ps));
}

/// No forward pass, three backward passes of 10; the first reduce-scatter takes 50, the gathers 0, 5 and 7.
ShardedTimeline behind_a_long_reduce_scatter(std::uint32_t prefetch) {
    const std::vector<UnitTraffic> traffic{{0_ps, 50_ps}, {5_ps, 0_ps}, {7_ps, 0_ps}};
    return make_sharded_timeline({0_ps, 30_ps, 0_ps, {10_ps, 20_ps, 30_ps}}, traffic, sharded(prefetch));
}

TEST(ShardedTimeline, SendsInTheOrderOfIssueThoughAGatherIsWaitedFor) {
    // Gathered 7 + 5 + 0 to 12. Gather 1: 12-17, backward 0: 12-22, reduce-scatter 0: 22-72, gather 2: 72-79;
    // backward 1: 22-32, backward 2: 79-89. So 32-72 waits for a reduce-scatter, 72-79 for a gather.
    const ShardedTimeline t = behind_a_long_reduce_scatter(1);
    EXPECT_EQ(t.step.step, 89_ps);
    EXPECT_THAT(t.step.buckets, ElementsAre(BucketTimes{22_ps, 22_ps, 72_ps}, BucketTimes{32_ps, 79_ps, 79_ps},
                                            BucketTimes{89_ps, 89_ps, 89_ps}));
    EXPECT_THAT(t.exposed, FieldsAre(12_ps, 7_ps, 40_ps));
}

TEST(ShardedTimeline, GathersTwoUnitsAheadBeforeTheFirstReduceScatter) {
    // Gathers 1 and 2: 12-17, 17-24; reduce-scatter 0: 24-74, while backward passes end at 22, 32 and 42.
    const ShardedTimeline t = behind_a_long_reduce_scatter(2);
    EXPECT_EQ(t.step.step, 74_ps);
    EXPECT_THAT(t.exposed, FieldsAre(12_ps, 0_ps, 32_ps));
}

TEST(ShardedTimeline, HidesTrafficBehindLayersThatAreInNoUnit) {
    // One unit of 50 forward and 100 backward in passes of 100 and 200: gather 0-30 in a lead of 50, forward 50-100,
    // backward 100-200, reduce-scatter 200-240 in the remaining 100.
    const StepCompute compute{100_ps, 200_ps, 50_ps, {200_ps}};
    const std::vector<UnitTraffic> traffic{{30_ps, 40_ps}};
    EXPECT_EQ(make_sharded_timeline(compute, traffic, sharded(1)).step.step, 350_ps);
    EXPECT_EQ(make_sharded_timeline(compute, traffic, sharded(0)).step.step, 380_ps);   // gathered after the lead
}

/// A step of 1 to 10 units with times below 2^30 ps.
struct RandomStep {
    StepCompute compute;
    std::vector<UnitTraffic> traffic;
    explicit RandomStep(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const auto any = [&] { return Time{static_cast<std::int64_t>(testing::random_magnitude(random, 30))}; };
        std::vector<Time> captured(1 + random() % 10);
        for (Time& time : captured) time = any();
        std::ranges::sort(captured);
        StepParams params;
        params.forward = any();
        params.optimiser = any();
        compute = make_compute(params, captured, captured.back());
        for (std::size_t u = 0; u < captured.size(); ++u) traffic.push_back({any(), any()});
    }
};

TEST(ShardedTimeline, ExposesNoMoreThanItSendsAndTellsWhatFor) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const RandomStep step(seed);
        const ShardedTimeline t = make_sharded_timeline(step.compute, step.traffic,
                                                        sharded(static_cast<std::uint32_t>(seed % 5), seed % 2 == 0));
        EXPECT_EQ(t.communication.total(), t.step.communication);
        EXPECT_EQ(t.exposed.total(), t.step.exposed());
        EXPECT_LE(t.exposed.gather_forward, t.communication.gather_forward);
        EXPECT_LE(t.exposed.gather_backward, t.communication.gather_backward);
        EXPECT_LE(t.exposed.reduce_scatter, t.communication.reduce_scatter);
        EXPECT_GE(t.exposed.reduce_scatter, step.traffic.back().reduce_scatter);
    }
}

TEST(ShardedTimeline, WithoutReshardSavesExactlyTheBackwardGathers) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        RandomStep step(seed);
        const ShardedTimeline again = make_sharded_timeline(step.compute, step.traffic, sharded(0)),
                              kept = make_sharded_timeline(step.compute, step.traffic, sharded(0, false));
        Time gathers;   // of all units but that at the turn
        for (std::size_t u = 1; u < step.traffic.size(); ++u) gathers += step.traffic[u].gather;
        EXPECT_EQ(again.communication.gather_backward, gathers);
        EXPECT_EQ(kept.communication.gather_backward, 0_ps);
        EXPECT_EQ(again.step.step, again.step.compute + again.step.communication);
        EXPECT_GE(again.step.step - kept.step.step, gathers);   // reduce-scatters, too, no longer hold passes up
        step.compute = {0_ps, 0_ps, 7_ps, std::vector<Time>(step.traffic.size())};
        EXPECT_EQ(make_sharded_timeline(step.compute, step.traffic, sharded(0)).step.step -
                      make_sharded_timeline(step.compute, step.traffic, sharded(0, false)).step.step,
                  gathers);
    }
}

TEST(ShardedTimeline, ExposesTheFirstGatherAndTheLastReduceScatterOfLongPasses) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        RandomStep step(seed);
        const std::int64_t units = std::ssize(step.traffic), longest = std::int64_t{1} << 32;   // > 3 collectives
        step.compute = {Time{units * longest}, Time{units * longest}, 7_ps, {}};
        for (std::int64_t u = 1; u <= units; ++u) step.compute.ready.push_back(Time{(units + u) * longest});
        for (const std::uint32_t prefetch : {1u, 2u, 9u}) {
            const ShardedTimeline t = make_sharded_timeline(step.compute, step.traffic, sharded(prefetch));
            const UnitTraffic& last = step.traffic.back();
            EXPECT_EQ(t.exposed.gather_forward, last.gather);
            EXPECT_EQ(t.exposed.reduce_scatter, last.reduce_scatter);
            EXPECT_EQ(t.step.step, step.compute.total() + last.gather + last.reduce_scatter);
        }
    }
}

}   // namespace
}   // namespace oscar::sharded_step_test

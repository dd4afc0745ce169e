// Kernels of a GPU around an AllReduce. 8 Gbit/s are a byte a ns.
#include "models/gpu/gpu_kernels.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar::gpu_kernels_test {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

Plan plan_of(ElementType number, std::uint32_t bits, std::uint32_t slices = 1) {
    RingParams ring;
    ring.slices = slices;
    return {make_schedule(ring, 4), number, bits};
}
Plan int8_plan(std::uint32_t slices = 1) { return plan_of(ElementType::integer, 8, slices); }

GpuParams slow_gpu(GradientForm form, KernelGrain grain = KernelGrain::bucket) {
    return {.gradients = form,
            .kernel_latency = 5_us,
            .memory_bandwidth = 8_Gbps,
            .memory_efficiency = 1,
            .kernels = grain};
}

CriticalPath both(const GpuParams& gpu, const Plan& plan, const KernelWork& work) {
    return kernels_before(gpu, plan, work) += kernels_after(gpu, plan, work.elements);
}

TEST(GpuKernels, AreLaunchedTwiceAndMoveFp32AndWordsEachTime) {
    const GpuParams gpu = slow_gpu(GradientForm::codes);
    // 1 byte, the sum's 10 bits 2.
    EXPECT_EQ(both(gpu, int8_plan(), {1000}),
              (CriticalPath{.dma_ps = 1000 * (4 + 1 + 2 + 4) * 1000, .latency_ps = 10'000'000}));
    EXPECT_EQ(both(gpu, plan_of(ElementType::bfloat16, 16), {1000}),
              (CriticalPath{.dma_ps = 1000 * 2 * (4 + 2) * 1000, .latency_ps = 10'000'000}));
}

TEST(GpuKernels, ReachAShareOfTheBandwidthOfTheMemory) {
    GpuParams gpu = slow_gpu(GradientForm::codes);
    const KernelWork work{1000, true, true, {1000}};
    gpu.planning = Exposure::exposed;
    const CriticalPath at_peak = both(gpu, int8_plan(), work);
    gpu.memory_efficiency = 0.5;
    const CriticalPath at_half = both(gpu, int8_plan(), work);
    EXPECT_EQ(at_half.dma_ps, 2 * at_peak.dma_ps);   // of each kernel: scans, plans, both conversions
    EXPECT_EQ(at_half.latency_ps, at_peak.latency_ps);
    gpu.memory_bandwidth = 1_Mbps;   // half of which is less than the least rate
    EXPECT_EQ(both(gpu, int8_plan(), work).dma_ps, 8000 * at_peak.dma_ps);
}

TEST(GpuKernels, AreNoneWhereTheNicConvertsAndWhereWordsAreFp32) {
    EXPECT_EQ(both(slow_gpu(GradientForm::fp32), int8_plan(), {1000}), CriticalPath{});
    EXPECT_EQ(both(slow_gpu(GradientForm::codes), plan_of(ElementType::float32, 32), {1000, true, true}),
              CriticalPath{});
    EXPECT_EQ(both(slow_gpu(GradientForm::words), plan_of(ElementType::bfloat16, 16), {1000}), CriticalPath{});
    EXPECT_EQ(both(slow_gpu(GradientForm::words), plan_of(ElementType::float8_e5m2, 8), {1000}), CriticalPath{});
}

TEST(GpuKernels, ThatFeedErrorsBackReadAndWriteThemInEitherForm) {
    const KernelWork work{1000, true};
    EXPECT_EQ(kernels_before(slow_gpu(GradientForm::codes), int8_plan(), work).dma_ps, 1000 * (4 + 1 + 8) * 1000);
    EXPECT_EQ(kernels_before(slow_gpu(GradientForm::fp32), int8_plan(), work).dma_ps, 1000 * (4 + 4 + 8) * 1000);
    EXPECT_EQ(kernels_after(slow_gpu(GradientForm::fp32), int8_plan(), 1000), CriticalPath{});
}

TEST(GpuKernels, ThatFindPeaksReadTheGradientOnceAPass) {
    GpuParams gpu = slow_gpu(GradientForm::fp32);
    const KernelWork work{1000, false, true};
    EXPECT_EQ(kernels_before(gpu, int8_plan(), work), (CriticalPath{.dma_ps = 8'000'000, .latency_ps = 10'000'000}));
    gpu.scan_passes = 0;
    EXPECT_EQ(kernels_before(gpu, int8_plan(), work), CriticalPath{});
    gpu.scan_passes = 1;
    EXPECT_EQ(kernels_before(gpu, plan_of(ElementType::bfloat16, 16), work), CriticalPath{});
}

/// A GPU whose planning takes `passes`, and the time of planning `values` that are read in each.
GpuParams planning_gpu(Exposure planning, std::uint32_t passes = 2) {
    GpuParams gpu = slow_gpu(GradientForm::fp32);
    gpu.planning = planning;
    gpu.plan_passes = passes;
    return gpu;
}
CriticalPath planned(const GpuParams& gpu, const Planning& planning) {
    return kernels_before(gpu, int8_plan(), {1000, false, false, planning});
}

TEST(GpuKernels, ThatPlanReadTheSumsOnceAPassWhereTheyAreExposed) {
    const GpuParams exposed = planning_gpu(Exposure::exposed);
    EXPECT_EQ(planned(exposed, {1000}), (CriticalPath{.dma_ps = 8'000'000, .latency_ps = 10'000'000}));
    EXPECT_EQ(planned(exposed, {10}), (CriticalPath{.dma_ps = 80'000, .latency_ps = 10'000'000}));
    EXPECT_EQ(planned(exposed, {}), CriticalPath{});
    EXPECT_EQ(planned(planning_gpu(Exposure::exposed, 0), {1000}), CriticalPath{});
    EXPECT_EQ(planned(planning_gpu(Exposure::exposed, 3), {1000}),
              (CriticalPath{.dma_ps = 12'000'000, .latency_ps = 15'000'000}));
}

TEST(GpuKernels, ThatPlanReadAndWriteWhatIsRememberedInTheFirstPass) {
    EXPECT_EQ(planned(planning_gpu(Exposure::exposed), {.values = 1000, .remembers = true}).dma_ps,
              1000 * (4 + 4 + 4 + 4) * 1000);
    EXPECT_EQ(planned(planning_gpu(Exposure::exposed, 1), {.values = 1000, .remembers = true}).dma_ps,
              1000 * (4 + 4 + 4) * 1000);
}

TEST(GpuKernels, ThatPlanTakeNoTimeWhereTheyAreHiddenUnlessTheyNeedTheGradient) {
    const GpuParams hidden = planning_gpu(Exposure::hidden);
    EXPECT_EQ(planned(hidden, {.values = 1000, .remembers = true}), CriticalPath{});
    EXPECT_EQ(planned(hidden, {.values = 1000, .of_own_codes = true}),
              planned(planning_gpu(Exposure::exposed), {1000}));
}

TEST(GpuKernels, FollowTheLaunchOfTheCollectiveWhateverTheForm) {
    GpuParams gpu = slow_gpu(GradientForm::fp32);
    gpu.launch = 7_us;
    const Plan plan = int8_plan();
    EXPECT_EQ(slowest_kernels(std::vector{gpu}, plan, {1000}), (CriticalPath{.latency_ps = 7'000'000}));
    gpu.gradients = GradientForm::codes;
    EXPECT_EQ(slowest_kernels(std::vector{gpu}, plan, {1000}).latency_ps, 17'000'000);   // and two kernels
}

TEST(GpuKernels, AreThoseOfTheSlowestNode) {
    const GpuParams fast = slow_gpu(GradientForm::codes);
    GpuParams slow = fast;
    slow.memory_bandwidth = 4_Gbps;
    EXPECT_EQ(slowest_kernels(std::vector{fast, slow, fast}, int8_plan(), {1000}), both(slow, int8_plan(), {1000}));
}

/// Four slices of 1000, 2000, 3000 and 4000 values; what is stored when is chosen by the test.
struct SlicedKernels : ::testing::Test {
    Plan plan = int8_plan(4);
    GpuParams gpu = slow_gpu(GradientForm::codes, KernelGrain::slice);
    GpuKernels kernels = kernels_of({10'000});
    /// Four GPUs that are alike.
    GpuKernels kernels_of(const KernelWork& work) const {
        return {std::vector(4, gpu), plan, work, {1000, 2000, 3000, 4000}};
    }
    static constexpr Time before(std::int64_t values) { return 5_us + Time{values * 5000}; }
    static constexpr Time after(std::int64_t values) { return 5_us + Time{values * 6000}; }

    /// All ranks have stored slice k at stored[k], the last of them when the steps end.
    Outcome outcome_of(const std::vector<Time>& stored) const {
        Outcome outcome;
        outcome.steps.resize(plan.schedule.steps.size());
        for (StepId id; id.value < outcome.steps.size(); ++id.value)
            outcome.steps.change(id.value).stored = stored[plan.schedule.steps[id.value].chunk.value / 4];
        outcome.finish = stored.back();
        return outcome;
    }
};

TEST_F(SlicedKernels, LetEachSliceBeginWhenItsWordsAreThere) {
    EXPECT_EQ(kernels.before().total_ps(), before(1000).ps);
    const std::vector<Time> releases = kernels.releases();
    ASSERT_EQ(releases.size(), plan.schedule.steps.size());
    const std::vector<Time> expected{
        {}, before(2000), before(2000) + before(3000), before(2000) + before(3000) + before(4000)};
    for (StepId id; id.value < releases.size(); ++id.value)
        EXPECT_EQ(releases[id.value], expected[plan.schedule.steps[id.value].chunk.value / 4]) << id.value;
}

TEST_F(SlicedKernels, LeaveTheLastSlicesKernelWhereTheOthersWereDoneInTime) {
    const CriticalPath rest = kernels.after(outcome_of({100_us, 200_us, 300_us, 400_us}));
    EXPECT_EQ(rest, (CriticalPath{.dma_ps = 4000 * 6000, .latency_ps = 5'000'000}));
}

TEST_F(SlicedKernels, QueueWhereSlicesAreStoredFasterThanTheyAreConverted) {
    const CriticalPath rest = kernels.after(outcome_of({100_us, 101_us, 102_us, 103_us}));
    EXPECT_EQ(rest.total_ps(), (after(1000) + after(2000) + after(3000) + after(4000) - 3_us).ps);
}

TEST_F(SlicedKernels, AreAPairForAllOfABucketWhereTheyAreNotSliced) {
    gpu.kernels = KernelGrain::bucket;
    kernels = kernels_of({10'000});
    EXPECT_THAT(kernels.releases(), IsEmpty());
    EXPECT_EQ(kernels.before().total_ps(), before(10'000).ps);
    EXPECT_EQ(kernels.after(outcome_of({1_us, 2_us, 3_us, 4_us})).total_ps(), after(10'000).ps);
}

TEST_F(SlicedKernels, PlanTheWholeBucketBeforeTheFirstSlice) {
    gpu.planning = Exposure::exposed;
    const GpuKernels planning = kernels_of({10'000, false, false, {10'000}});
    EXPECT_EQ(planning.before().total_ps(), (before(1000) + 2 * (5_us + Time{10'000 * 4000})).ps);
    EXPECT_EQ(planning.releases(), kernels.releases());
}

TEST_F(SlicedKernels, HoldNothingBackWhereNothingIsConverted) {
    gpu.gradients = GradientForm::fp32;
    kernels = kernels_of({10'000});
    EXPECT_THAT(kernels.releases(), IsEmpty());
    EXPECT_EQ(kernels.before(), CriticalPath{});
}

}   // namespace
}   // namespace oscar::gpu_kernels_test

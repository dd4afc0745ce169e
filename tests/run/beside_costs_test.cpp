// Planning and tables, in what a method's run reports. See SmallMachine: 4 ranks, a kernel's launch of 5 us, 1 GHz.
#include "tests/run/methods.hpp"

namespace oscar::beside_costs_test {
namespace {

using namespace test;   // methods and iterations

/// A pass over 4000 values of so many bytes, at 0.85 of 26.8 Tbit/s rounded up to ps.
constexpr std::int64_t pass_ps(std::int64_t bytes = 4) { return 5'000'000 + (4000 * bytes * 8 * 100 + 2277) / 2278; }

const Method adaptive{"adaptive", AscParams{.adapt = Update::symbol}}, aac{"aac", AacParams{}};

/// Codes of -2 to 2, so that every block of every message is worth coding.
IterationCodes narrow(std::uint32_t position, bool continues) {
    auto values = test::codes(4, elements, 8, position);
    for (auto& rank : values)
        for (Symbol& value : rank) value %= 3;
    return iteration_of(position, continues, std::move(values));
}

/// Of two iterations, of which the first has no history.
std::vector<IterationResult> results_on(SmallMachine& machine, const Method& method) {
    MethodRun run = run_of(machine, method);
    run.iterate(machine.system, narrow(0, false), {}, {});
    run.iterate(machine.system, narrow(1, true), {}, {});
    for (const IterationResult& result : run.results()) {
        EXPECT_EQ(result.critical_path.total_ps(), result.allreduce_ps) << method.name;
        EXPECT_EQ(result.sums_match_reference, true) << method.name;
    }
    return run.results();
}

/// Of the second iteration. Parameters of GPUs are read by the run, not by the machine.
struct PlanningOfAMethodRun : ::testing::Test {
    SmallMachine machine;
    IterationResult second(const Method& method, const ChunkKind& chunks, Exposure planning) {
        machine.parameters.chunks = chunks;
        machine.parameters.gpu.planning = planning;
        const auto results = results_on(machine, method);
        EXPECT_EQ(results[0].gpu_kernel_ps, 0) << method.name;   // it has nothing to plan with
        return results[1];
    }
};

TEST_F(PlanningOfAMethodRun, IsPartOfItsTimeAndItsClosedFormWhereItIsExposed) {
    for (const Method& method : {asc, pooled, inlined}) {
        const IterationResult hidden = second(method, PredictedParams{}, Exposure::hidden);
        const IterationResult exposed = second(method, PredictedParams{}, Exposure::exposed);
        EXPECT_EQ(hidden.gpu_kernel_ps, 0) << method.name;
        EXPECT_EQ(exposed.gpu_kernel_ps, 2 * pass_ps()) << method.name;
        EXPECT_EQ(exposed.allreduce_ps - hidden.allreduce_ps, 2 * pass_ps()) << method.name;
        EXPECT_EQ(*exposed.closed_form_ps - *hidden.closed_form_ps, 2 * pass_ps()) << method.name;
        EXPECT_EQ(exposed.critical_path.latency_ps - hidden.critical_path.latency_ps, 10'000'000)
            << method.name;   // two launches of 5 us
    }
}

TEST_F(PlanningOfAMethodRun, TakesNoTimeWhereNothingIsPlanned) {
    for (const Method& method : {fp32, fixed})
        EXPECT_EQ(second(method, PredictedParams{}, Exposure::exposed).gpu_kernel_ps, 0) << method.name;
    EXPECT_EQ(second(asc, EqualParams{}, Exposure::exposed).gpu_kernel_ps, 0);
}

TEST_F(PlanningOfAMethodRun, ReadsAndWritesTheMemoryOfItsClasses) {
    machine.parameters.split = ContextSplitParams{};
    machine.parameters.classes = BlockClassesParams{};
    EXPECT_EQ(second(asc, EqualParams{}, Exposure::exposed).gpu_kernel_ps, 2 * pass_ps());
    machine.parameters.classes = BlockClassesParams{.history = 2};
    EXPECT_EQ(second(asc, EqualParams{}, Exposure::exposed).gpu_kernel_ps, pass_ps(12) + pass_ps());
}

TEST_F(PlanningOfAMethodRun, IsNeverHiddenWhereTheLeaderCutsByTheGradientItself) {
    EXPECT_EQ(second(asc, LeaderParams{}, Exposure::hidden).gpu_kernel_ps, 2 * pass_ps());
    EXPECT_EQ(second(fixed, LeaderParams{}, Exposure::hidden).gpu_kernel_ps, 0);
}

/// Equal chunks on engines whose tables take so many cycles, of a nanosecond each.
Parameters with_update(std::uint32_t cycles) {
    Parameters p = SmallMachine::of(4);
    p.chunks = EqualParams{};
    p.engine.table_update = cycles;
    return p;
}

/// Two machines that differ in the time of a table.
struct TableUpdatesOfAMethodRun : ::testing::Test {
    static constexpr std::int64_t update_ps = 16'000;
    SmallMachine free{with_update(0), "free"}, charged{with_update(16), "charged"};
};

TEST_F(TableUpdatesOfAMethodRun, LengthenTheSimulatedTimeAndTheClosedFormAlike) {
    // A chunk is one block. In each of three timesteps of the reduce-scatter it is encoded and decoded. In the
    // all-gather it is encoded once, forwarded, and decoded behind its last arrival.
    constexpr std::int64_t encoded = 4, decoded = 4;
    const IterationResult before = results_on(free, adaptive)[1], after = results_on(charged, adaptive)[1];
    EXPECT_EQ(after.allreduce_ps - before.allreduce_ps, (encoded + decoded) * update_ps);
    EXPECT_EQ(*after.closed_form_ps - *before.closed_form_ps, (encoded + decoded) * update_ps);
    EXPECT_EQ(after.payload_bytes, before.payload_bytes);
}

TEST_F(TableUpdatesOfAMethodRun, AreThoseOfAdaptiveAndInlineTables) {
    for (const Method& method : {adaptive, aac, inlined})
        EXPECT_GT(results_on(charged, method)[1].allreduce_ps, results_on(free, method)[1].allreduce_ps) << method.name;
    for (const Method& method : {asc, pooled, profiled, fixed, fp32})
        EXPECT_EQ(results_on(charged, method)[1].allreduce_ps, results_on(free, method)[1].allreduce_ps) << method.name;
}

TEST_F(TableUpdatesOfAMethodRun, AreThoseOfTheFirstIterationWhoseTablesComeInline) {
    EXPECT_GT(results_on(charged, asc)[0].allreduce_ps, results_on(free, asc)[0].allreduce_ps);
}

TEST_F(TableUpdatesOfAMethodRun, BetweenTwoIterationsArePartOfTheTimeWhereLearningIsExposed) {
    // A rank sends on a link and receives on another in each of three timesteps, and has a table of final sums.
    for (const auto& [method, tables] : {std::pair{asc, 7}, {pooled, 1}, {profiled, 1}, {inlined, 0}, {fixed, 0}}) {
        charged.parameters.engine.learning = Exposure::hidden;
        const auto hidden = results_on(charged, method);
        charged.parameters.engine.learning = Exposure::exposed;
        const auto exposed = results_on(charged, method);
        EXPECT_EQ(hidden[0].allreduce_ps, exposed[0].allreduce_ps) << method.name;   // no counts yet
        EXPECT_EQ(exposed[1].allreduce_ps - hidden[1].allreduce_ps, tables * update_ps) << method.name;
        EXPECT_EQ(*exposed[1].closed_form_ps - *hidden[1].closed_form_ps, tables * update_ps) << method.name;
        EXPECT_EQ(exposed[1].codec_ps - hidden[1].codec_ps, tables * update_ps) << method.name;
    }
}

}   // namespace
}   // namespace oscar::beside_costs_test

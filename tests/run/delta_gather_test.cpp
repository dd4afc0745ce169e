// Methods that send of a final sum only what its receiver does not know.
#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::delta_gather_test {
namespace {

using namespace test;   // methods and iterations

/// The last of two iterations.
IterationResult result_of(SmallMachine& machine, const Method& method) {
    MethodRun run = run_of(machine, method);
    run.warm_up(uneven(6, false, 1));
    run.iterate(machine.system, uneven(7, true, 2), {}, {});
    return run.results().front();
}

SmallMachine machine_with(AllGatherDirection direction, Time dma_latency = GpuParams{}.dma_latency) {
    Parameters p = SmallMachine::of(4);
    p.gpu.dma_latency = dma_latency;
    p.collective = RingParams{{}, direction};
    return SmallMachine(p);
}

TEST(Deltas, MatchTheReferenceAndTheClosedFormOfARing) {
    SmallMachine machine = machine_with(AllGatherDirection::reverse);
    machine.parameters.delta_gather = true;
    for (const Method& method : all_methods()) {
        SCOPED_TRACE(method.name);
        const IterationResult result = result_of(machine, method);
        EXPECT_EQ(result.sums_match_reference, true);
        ASSERT_TRUE(result.closed_form_ps);
        const std::int64_t packet = 20 * (4096 + 82);   // 400 Gbit/s: 20 ps a byte
        EXPECT_NEAR(static_cast<double>(*result.closed_form_ps), static_cast<double>(result.allreduce_ps),
                    static_cast<double>(packet));
    }
}

TEST(Deltas, SaveOnTheWayBackOneRankOfEachSumThatTravels) {
    // Fixed-point codes of 8 bits: sums of 1, 2, 3 ranks in 8, 9, 10 bits, and whole ones in 10, of 1000 values.
    SmallMachine machine = machine_with(AllGatherDirection::reverse);
    Method deltas = fixed;
    deltas.delta_gather = true;
    EXPECT_EQ(result_of(machine, fixed).payload_bytes, 4u * 1000 * (8 + 9 + 10 + 10 + 10 + 10) / 8);
    EXPECT_EQ(result_of(machine, deltas).payload_bytes, 4u * 1000 * (8 + 9 + 10 + 8 + 9 + 10) / 8);
}

TEST(Deltas, AreReadWithLocalValuesAndDecodedBeforeTheyGoOn) {
    SmallMachine machine = machine_with(AllGatherDirection::reverse);
    Method deltas = fixed;
    deltas.delta_gather = true;
    const auto in_engine = [&](const Method& method) { return result_of(machine, method).critical_path.engine_ps; };
    EXPECT_GT(in_engine(deltas), in_engine(fixed));
}

TEST(Deltas, WaitForTheLocalValuesOfTheirReceiverAtEachHop) {
    SmallMachine machine = machine_with(AllGatherDirection::reverse, 50_us);
    Method deltas = fixed;
    deltas.delta_gather = true;
    // Each of six timesteps reads what it adds, and the last one's sums are written; whole sums are not added in three.
    EXPECT_GT(result_of(machine, deltas).allreduce_ps, (7 * 50_us).ps);
    EXPECT_LT(result_of(machine, fixed).allreduce_ps, (5 * 50_us).ps);
}

TEST(Deltas, ChangeNothingForFloats) {
    SmallMachine machine = machine_with(AllGatherDirection::reverse);
    Method deltas = fp32;
    deltas.delta_gather = true;
    expect_same_cost(result_of(machine, deltas), result_of(machine, fp32));
}

TEST(Deltas, DoNotGoWithMeasuredChunks) {
    const Laboratory laboratory("methods: [{kind: asc, chunks: measured, delta_gather: true}]\n");
    EXPECT_THAT(laboratory.error(), ::testing::HasSubstr("leave out delta_gather, or cut chunks otherwise"));
}

TEST(Deltas, AreRefusedWhereNoFinalSumGoesToAllRanks) {
    const Laboratory laboratory("collective: reduce_scatter\nmethods: [{kind: asc, delta_gather: true}]\n");
    EXPECT_THAT(laboratory.error(), ::testing::HasSubstr("exp.yaml:3:11: methods.0: asc: deltas are of final sums"));
}

}   // namespace
}   // namespace oscar::delta_gather_test

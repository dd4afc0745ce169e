// Methods that send of a final sum only what its receiver does not know.
#include <gmock/gmock.h>

#include "tests/experiment/laboratory.hpp"
#include "tests/experiment/methods.hpp"

namespace oscar {
namespace {

using namespace test;   // methods and iterations

/// The last of two iterations.
IterationResult result_of(SmallMachine& machine, const Method& method) {
    MethodRun run = run_of(machine, method);
    run.warm_up(uneven(6, false, 1));
    run.replay(machine.system, uneven(7, true, 2), {}, {});
    return run.results().front();
}

SmallMachine machine_with(Gather gather, Time dma_latency = GpuParams{}.dma_latency) {
    Parameters p = SmallMachine::of(4);
    p.gpu.dma_latency = dma_latency;
    p.collective = RingParams{{}, gather};
    return SmallMachine(p);
}

TEST(Remainders, MatchTheReferenceAndTheClosedFormOfARing) {
    SmallMachine machine = machine_with(Gather::back);
    machine.parameters.remainders = true;
    for (const Method& method : all_methods()) {
        SCOPED_TRACE(method.name);
        const IterationResult result = result_of(machine, method);
        EXPECT_EQ(result.matches, true);
        ASSERT_TRUE(result.closed_form_ps);
        const std::int64_t packet = 20 * (4096 + 82);   // 400 Gbit/s: 20 ps a byte
        EXPECT_NEAR(static_cast<double>(*result.closed_form_ps), static_cast<double>(result.allreduce_ps),
                    static_cast<double>(packet));
    }
}

TEST(Remainders, SaveOnTheWayBackOneRankOfEachSumThatTravels) {
    // Widened codes of 8 bits: sums of 1, 2, 3 ranks in 8, 9, 10 bits, and whole ones in 10, of 1000 values.
    SmallMachine machine = machine_with(Gather::back);
    Method remainders = widened;
    remainders.remainders = true;
    EXPECT_EQ(result_of(machine, widened).payload_bytes, 4u * 1000 * (8 + 9 + 10 + 10 + 10 + 10) / 8);
    EXPECT_EQ(result_of(machine, remainders).payload_bytes, 4u * 1000 * (8 + 9 + 10 + 8 + 9 + 10) / 8);
}

TEST(Remainders, AreReadWithLocalValuesAndDecodedBeforeTheyGoOn) {
    SmallMachine machine = machine_with(Gather::back);
    Method remainders = widened;
    remainders.remainders = true;
    const auto in_engine = [&](const Method& method) { return result_of(machine, method).critical_path.engine_ps; };
    EXPECT_GT(in_engine(remainders), in_engine(widened));
}

TEST(Remainders, WaitForTheLocalValuesOfTheirReceiverAtEachHop) {
    SmallMachine machine = machine_with(Gather::back, 50_us);
    Method remainders = widened;
    remainders.remainders = true;
    // Each of six timesteps reads what it adds, and the last one's sums are written; whole sums are not added in three.
    EXPECT_GT(result_of(machine, remainders).allreduce_ps, (7 * 50_us).ps);
    EXPECT_LT(result_of(machine, widened).allreduce_ps, (5 * 50_us).ps);
}

TEST(Remainders, ChangeNothingForFloats) {
    SmallMachine machine = machine_with(Gather::back);
    Method remainders = fp32;
    remainders.remainders = true;
    expect_same_cost(result_of(machine, remainders), result_of(machine, fp32));
}

TEST(Remainders, DoNotGoWithChunksByWhatWasSpent) {
    const Laboratory laboratory("methods: [{kind: asc, chunks: spent, remainders: true}]\n");
    EXPECT_THAT(laboratory.error(), ::testing::HasSubstr("leave out remainders, or cut chunks otherwise"));
}

TEST(Remainders, AreRefusedWhereNoFinalSumGoesToAllRanks) {
    const Laboratory laboratory("collective: reduce_scatter\nmethods: [{kind: asc, remainders: true}]\n");
    EXPECT_THAT(laboratory.error(), ::testing::HasSubstr("exp.yaml:3:10: methods: asc: remainders are of final sums"));
}

}   // namespace
}   // namespace oscar

// MethodRun with chunks of equal predicted time.
#include "tests/run/methods.hpp"

namespace oscar::time_balanced_chunks_test {
namespace {

using namespace test;   // methods and iterations

/// ASC's second iteration, in which the sums of the first are known: a quarter of the values are wide, the others
/// nearly always zero.
IterationResult balanced(SmallMachine& machine, Balance balance) {
    PredictedParams chunks;
    chunks.balance = balance;
    machine.parameters.chunks = chunks;
    MethodRun run = run_of(machine, asc);
    for (const std::uint32_t position : {0u, 1u})
        run.iterate(machine.system, uneven(position, position > 0, position), {}, {});
    EXPECT_EQ(run.results().back().sums_match_reference, true);
    return run.results().back();
}

Parameters with_rates(Bandwidth link, Bandwidth dma) {
    Parameters p = SmallMachine::of(4);
    p.network.link.bandwidth = link;
    p.gpu.dma_bandwidth = dma;
    return p;
}

TEST(ChunksOfEqualTime, AreFasterWhereTheDmaLimitsThoughTheirCodedSizesDiffer) {
    SmallMachine machine(with_rates(400_Gbps, 20_Gbps));
    const IterationResult bits = balanced(machine, Balance::bits), time = balanced(machine, Balance::time);
    EXPECT_GT(time.imbalance, bits.imbalance * 2);
    // A quarter of the values has nearly all bits, so that one of four chunks of equal bits has more than three
    // quarters of the values. Equal times mean a quarter each.
    EXPECT_LT(time.allreduce_ps, bits.allreduce_ps * 3 / 4);
}

TEST(ChunksOfEqualTime, AreThoseOfEqualBitsWhereTheLinkLimits) {
    SmallMachine machine(with_rates(1_Gbps, 3600_Gbps));
    expect_same_cost(balanced(machine, Balance::time), balanced(machine, Balance::bits));
}

}   // namespace
}   // namespace oscar::time_balanced_chunks_test

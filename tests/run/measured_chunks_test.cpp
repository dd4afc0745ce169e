// MethodRun with chunks cut by the measured cost of all messages of t-1.
#include "tests/run/methods.hpp"

namespace oscar::measured_chunks_test {
namespace {

using namespace test;   // methods and iterations

TEST(SpentChunks, AreMoreEvenThanEqualOnesWhereTheDearValuesStayAndTheirTrailersTravelInEachMessage) {
    SmallMachine machine;
    std::vector<IterationResult> first;
    std::vector<double> second;
    for (const ChunkKind& chunks : {ChunkKind(MeasuredParams{50}), ChunkKind(EqualParams{})}) {
        machine.parameters.chunks = chunks;
        MethodRun run = run_of(machine, inlined);
        run.iterate(machine.system, uneven(0, false, 1), {}, {});
        run.iterate(machine.system, uneven(1, true, 2), {}, {});
        first.push_back(run.results()[0]);
        second.push_back(run.results()[1].imbalance);
    }
    EXPECT_LT(second[0], second[1]);
    // Of 4000 elements, 50 to a block, chunks begin with equal ones: 20 blocks, 40 bytes, in each of 24 messages.
    EXPECT_EQ(first[0].payload_bytes - first[1].payload_bytes, 24u * 40);
}

TEST(SpentChunks, MeetTheClosedFormWhereTrailersFillPacketsOfTheirOwn) {
    SmallMachine machine;
    for (const Issue issue : {Issue::lock_step, Issue::dependency})
        for (const std::uint32_t granularity : {1u, 3u, 64u})
            for (const Method& method : {asc, inlined}) {
                machine.parameters.collective = RingParams{issue, 1};
                machine.parameters.chunks = MeasuredParams{granularity};
                MethodRun run = run_of(machine, method);
                for (const std::uint32_t position : {0u, 1u, 2u})
                    run.iterate(machine.system, small_codes(position, position > 0, position), {}, {});
                for (const IterationResult& result : run.results()) {
                    EXPECT_EQ(result.sums_match_reference, true);
                    // Within a packet of 4 KiB at 400 Gbit/s, as without trailers.
                    EXPECT_NEAR(static_cast<double>(*result.closed_form_ps), static_cast<double>(result.allreduce_ps),
                                (4096 + 82) * 20.0)
                        << method.name << ", " << granularity;
                }
            }
}

TEST(SpentChunks, AreTheSameAfterAnAbortedAttempt) {
    SmallMachine machine;
    machine.parameters.chunks = MeasuredParams{16};
    MethodRun straight = run_of(machine, asc), aborted = run_of(machine, asc);
    for (const std::uint32_t position : {0u, 1u, 2u}) {
        const IterationCodes codes = uneven(position, position > 0, position);
        aborted.abort(codes, 7);
        for (MethodRun* run : {&straight, &aborted}) run->iterate(machine.system, codes, {}, {});
        expect_same_cost(straight.results().back(), aborted.results().back());
    }
}

}   // namespace
}   // namespace oscar::measured_chunks_test

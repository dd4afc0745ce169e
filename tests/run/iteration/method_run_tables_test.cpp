// MethodRun: what its tables and boundaries learn, and when they forget it.
#include <cmath>

#include "tests/run/methods.hpp"

namespace oscar::method_run_tables_test {
namespace {

using namespace test;   // methods and iterations

TEST(MethodRun, CountsAProfiledTablesBytesForAllOtherRanksOnceThereIsAProfile) {
    SmallMachine machine;
    // 16 rows of a 10 bit count and a first pattern of 10 bits, what sums of 4 ranks have: 40 bytes.
    const std::uint64_t table = 16 * (10 + 10) / 8;
    MethodRun run = run_of(machine, profiled), inline_run = run_of(machine, inlined), asc_run = run_of(machine, asc);
    for (const auto& [position, continues] : {std::pair{0u, false}, {1u, true}, {2u, true}, {3u, false}, {4u, true}})
        for (MethodRun* each : {&run, &inline_run, &asc_run})
            each->iterate(machine.system, small_codes(position, continues, position), {}, {});
    EXPECT_EQ(run.results()[0].side_bytes, 0u);
    EXPECT_EQ(run.results()[1].side_bytes, 3 * table);
    EXPECT_EQ(run.results()[2].side_bytes, 3 * table);
    EXPECT_EQ(run.results()[3].side_bytes, 0u);   // a gap: what rank 0 had before is void
    EXPECT_EQ(run.results()[4].side_bytes, 3 * table);
    for (const MethodRun* each : {&inline_run, &asc_run})
        for (const IterationResult& result : each->results()) EXPECT_EQ(result.side_bytes, 0u);
}

TEST(MethodRun, CountsAPooledTablesBytesAndTheHistogramsThatItIsMadeOf) {
    SmallMachine machine;
    MethodRun run = run_of(machine, pooled);
    for (const auto& [position, continues] : {std::pair{0u, false}, {1u, true}, {2u, false}})
        run.iterate(machine.system, small_codes(position, continues, position), {}, {});
    // Sums of 4 ranks have 10 bits: bins are 64 and 3 octaves of 4 on each side of zero, counts have 4 bytes.
    EXPECT_EQ(run.results()[0].side_bytes, 0u);
    EXPECT_EQ(run.results()[1].side_bytes, 3u * (2 * (64 + 3 * 4) * 4 + 40));
    EXPECT_EQ(run.results()[2].side_bytes, 0u);
}

TEST(MethodRun, PoolsWhatEveryLinkCarriedInEveryTimestep) {
    SmallMachine machine;
    machine.parameters.chunks = EqualParams{};
    // All ranks send ones; then partial sums are 1, 2, 3 and final ones 4, each on as many links and as often but for
    // the last, which is carried 3 times. A table of these needs no offset for any.
    MethodRun run = run_of(machine, pooled), of_codes = run_of(machine, profiled);
    const auto ones = [](std::uint32_t position) {
        return iteration_of(position, position > 0, std::vector(4, std::vector<Symbol>(elements, 1)));
    };
    for (const std::uint32_t position : {0u, 1u})
        for (MethodRun* each : {&run, &of_codes}) each->iterate(machine.system, ones(position), {}, {});
    // Counts 1:1:1:3 of 1008 and one for each of 16 rows: 1, 2, 3 cost log2(1024/169) bits, 4 cost log2(1024/505).
    const double bits = 1000.0 * (3 * std::log2(1024.0 / 169) + 3 * std::log2(1024.0 / 505)) * 4;
    const auto bytes = static_cast<double>(run.results()[1].payload_bytes);
    EXPECT_GE(bytes, bits / 8);
    EXPECT_LE(bytes, bits / 8 + 24 * (16 + 15 * 8));   // 24 messages of a header and 15 lanes
    // A table of codes alone knows only ones, so that the sums are rare to it.
    EXPECT_GT(of_codes.results()[1].payload_bytes, run.results()[1].payload_bytes);
}

TEST(MethodRun, SendsInlineTablesWhereThereIsNoProfile) {
    SmallMachine machine;
    machine.parameters.chunks = EqualParams{};
    MethodRun run = run_of(machine, profiled), inline_run = run_of(machine, inlined);
    for (const std::uint32_t position : {0u, 1u})
        for (MethodRun* each : {&run, &inline_run})
            each->iterate(machine.system, small_codes(position, position > 0, position), {}, {});
    expect_same_cost(run.results()[0], inline_run.results()[0]);
    // Then each message lacks a table: on reduce-scatter of 9, 10 and 10 bits patterns, on all-gather of 10 bits. But
    // the profile fits sums worse than tables of their own.
    EXPECT_NE(run.results()[1].payload_bytes, inline_run.results()[1].payload_bytes);
}

TEST(MethodRun, ForgetsTablesAndBoundariesAtAGap) {
    SmallMachine machine;
    machine.parameters.chunks = PredictedParams{};
    for (const Method& method : {profiled, pooled, asc, inlined}) {
        SCOPED_TRACE(method.name);
        MethodRun fresh = run_of(machine, method), gap = run_of(machine, method), going_on = run_of(machine, method);
        for (MethodRun* run : {&gap, &going_on}) {
            run->warm_up(uneven(1, false, 1));
            run->warm_up(uneven(2, true, 2));
        }
        fresh.iterate(machine.system, uneven(9, false, 9), {}, {});
        gap.iterate(machine.system, uneven(9, false, 9), {}, {});
        going_on.iterate(machine.system, uneven(9, true, 9), {}, {});
        expect_same_cost(gap.results()[0], fresh.results()[0]);
        EXPECT_NE(going_on.results()[0].payload_bytes, fresh.results()[0].payload_bytes);
        EXPECT_LT(going_on.results()[0].imbalance, fresh.results()[0].imbalance);
        for (MethodRun* run : {&gap, &fresh}) run->iterate(machine.system, uneven(10, true, 10), {}, {});
        expect_same_cost(gap.results()[1], fresh.results()[1]);
    }
}

TEST(MethodRun, LearnsTheSameFromAWarmUpAsFromAReplay) {
    SmallMachine machine;
    machine.parameters.chunks = PredictedParams{};
    for (const Method& method : all_methods()) {
        SCOPED_TRACE(method.name);
        MethodRun warmed = run_of(machine, method), replayed = run_of(machine, method);
        for (const std::uint32_t position : {0u, 1u}) {
            warmed.warm_up(uneven(position, position > 0, position));
            replayed.iterate(machine.system, uneven(position, position > 0, position), {}, {});
        }
        for (MethodRun* run : {&warmed, &replayed}) run->iterate(machine.system, uneven(2, true, 2), {}, {});
        expect_same_cost(warmed.results().back(), replayed.results().back());
        EXPECT_EQ(warmed.results().size(), 1u);
    }
}

TEST(MethodRun, BalancesPredictedChunksFromTheSecondIterationOn) {
    SmallMachine machine;
    const Method zero_value{"zero_value", ZeroValueParams{}}, aac{"aac", AacParams{.update = Update::symbol}};
    for (const Method& method : {profiled, inlined, asc, zero_value, aac}) {
        SCOPED_TRACE(method.name);
        machine.parameters.chunks = PredictedParams{8};
        MethodRun run = run_of(machine, method);
        for (const std::uint32_t position : {0u, 1u})
            run.iterate(machine.system, uneven(position, position > 0, position), {}, {});
        // A quarter of the values, one chunk of four, has nearly all bits: the largest message is up to 4 times the
        // mean.
        EXPECT_GT(run.results()[0].imbalance, 2);
        // Then each has a quarter of them. A profile of local codes foresees badly what sums cost: it only helps.
        EXPECT_LT(run.results()[1].imbalance, method.name == "atalanta" ? run.results()[0].imbalance : 1.3);
    }
    machine.parameters.chunks = EqualParams{};
    MethodRun equal = run_of(machine, asc);
    for (const std::uint32_t position : {0u, 1u})
        equal.iterate(machine.system, uneven(position, position > 0, position), {}, {});
    EXPECT_GT(equal.results()[1].imbalance, 2);
}

TEST(MethodRun, CutsEqualChunksForMethodsOfAConstantRate) {
    SmallMachine machine;
    for_each_kind(chunk_kinds, [&]<class C>(const Kind<C>& chunks) {
        machine.parameters.chunks = C{};
        MethodRun plain = run_of(machine, fp32), packed = run_of(machine, fixed);
        for (const std::uint32_t position : {0u, 1u})
            for (MethodRun* run : {&plain, &packed})
                run->iterate(machine.system, uneven(position, position > 0, position), {}, {});
        for (const std::size_t i : {0u, 1u}) {
            EXPECT_EQ(plain.results()[i].imbalance, 1) << chunks.name;
            EXPECT_EQ(packed.results()[i].imbalance, 1) << chunks.name;
            EXPECT_EQ(plain.results()[i].payload_bytes, 4u * 6 * elements);
            // Sums of 1, 2, 3 ranks have 8, 9, 10 bits, and 10 on each step of the all-gather; 1000 values a message.
            EXPECT_EQ(packed.results()[i].payload_bytes, 4u * 125 * (8 + 9 + 10 + 3 * 10));
        }
    });
}

TEST(MethodRun, MatchesForEveryClassifierUnderEverySplit) {
    SmallMachine machine;
    for_each_kind(classifiers, [&]<class C>(const Kind<C>& classes) {
        for_each_kind(splits, [&]<class S>(const Kind<S>& split) {
            for (Method method : {asc, Method{"atalanta", AtalantaParams{}}}) {
                SCOPED_TRACE(method.name + ", " + std::string(split.name) + " by " + std::string(classes.name));
                method.split = S{};
                method.classes = C{};
                MethodRun run = run_of(machine, method, 1000);
                for (const std::uint32_t position : {0u, 1u, 2u, 9u})
                    run.iterate(machine.system,
                                iteration_of(position, position % 9 != 0, test::uneven_codes(4, 1000, position)), {},
                                {});
                for (const IterationResult& result : run.results())
                    EXPECT_EQ(result.sums_match_reference, true) << result.position;
            }
        });
    });
}

TEST(MethodRun, SavesBitsWithClassesOnceTheyHaveTables) {
    SmallMachine machine;
    Method split = asc;
    split.split = ContextSplitParams{};
    split.classes = BlockClassesParams{4, 50};
    MethodRun whole = run_of(machine, asc), classed = run_of(machine, split);
    for (const std::uint32_t position : {0u, 1u, 2u})
        for (MethodRun* run : {&whole, &classed})
            run->iterate(machine.system, uneven(position, position > 0, position), {}, {});
    // No sums are known at first, then no tables by class; then the wide quarter and the rest part. In three of four
    // chunks all elements are alike, so that only what the fourth sends gets shorter.
    EXPECT_EQ(classed.results()[0].payload_bytes, whole.results()[0].payload_bytes);
    EXPECT_EQ(classed.results()[1].payload_bytes, whole.results()[1].payload_bytes);
    EXPECT_LT(classed.results()[2].payload_bytes, whole.results()[2].payload_bytes * 95 / 100);
}

}   // namespace
}   // namespace oscar::method_run_tables_test

// MethodRun: what it checks and what it reports.
#include "tests/run/methods.hpp"

namespace oscar::method_run_test {
namespace {

using namespace test;   // methods and iterations

TEST(MethodRun, MatchesTheReferenceForEveryCodecAndChunkKind) {
    SmallMachine machine;
    for_each_kind(chunk_kinds, [&]<class C>(const Kind<C>& chunks) {
        machine.parameters.chunks = C{};
        for (const Method& method : all_methods()) {
            SCOPED_TRACE(method.name + ", " + std::string(chunks.name));
            MethodRun run = run_of(machine, method);
            run.warm_up(uneven(6, false, 1));
            EXPECT_TRUE(run.results().empty());
            run.iterate(machine.system, uneven(7, true, 2), {}, {});
            run.iterate(machine.system, small_codes(8, true, 3), {}, {});
            run.iterate(machine.system, small_codes(300, false, 4), {}, {});   // the epoch has 8 bits
            ASSERT_EQ(run.results().size(), 3u);
            for (const IterationResult& result : run.results()) {
                EXPECT_EQ(result.sums_match_reference, true);
                EXPECT_EQ(result.values, 2u * 3 * elements);   // each of 4 ranks sends 2 * 3/4 of its values
            }
            EXPECT_EQ(run.results()[0].position, 7u);
            EXPECT_EQ(run.results()[2].position, 300u);
            EXPECT_EQ(run.name(), method.name);
        }
    });
}

TEST(MethodRun, MatchesWithFewerValuesThanRanks) {
    SmallMachine machine;
    for_each_kind(chunk_kinds, [&]<class C>(const Kind<C>& chunks) {
        machine.parameters.chunks = C{};
        for (const Method& method : all_methods()) {
            SCOPED_TRACE(method.name + ", " + std::string(chunks.name));
            MethodRun run = run_of(machine, method, 3);
            for (const std::uint32_t position : {0u, 1u, 2u})
                run.iterate(machine.system,
                            iteration_of(position, position > 0, {{1, 0, 0}, {0, -127, 0}, {0, 0, 0}, {3, 0, 127}}), {},
                            {});
            for (const IterationResult& result : run.results()) EXPECT_EQ(result.sums_match_reference, true);
        }
    });
}

TEST(MethodRun, MatchesWithAllZeros) {
    SmallMachine machine;
    machine.parameters.chunks = PredictedParams{};
    for (const Method& method : all_methods()) {
        MethodRun run = run_of(machine, method, 64);
        for (const std::uint32_t position : {0u, 1u})
            run.iterate(machine.system, iteration_of(position, position > 0, test::codes(4, 64, 1, 0)), {}, {});
        for (const IterationResult& result : run.results()) EXPECT_EQ(result.sums_match_reference, true) << method.name;
    }
}

TEST(MethodRun, TellsThatASumIsNotTheExactOne) {
    SmallMachine machine;
    IterationCodes codes = small_codes(0, false, 1);
    codes.sum[elements - 1] += 1;
    for (const Method& method : all_methods()) {
        MethodRun run = run_of(machine, method);
        run.iterate(machine.system, codes, {}, {});
        EXPECT_EQ(run.results()[0].sums_match_reference, !run.quantised())
            << method.name;   // those have no integer sum
    }
}

TEST(MethodRun, HasAClosedFormWithOneSliceOnly) {
    SmallMachine machine;
    for (const Issue issue : {Issue::lock_step, Issue::dependency})
        for (const Method& method : all_methods()) {
            machine.parameters.collective = RingParams{issue, 1};
            MethodRun one = run_of(machine, method);
            one.iterate(machine.system, small_codes(0, false, 1), {}, {});
            ASSERT_TRUE(one.results()[0].closed_form_ps) << method.name;
            const std::int64_t packet = 20 * (4096 + 82);   // 400 Gbit/s: 20 ps a byte
            EXPECT_NEAR(static_cast<double>(*one.results()[0].closed_form_ps),
                        static_cast<double>(one.results()[0].allreduce_ps), static_cast<double>(packet))
                << method.name;

            machine.parameters.collective = RingParams{issue, 2};
            MethodRun two = run_of(machine, method);
            two.iterate(machine.system, small_codes(0, false, 1), {}, {});
            EXPECT_FALSE(two.results()[0].closed_form_ps) << method.name;
            EXPECT_EQ(two.results()[0].sums_match_reference, true) << method.name;
        }
}

TEST(MethodRun, AddsTheExchangeToQuantisedMethodsOnly) {
    SmallMachine machine;
    for (const Method& method : all_methods()) {
        MethodRun without = run_of(machine, method), with = run_of(machine, method);
        without.iterate(machine.system, small_codes(0, false, 1), {}, {});
        with.iterate(machine.system, small_codes(0, false, 1), {}, {{.wire_ps = 5'000'000}});
        const std::int64_t added = with.quantised() ? 5'000'000 : 0;
        const IterationResult &a = without.results()[0], &b = with.results()[0];
        EXPECT_EQ(with.quantised(), method.name != "fp32" && method.name != "bf16" && method.name != "fp8");
        EXPECT_EQ(a.scale_exchange_ps, 0);
        EXPECT_EQ(b.scale_exchange_ps, added) << method.name;
        EXPECT_EQ(b.allreduce_ps - a.allreduce_ps, added) << method.name;
        EXPECT_EQ(*b.closed_form_ps - *a.closed_form_ps, added) << method.name;
        EXPECT_EQ(a.payload_bytes, b.payload_bytes);
    }
}

TEST(MethodRun, ReportsFidelityAndSaturationOfTheCodesButThatOfFloatsAsItCameOut) {
    SmallMachine machine;
    IterationCodes codes = small_codes(0, false, 1);
    codes.gradients = test::random_gradients(4, elements, 1);   // whose sums fp32 rounds
    codes.fidelity = {0.125, 0.75};
    codes.saturated = 42;
    for (const Method& method : all_methods()) {
        MethodRun run = run_of(machine, method);
        run.iterate(machine.system, codes, {}, {});
        const IterationResult& result = run.results()[0];
        if (run.quantised()) {
            EXPECT_EQ(result.fidelity->relative_l2_error, 0.125);
            EXPECT_EQ(result.fidelity->cosine, 0.75);
            EXPECT_EQ(result.saturated_values, 42u);
        } else {
            const int bits = method.name == "fp32" ? 24 : method.name == "bf16" ? 8 : 3;   // of a significand
            const double half_unit = 1.0 / (1 << bits);
            EXPECT_GT(result.fidelity->relative_l2_error, half_unit / 100);
            EXPECT_LT(result.fidelity->relative_l2_error,
                      4 * half_unit);   // at the start (bf16, fp8) and at three additions
            EXPECT_NEAR(result.fidelity->cosine, 1, half_unit * half_unit + 1e-12);
            EXPECT_EQ(result.saturated_values, 0u);
        }
    }
}

TEST(MethodRun, StartsEachRankWhenItIsTold) {
    SmallMachine machine;
    MethodRun run = run_of(machine, fp32);
    const Time late{5'000'000};
    run.iterate(machine.system, small_codes(0, false, 1), {}, {});
    run.iterate(machine.system, small_codes(1, true, 1), {{}, {}, late, {}}, {});
    EXPECT_EQ(run.results()[1].allreduce_ps - run.results()[0].allreduce_ps, late.ps);
}

}   // namespace
}   // namespace oscar::method_run_test

// MethodRun: an iteration that is given up is repeated as if it had not begun.
#include "tests/run/methods.hpp"

namespace oscar::method_run_abort_test {
namespace {

using namespace test;   // methods and iterations

void expect_same_results(const MethodRun& a, const MethodRun& b) {
    ASSERT_EQ(a.results().size(), b.results().size());
    for (std::size_t i = 0; i < a.results().size(); ++i) {
        const IterationResult &x = a.results()[i], &y = b.results()[i];
        EXPECT_EQ(x.sums_match_reference, true);
        expect_same_cost(x, y);
        EXPECT_EQ(x.side_bytes, y.side_bytes);
        EXPECT_EQ(x.chunk_prediction_error, y.chunk_prediction_error);
        EXPECT_EQ(x.resent_messages, 0u);
    }
}

/// Two runs of a method over the same iterations; one gives each of them up a few times before.
void expect_no_trace_of_aborts(SmallMachine& machine, const Method& method) {
    MethodRun aborting = run_of(machine, method, 1200), twin = run_of(machine, method, 1200);
    for (const std::uint32_t position : {0u, 1u, 2u, 3u, 9u, 10u}) {
        const auto codes = iteration_of(position, position % 9 != 0, uneven_codes(4, 1200, position));
        for (const std::size_t steps : {7u, 24u, 0u}) aborting.abort(codes, steps);
        for (MethodRun* run : {&aborting, &twin}) run->iterate(machine.system, codes, {}, {});
    }
    expect_same_results(aborting, twin);
}

TEST(MethodRunAbort, LeavesNoTraceInAnyMethodAndChunkKind) {
    SmallMachine machine;
    for_each_kind(chunk_kinds, [&]<class C>(const Kind<C>& chunks) {
        machine.parameters.chunks = C{};
        for (const Method& method : all_methods()) {
            SCOPED_TRACE(method.name + ", " + std::string(chunks.name));
            expect_no_trace_of_aborts(machine, method);
        }
    });
}

TEST(MethodRunAbort, LeavesNoTraceInAnySplitAndClassifier) {
    SmallMachine machine;
    for_each_kind(classifiers, [&]<class C>(const Kind<C>& classes) {
        for_each_kind(splits, [&]<class S>(const Kind<S>& split) {
            SCOPED_TRACE(std::string(split.name) + " by " + std::string(classes.name));
            Method method = asc;
            method.split = S{};
            method.classes = C{};
            expect_no_trace_of_aborts(machine, method);
        });
    });
}

TEST(MethodRunAbort, LeavesTheRestOfAWarmUpAsItWas) {
    SmallMachine machine;
    machine.parameters.chunks = PredictedParams{};
    MethodRun aborting = run_of(machine, asc), twin = run_of(machine, asc);
    for (const std::uint32_t position : {0u, 1u}) {
        aborting.abort(uneven(position, position > 0, position), 11);
        for (MethodRun* run : {&aborting, &twin}) run->warm_up(uneven(position, position > 0, position));
    }
    for (MethodRun* run : {&aborting, &twin}) run->iterate(machine.system, uneven(2, true, 2), {}, {});
    expect_same_results(aborting, twin);
}

}   // namespace
}   // namespace oscar::method_run_abort_test

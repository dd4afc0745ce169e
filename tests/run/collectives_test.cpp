// MethodRun on collectives other than the ring.
#include <gmock/gmock.h>

#include <type_traits>

#include "models/collective/algorithms/halves.hpp"
#include "tests/run/methods.hpp"

namespace oscar::collectives_test {
namespace {

using namespace test;   // methods and iterations
using ::testing::HasSubstr;

TEST(MethodRun, MatchesWhatEveryCollectivePromisesAndTellsItsBandwidth) {
    SmallMachine machine(6);
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        P params;
        params.slices = 2;
        machine.parameters.collective = params;
        for (const Method& method : {fp32, fixed, inlined, pooled, asc}) {
            SCOPED_TRACE(std::string(kind.name) + ", " + method.name);
            MethodRun run = run_of(machine, method);
            run.warm_up(small_codes(0, false, 1, 6));
            run.iterate(machine.system, small_codes(1, true, 2, 6), {}, {});
            const IterationResult& result = run.results().front();
            EXPECT_EQ(result.sums_match_reference, true);
            EXPECT_EQ(result.fidelity.has_value(), sums_up(P{}.operation));
            const std::uint32_t counted = P{}.operation == Operation::all_to_all ? elements / 6 : elements;
            EXPECT_NEAR(result.counted_bytes, 4.0 * counted, 4);
            EXPECT_EQ(result.bus_factor, bus_factor(P{}.operation, 6, std::is_same_v<P, InNetworkParams>));
        }
    });
}

/// Coded between nodes and uncoded inside them, in islands and on rings, by all ranks and in groups.
TEST(MethodRun, MatchesWhatShardsPromiseOnNodesWithPortsOfTheirOwn) {
    Parameters p = two_islands();
    p.ranks = 8;
    SmallMachine machine(p);
    const auto expect_promised = [&](const Collective& collective) {
        machine.parameters.collective = collective;
        for (const Method& method : all_methods()) {
            if (method_problem(machine, method) != "none") continue;   // such as chunks of what all ranks know
            SCOPED_TRACE(std::string(collective.name()) + ", " + method.name);
            MethodRun run = run_of(machine, method);
            run.warm_up(small_codes(0, false, 1, 8));
            run.iterate(machine.system, small_codes(1, true, 2, 8), {}, {});
            EXPECT_EQ(run.results().front().sums_match_reference, true);
        }
    };
    for (const std::uint32_t group : {0u, 2u, 4u})
        for (const bool ring : {false, true}) {
            ReduceScatterParams reduce_scatter;
            reduce_scatter.group = group;
            if (ring) reduce_scatter.shape = ReduceScatterShape::ring;
            expect_promised(reduce_scatter);
            expect_promised(all_gather_of(reduce_scatter));
        }
}

TEST(MethodRun, MatchesTheReferenceWithDeltasOnEveryAllReduceAndRefusesThemElsewhere) {
    SmallMachine machine(6);
    machine.parameters.delta_gather = true;
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        P params;
        params.slices = 2;
        machine.parameters.collective = params;
        for (const Method& method : {fp32, fixed, inlined, pooled, asc}) {
            SCOPED_TRACE(std::string(kind.name) + ", " + method.name);
            if (P{}.operation != Operation::all_reduce) {
                EXPECT_THAT(method_problem(machine, method), HasSubstr("leave out delta_gather"));
                continue;
            }
            MethodRun run = run_of(machine, method);
            run.warm_up(small_codes(0, false, 1, 6));
            run.iterate(machine.system, small_codes(1, true, 2, 6), {}, {});
            EXPECT_EQ(run.results().front().sums_match_reference, true);
        }
    });
}

TEST(MethodRun, TellsWhereACollectiveDidNotKeepItsPromise) {
    SmallMachine machine;
    machine.parameters.collective = AllGatherParams{};
    IterationCodes codes = small_codes(0, false, 1);
    MethodRun honest = run_of(machine, asc);
    honest.iterate(machine.system, codes, {}, {});
    EXPECT_EQ(honest.results()[0].sums_match_reference, true);
    codes.sum[0] += 1;   // of no interest here
    MethodRun gathers = run_of(machine, asc);
    gathers.iterate(machine.system, codes, {}, {});
    EXPECT_EQ(gathers.results()[0].sums_match_reference, true);
    machine.parameters.collective = ReduceScatterParams{};
    MethodRun sums = run_of(machine, asc);
    sums.iterate(machine.system, codes, {}, {});
    EXPECT_EQ(sums.results()[0].sums_match_reference, false);
}

TEST(MethodProblems, AreWhatAllRanksWouldHaveToKnowWhereTheyEndWithDifferentValues) {
    SmallMachine machine;
    const auto error = [&](const Method& method) { return method_problem(machine, method); };
    Method predicted = asc, split = asc, rescaled{"asc", AscParams{.table_source = StepSource::rescaled}};
    predicted.chunks = PredictedParams{};
    split.split = ContextSplitParams{};
    split.classes = MagnitudeClassesParams{};
    for (const Collective& collective : {Collective(ReduceScatterParams{}), Collective(AllToAllParams{})}) {
        machine.parameters.collective = collective;
        EXPECT_THAT(error(predicted), HasSubstr("choose chunks: equal"));
        EXPECT_THAT(error(rescaled), HasSubstr("choose table_source: per_link"));
        EXPECT_THAT(error(split), HasSubstr("choose split: none"));
        EXPECT_EQ(error(asc), "none");
    }
    machine.parameters.collective = AllGatherParams{};
    for (const Method& method : {predicted, split, rescaled}) EXPECT_EQ(error(method), "none");
}

}   // namespace
}   // namespace oscar::collectives_test

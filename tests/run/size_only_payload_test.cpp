// A run with computed sizes beside the run with the bytes.
#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::size_only_payload_test {
namespace {

using namespace test;   // methods, iterations and laboratories
using ::testing::HasSubstr;
using ::testing::Not;

const std::string size_only_yaml =
    "ranks: 4\niterations: {first: 1, count: 2}\nmethods: [fp32, fixed_point, atalanta, asc, rans, zero_value]\n";

TEST(SizeOnlyPayload, MatchesTheReferenceForEveryCodecAndChunkKind) {
    SmallMachine machine;
    machine.parameters.payload = Payload::size_only;
    for_each_kind(chunk_kinds, [&]<class C>(const Kind<C>& chunks) {
        machine.parameters.chunks = C{};
        for (const Method& method : all_methods()) {
            SCOPED_TRACE(method.name + ", " + std::string(chunks.name));
            for (const IterationResult& result : results_of(machine, method)) {
                EXPECT_EQ(result.sums_match_reference, true);
                EXPECT_EQ(result.closed_form_ps.has_value(), true);
            }
        }
    });
}

TEST(SizeOnlyPayload, MatchesWhereThereAreFewerValuesThanRanks) {
    SmallMachine machine;
    machine.parameters.payload = Payload::size_only;
    for (const Method& method : all_methods()) {
        MethodRun run = run_of(machine, method, 3);
        for (const std::uint32_t position : {0u, 1u})
            run.iterate(machine.system,
                        iteration_of(position, position > 0, {{1, 0, 0}, {0, -127, 0}, {0, 0, 0}, {3, 0, 127}}), {},
                        {});
        for (const IterationResult& result : run.results()) EXPECT_EQ(result.sums_match_reference, true) << method.name;
    }
}

TEST(SizeOnlyPayload, TakesTheTimeAndTheBytesOfTheExactOneWhereSizesAreCounted) {
    SmallMachine machine;
    for (const Method& method : {fp32, fixed, Method{"zero_value", ZeroValueParams{}},
                                 Method{"shapeshifter", ShapeShifterParams{}}, Method{"aac", AacParams{}}}) {
        SCOPED_TRACE(method.name);
        std::vector<IterationResult> results;
        for (const Payload payload : {Payload::encoded, Payload::size_only}) {
            machine.parameters.payload = payload;
            MethodRun run = run_of(machine, method);
            run.warm_up(uneven(6, false, 1));
            run.iterate(machine.system, uneven(7, true, 2), {}, {});
            results.push_back(run.results().back());
        }
        expect_same_cost(results[0], results[1]);
    }
}

TEST(SizeOnlyPayload, IsMarkedInTheTableAndTheReport) {
    const Report report = Laboratory(size_only_yaml + "payload: size_only\n").run();
    const auto json = to_json(report);
    EXPECT_EQ(json["config"]["payload"], "size_only");
    EXPECT_THAT(json["notes"].dump(), HasSubstr("sizes computed, bytes not made"));
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("NOTE: payload size_only: sizes computed, bytes not made"));
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("values equal"));
    EXPECT_EQ(report.methods.back().sums_match_reference, true);
}

TEST(SizeOnlyPayload, IsNotMarkedWhereThereAreBytes) {
    const Report report = Laboratory(size_only_yaml).run();
    EXPECT_EQ(to_json(report)["config"]["payload"], "encoded");
    EXPECT_THAT(report.notes, Not(::testing::Contains(HasSubstr("payload"))));
    EXPECT_THAT(test::unbroken_table(report), Not(HasSubstr("NOTE: payload")));
}

}   // namespace
}   // namespace oscar::size_only_payload_test

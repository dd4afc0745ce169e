// Consistent scaling: a small gradient on a machine slowed down as much takes the time of a large one.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::scaling_program_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::StartsWith;

nlohmann::ordered_json report_of(const std::string& experiment) {
    const Folder folder;
    std::ofstream(folder / "e.yaml") << experiment;
    const auto run = oscar_sim("run " + (folder / "e.yaml").string() + " -o " + folder.text());
    EXPECT_EQ(run.status, 0) << run.output;
    return test::report_in(folder.text());
}

/// The same bits at the same time: fp32 has nothing that does not scale but headers, 8 B for 64.
TEST(Scale, GivesASmallBucketTheTimeOfALargeOne) {
    const std::string machine = ", methods: [fp32], network: {header: 64B}, collective: {kind: ring, slices: 2}}";
    const auto large = report_of("{payload: synthetic, size: 32MiB" + machine),
               small = report_of("{payload: synthetic, size: 4MiB, scale: 8" + machine);
    EXPECT_NEAR(small["methods"][0]["allreduce_ps"].get<double>() / large["methods"][0]["allreduce_ps"].get<double>(),
                1, 1e-3);
}

TEST(Scale, GivesGeneratedGradientsOfBothSizesTheSameTimesWithinTwoPercent) {
    const testing::TemporaryFolder made;   // not the folder of report_of
    const auto generated = [&](const std::string& elements) {
        const std::string trace = (made.path() / elements).string();
        const auto run = oscar_sim("trace generate --like traces/gpt-kjv --iterations 2 --dtype f2 --elements " +
                                   elements + " " + trace);
        EXPECT_EQ(run.status, 0) << run.output;
        return trace;
    };
    const std::string rest =
        ", iterations: {first: 1, count: 1}, quantiser: {kind: percentile}, chunks: predicted, classes: {kind: block}, "
        "methods: [fp32, fixed_point, {kind: atalanta, table: pooled}, asc, {kind: rans, split: context}], "
        "collective: {kind: ring, issue: dependency, slices: 4, in_flight: 1}, gpu: {gradients: codes, kernels: "
        "slice}}";
    const auto large = report_of("{trace: " + generated("1600000") + rest)["methods"],
               small = report_of("{trace: " + generated("200000") + ", scale: 8" + rest)["methods"];
    for (std::size_t m = 0; m < large.size(); ++m) {
        EXPECT_NEAR(small[m]["allreduce_ps"].get<double>() / large[m]["allreduce_ps"].get<double>(), 1, 0.02)
            << large[m]["name"];
        EXPECT_EQ(small[m]["sums_match_reference"], true);
    }
}

/// It is a rate of the links that the divided ones stand for.
TEST(Scale, LeavesTheBreakEvenRateAsItIs) {
    const std::string machine =
        ", methods: [fp32, bf16], network: {header: 64B}, gpu: {gradients: codes, dma_bandwidth: 504Gbps}}";
    const auto rate = [](const auto& report) {
        return report["methods"][1]["break_even_bandwidth_gbps"].template get<double>();
    };
    const auto large = report_of("{payload: synthetic, size: 32MiB" + machine),
               small = report_of("{payload: synthetic, size: 4MiB, scale: 8" + machine);
    EXPECT_NEAR(rate(small) / rate(large), 1, 0.01);
}

TEST(Scale, IsToldInTheFirstNoteAndStandsResolvedInTheReport) {
    const auto report = report_of("{payload: synthetic, size: 1MiB, methods: [fp32], scale: 4}");
    EXPECT_THAT(report["notes"][0].get<std::string>(), StartsWith("scale: each value stands for 4"));
    EXPECT_FALSE(report["config"].contains("scale"));
    EXPECT_EQ(report["config"]["network"]["link"]["bandwidth"], "100Gbps");
}

}   // namespace
}   // namespace oscar::scaling_program_test

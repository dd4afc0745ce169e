// The training step as a user runs it.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::training_step_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

const std::string step = "run configs/experiments/step.yaml --set methods='[fp32, asc]'";

/// The report of a run with these settings.
nlohmann::ordered_json report_of(const std::string& command) {
    const Folder out;
    const auto run = oscar_sim(command + " -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
    return test::report_in(out.text());
}

TEST(TrainingStepProgram, ReportsAndPrintsTheShippedStep) {
    const Folder out;
    const auto run = oscar_sim(step + " -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("Training step: forward 110.000 us, backward 220.000 us (given"));
    const auto report = test::report_in(out.text());
    EXPECT_EQ(report["config"]["step"]["buckets"]["size"], "64KiB");
    for (const auto& m : report["methods"]) {
        std::uint64_t elements = 0;
        for (const auto& bucket : m["step"]["buckets"]) elements += bucket["elements"].get<std::uint64_t>();
        EXPECT_EQ(elements, report["trace"]["elements"]);
        EXPECT_GT(m["step"]["buckets"].size(), 2u);
        EXPECT_EQ(m["allreduce_ps"], m["step"]["communication_ps"]);
        EXPECT_EQ(m["sums_match_reference"], true);
    }
    EXPECT_GT(report["methods"][1]["step"]["speedup"]["fp32"], 1.0);
}

TEST(TrainingStepProgram, SendsABucketAsIfItWereAlone) {
    const auto whole = report_of(step),
               alone = report_of(step + " --set step=null --set bucket='{size: 64KiB, first: 4KiB, index: 1}'");
    for (std::size_t m = 0; m < 2; ++m)
        EXPECT_EQ(whole["methods"][m]["step"]["buckets"][1]["elements"], alone["trace"]["elements"]);
    // End and start are rounded means of two iterations.
    for (std::size_t m = 0; m < 2; ++m)
        EXPECT_NEAR(whole["methods"][m]["step"]["buckets"][1]["allreduce_ps"].get<double>(),
                    alone["methods"][m]["allreduce_ps"].get<double>(), 1.0);
}

TEST(TrainingStepProgram, LeavesTheAllReducesAsTheyAreWithoutOverlap) {
    const auto overlapped = report_of(step), serial = report_of(step + " --set step.overlap=false");
    for (std::size_t m = 0; m < 2; ++m) {
        const auto &a = overlapped["methods"][m], &b = serial["methods"][m];
        EXPECT_EQ(a["allreduce_ps"], b["allreduce_ps"]);
        EXPECT_LT(a["step"]["step_ps"], b["step"]["step_ps"]);
        EXPECT_EQ(b["step"]["exposed_ps"], b["step"]["communication_ps"]);
    }
}

TEST(TrainingStepProgram, GivesTheSameReportFromItsOwnEcho) {
    const Folder out;
    ASSERT_EQ(oscar_sim(step + " -o " + (out / "a").string()).status, 0);
    std::ofstream(out / "echo.yaml") << test::report_in(out / "a")["config"].dump();
    ASSERT_EQ(oscar_sim("run " + (out / "echo.yaml").string() + " -o " + (out / "b").string()).status, 0);
    EXPECT_EQ(test::without_clock(test::report_in(out / "a")), test::without_clock(test::report_in(out / "b")));
}

TEST(TrainingStepProgram, RoundsAtRandomAndKeepsResidualsInEachBucket) {
    const auto report = report_of(step + " --set quantiser.rounding=stochastic --set quantiser.residual=true");
    EXPECT_EQ(report["methods"][1]["sums_match_reference"], true);
}

TEST(TrainingStepProgram, SaysWhatIsWrongWithAStep) {
    const auto run = oscar_sim(step + " --set step.backward=5");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output, HasSubstr("step.backward: '5' lacks its unit"));
    EXPECT_THAT(oscar_sim("describe step").output, HasSubstr("buckets.first"));
}

}   // namespace
}   // namespace oscar::training_step_test

#include <gmock/gmock.h>

#include "sim/report/tables/table.hpp"
#include "sim/report/tables/verdict.hpp"
#include "tests/report/two_methods.hpp"

namespace oscar::tables_test {
namespace {

using test::two_methods;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportTable, ShowsTimesSpeedUpsAndADifferenceLoudly) {
    Report report = two_methods();
    EXPECT_THAT(to_table(report),
                AllOf(HasSubstr("\nslow      3.000     1.000 "), HasSubstr("\nfast      1.500     2.000 "),
                      HasSubstr("its speed-up over slow:"), Not(HasSubstr("DIFFER"))));
    report.methods[0].sums_match_reference = false;
    EXPECT_THAT(to_table(report), AllOf(HasSubstr("DIFFER\n"), HasSubstr("its sums DIFFER from the reference")));
    EXPECT_THAT(to_table(report, {.screen = {.colours = true}}), HasSubstr("\033[31mDIFFER"));
}

TEST(ReportTable, ShowsAScaledMachineAsItWasWritten) {
    Report report = two_methods();
    EXPECT_THAT(to_table(report), Not(HasSubstr("scaled by")));
    report.config_as_written = report.config;
    (*report.config_as_written)["scale"] = 16;
    (*report.config_as_written)["network"]["link"]["bandwidth"] = "10Gbps";
    (*report.config_as_written)["engine"]["lanes"] = 64;
    report.config["network"]["link"]["bandwidth"] = "625Mbps";   // 10 Gbit/s / 16
    report.config["engine"]["lanes"] = 4;
    EXPECT_THAT(to_table(report, {.screen = {.width = any_width}}),
                AllOf(HasSubstr(" 10Gbps, "), HasSubstr("engine 64 lanes"), HasSubstr(" | scaled by 16\n"),
                      Not(HasSubstr("625Mbps"))));
}

TEST(ReportTable, MarksTheFastestMethodWhereThereAreColours) {
    EXPECT_THAT(to_table(two_methods(), {.screen = {.colours = true}}),
                AllOf(HasSubstr("\033[32m  1.500"), Not(HasSubstr("\033[32m  3.000"))));
}

TEST(ReportTable, ComparesWithTheBaselineThatIsChosenOrWithAllMethods) {
    const Report report = two_methods();
    EXPECT_THAT(to_table(report, {.baseline = "fast"}), HasSubstr("\nslow      3.000     0.500 "));
    EXPECT_THAT(to_table(report, {.wide = true}),
                AllOf(HasSubstr("x slow  x fast"), HasSubstr("over each method (x)")));
    EXPECT_THAT(to_table(report, {.wide = true, .baseline = "fast"}), Not(HasSubstr("x slow")));
}

TEST(ReportTable, TellsOfTheClosedFormAndTheMeansOnlyWhereAsked) {
    const Report report = two_methods();
    EXPECT_THAT(to_table(report), AllOf(Not(HasSubstr("closed form")), Not(HasSubstr("coding us"))));
    EXPECT_THAT(to_table(report, {.wide = true}), AllOf(Not(HasSubstr("closed form")), HasSubstr("coding us")));
    EXPECT_THAT(to_table(report, {.explain = true}),
                AllOf(HasSubstr("closed form us  difference ns"), HasSubstr("coding us")));
}

TEST(ReportTable, TellsOfTheCostsBesideCodingOnlyWhereAsked) {
    Report report = two_methods();
    report.costs = "charged: this; hidden, no time: that";
    EXPECT_THAT(to_table(report), Not(HasSubstr("hidden")));
    EXPECT_THAT(to_table(report, {.explain = true}),
                HasSubstr("\nBeside coding, charged: this; hidden, no time: that\n"));
    EXPECT_EQ(to_json(report)["costs"], *report.costs);
}

TEST(ReportTable, TellsWhatWouldShortenTheTimeOfEachLimiterThatThereIs) {
    Report report = two_methods();
    report.methods[0].critical_path = {.wire_ps = 1'200'000, .engine_ps = 1'800'000};
    const std::string text = to_table(report, {.explain = true, .screen = {.width = any_width}});
    EXPECT_THAT(text, HasSubstr("limited by engine: more engine.lanes or a faster engine.clock shorten it"));
    EXPECT_THAT(text, Not(HasSubstr("limited by link: ")));
}

TEST(ReportTable, ExplainsTheColumnsThatItShows) {
    const View brief{.legend = true, .screen = {.width = any_width}},
        wide{.wide = true, .legend = true, .screen = {.width = any_width}};
    EXPECT_THAT(to_table(two_methods(), brief),
                AllOf(HasSubstr("\nbits/value: payload bits / values: the bits of a value in the messages"),
                      Not(HasSubstr("imbalance:")), Not(HasSubstr("coding us:"))));
    EXPECT_THAT(to_table(two_methods(), wide), AllOf(HasSubstr("\nimbalance: "), HasSubstr("\ncoding us: ")));
}

TEST(ReportTable, ShowsTheBitsOfEachTierWhereThereAreTwo) {
    Report report = two_methods();
    for (MethodReport& method : report.methods) {
        method.tiered = true;
        method.nic_bits_per_value = 4.5;
        method.island_bits_per_value = 9.25;
    }
    report.methods[1].nic_bits_per_value.reset();
    const View brief{.legend = true, .screen = {.width = any_width}}, wide{.wide = true};
    EXPECT_THAT(
        to_table(report, brief),
        AllOf(HasSubstr("speed-up  NIC bits  island bits  L2 error"),
              HasSubstr("\nslow      3.000     1.000     4.500        9.250 "),
              HasSubstr("\nfast      1.500     2.000         -        9.250 "),
              HasSubstr("\nNIC bits: payload bits / values, as bits_per_value, of the messages between islands"),
              HasSubstr("\nisland bits: "), Not(HasSubstr("\nbits/value:"))));
    EXPECT_THAT(to_table(report, wide), HasSubstr("  bits/value  NIC bits  island bits"));
    EXPECT_THAT(to_table(two_methods(), wide),
                AllOf(HasSubstr("  bits/value  imbalance"), HasSubstr("payload MiB"), Not(HasSubstr("NIC bits"))));
}

/// fp32, integers and codes in 4, 2 and 1 us.
Report three_methods() {
    Report report = two_methods();
    report.config["methods"] = nlohmann::ordered_json::parse(
        R"([{"kind": "fp32", "name": "fp32"}, {"kind": "fixed_point", "name": "integers"}, {"kind": "asc", "name": "asc"}])");
    report.methods = {summarise("fp32", {test::result(4'000'000, 50)}),
                      summarise("integers", {test::result(2'000'000, 20)}),
                      summarise("asc", {test::result(1'000'000, 10)})};
    add_speedups(report.methods);
    return report;
}

TEST(Verdict, ComparesWithTheBaselineAndWithUncodedIntegers) {
    const Report report = three_methods();
    EXPECT_EQ(verdict(report, report.methods[0], "fp32"), "fp32: the baseline");
    EXPECT_EQ(verdict(report, report.methods[1], "fp32"), "integers: 2.00x fp32");
    EXPECT_EQ(verdict(report, report.methods[2], "fp32"), "asc: 4.00x fp32 and 2.00x integers");
    EXPECT_EQ(verdict(report, report.methods[2], "integers"), "asc: 2.00x integers");
    EXPECT_EQ(verdict(report, report.methods[0], "asc"), "fp32: 0.25x asc and 0.50x integers");
}

TEST(Verdict, TellsWhatAControllerChose) {
    Report report = three_methods();
    report.methods[1].factors = {{1, 3, 1, 1.0, {}}, {10, 1, 4, 0.75, {}}, {20, 0, 4, 0.5, {}}};
    EXPECT_THAT(verdict(report, report.methods[1], "fp32"),
                EndsWith("; its controller chose 1x for 75 %, 10x for 25 % of its tensors; mean gain 0.75 at 10x, "
                         "0.50 at 20x"));
    EXPECT_THAT(verdict(report, report.methods[0], "fp32"), Not(HasSubstr("controller")));
}

TEST(Verdict, NamesWhatLimitsAndItsShare) {
    Report report = three_methods();
    report.methods[2].critical_path = {.wire_ps = 300'000, .latency_ps = 600'000, .wait_ps = 100'000};
    EXPECT_EQ(verdict(report, report.methods[2], "fp32"),
              "asc: 4.00x fp32 and 2.00x integers; limited by latency (60 % of the critical path)");
}

TEST(Verdict, TellsOfTheStepToo) {
    Report report = three_methods();
    report.methods[2].step.emplace().speedup = {{"fp32", 1.471}};
    EXPECT_EQ(verdict(report, report.methods[2], "fp32"), "asc: 4.00x fp32 and 2.00x integers, its step 1.47x fp32");
}

}   // namespace
}   // namespace oscar::tables_test

#include "sim/report/step_report.hpp"

#include <gmock/gmock.h>

#include "sim/report/report.hpp"
#include "sim/report/tables/table.hpp"

namespace oscar::step_report_test {
namespace {

const View unbroken{.screen = {.width = any_width}};

using ::testing::HasSubstr;
using ::testing::Not;

/// Forward 100, backward 200 and optimiser 50 us; two buckets, ready at 160 and 300 us.
StepCompute compute() {
    const auto us = [](std::int64_t n) { return Time{n * 1'000'000}; };
    return {us(100), us(200), us(50), {us(160), us(300)}};
}

/// One iteration whose AllReduces take so many microseconds.
StepTimeline timeline(std::int64_t first, std::int64_t second) {
    return make_timeline(compute(), std::vector{Time{first * 1'000'000}, Time{second * 1'000'000}});
}

StepReport step(std::int64_t first, std::int64_t second) {
    return summarise(compute(), {timeline(first, second)}, {{{"b", "a"}, 10}, {{"c"}, 20}});
}

TEST(StepReport, TellsComputationAndWhatIsExposedBehindIt) {
    const StepReport s = step(90, 150);   // 160 + 90 before 300; 300 + 150 + 50 = 500
    EXPECT_EQ(s.step_ps, 500'000'000);
    EXPECT_EQ(s.compute_ps, 350'000'000);
    EXPECT_EQ(s.forward_ps + s.backward_ps + s.optimiser_ps, s.compute_ps);
    EXPECT_EQ(s.communication_ps, 240'000'000);
    EXPECT_EQ(s.exposed_ps, 150'000'000);
    EXPECT_DOUBLE_EQ(s.exposed_share, 0.3);
    EXPECT_DOUBLE_EQ(s.scaling_efficiency, 0.7);
    EXPECT_EQ(s.buckets[0].elements, 10u);
    EXPECT_EQ(s.buckets[1].start_ps, 300'000'000);
    EXPECT_EQ(s.buckets[1].end_ps, 450'000'000);
    EXPECT_EQ(s.buckets[1].allreduce_ps, 150'000'000);
}

TEST(StepReport, IsTheMeanOverIterations) {
    const StepReport s = summarise(compute(), {timeline(90, 150), timeline(190, 50)}, {{{"a"}, 1}, {{"b"}, 2}});
    // The second: 160 + 190 = 350, + 50 + 50 = 450.
    EXPECT_EQ(s.step_ps, 475'000'000);
    EXPECT_EQ(s.exposed_ps, 125'000'000);
    EXPECT_EQ(s.communication_ps, 240'000'000);
    EXPECT_EQ(s.buckets[1].start_ps, 325'000'000);
    EXPECT_EQ(s.buckets[1].end_ps, 425'000'000);
    EXPECT_EQ(s.buckets[1].allreduce_ps, 100'000'000);
}

TEST(Amdahl, IsWrongByWhatOverlapHides) {
    StepReport fast = step(30, 30);   // 300 + 30 + 50 = 380
    add_comparison(fast, "slow", step(90, 150));
    const auto& [over, check] = fast.amdahl.at(0);
    EXPECT_EQ(over, "slow");
    EXPECT_DOUBLE_EQ(check.exposed_share, 0.3);
    EXPECT_DOUBLE_EQ(check.allreduce_speedup, 240.0 / 60);
    EXPECT_DOUBLE_EQ(check.predicted, 1 / (0.7 + 0.3 / 4));
    EXPECT_DOUBLE_EQ(check.simulated, 500.0 / 380);
    EXPECT_DOUBLE_EQ(check.difference, check.predicted * 380 / 500 - 1);
    EXPECT_DOUBLE_EQ(fast.speedup.at(0).second, 500.0 / 380);
}

TEST(Amdahl, OfThePublishedShareAndAllReduceSpeedUpGivesThePublishedStep) {
    // OSCAR: 3.77 over the uncompressed AllReduce and 1.38 end to end belong to an exposed share of 37.5 %.
    StepReport slow, fast;
    slow.exposed_share = 0.375;
    slow.communication_ps = 3770;
    fast.communication_ps = 1000;
    slow.step_ps = fast.step_ps = 1;
    add_comparison(fast, "slow", slow);
    EXPECT_NEAR(fast.amdahl[0].second.predicted, 1.38, 0.005);
}

Report two_methods() {
    Report report;
    report.config =
        nlohmann::ordered_json::parse(R"({"step": {"forward": null, "backward": "200us", "overlap": true}})");
    report.methods.resize(2);
    report.methods[0].name = "slow";
    report.methods[1].name = "fast";
    for (MethodReport& m : report.methods) m.allreduce_ps = 1;
    report.methods[0].step = step(90, 150);
    report.methods[1].step = step(30, 30);
    add_speedups(report.methods);
    return report;
}

TEST(StepJson, HasEveryFieldAndEveryOtherMethod) {
    const auto json = to_json(two_methods())["methods"][1]["step"];
    for_each_field<StepReport>([&](const auto& f) { EXPECT_TRUE(json.contains(f.key)) << f.key; });
    for_each_field<BucketReport>([&](const auto& f) { EXPECT_TRUE(json["buckets"][0].contains(f.key)) << f.key; });
    for_each_field<AmdahlCheck>([&](const auto& f) { EXPECT_TRUE(json["amdahl"]["slow"].contains(f.key)) << f.key; });
    EXPECT_EQ(json["step_ps"], 380'000'000);
    EXPECT_EQ(json["buckets"][0]["layers"].dump(), R"(["b","a"])");
    EXPECT_EQ(json["speedup"]["fast"], 1.0);
    EXPECT_DOUBLE_EQ(json["speedup"]["slow"], 500.0 / 380);
}

/// As two_methods, with sharded parameters: gathers of 10 and 20 us, and reduce-scatters of so many.
Report two_sharded_methods() {
    Report report = two_methods();
    report.config["step"] = {{"forward", "100us"}, {"backward", "200us"}, {"prefetch", 1}, {"reshard", true}};
    const auto us = [](std::int64_t n) { return Time{n * 1'000'000}; };
    const auto sharded = [&](std::int64_t first, std::int64_t second) {
        return make_sharded_timeline(compute(), std::vector{UnitTraffic{us(10), us(first)}, {us(20), us(second)}}, {});
    };
    // Gather 20, forward 100, backward 60 and 140, so 320; then the last reduce-scatter and 50.
    report.methods[0].step = summarise(compute(), {sharded(90, 150), sharded(90, 50)}, {{{"a"}, 1}, {{"b"}, 2}});
    report.methods[1].step = summarise(compute(), {sharded(30, 30)}, {{{"a"}, 1}, {{"b"}, 2}});
    add_speedups(report.methods);
    return report;
}

TEST(ShardingReport, IsTheMeanOverIterationsByPurpose) {
    const auto json = to_json(two_sharded_methods())["methods"][0]["step"];
    EXPECT_EQ(json["step_ps"], 470'000'000);            // 320 + (150 + 50) / 2 + 50
    EXPECT_EQ(json["communication_ps"], 240'000'000);   // 30 + 20 + 90 + 100
    const auto& sharding = json["sharding"];
    for_each_field<ShardingReport>([&](const auto& f) { EXPECT_TRUE(sharding.contains(f.key)) << f.key; });
    EXPECT_EQ(sharding["gather_forward_ps"], 30'000'000);
    EXPECT_EQ(sharding["gather_backward_ps"], 20'000'000);
    EXPECT_EQ(sharding["reduce_scatter_ps"], 190'000'000);
    EXPECT_EQ(sharding["exposed_gather_forward_ps"], 20'000'000);
    EXPECT_EQ(sharding["exposed_gather_backward_ps"], 0);
    EXPECT_EQ(sharding["exposed_reduce_scatter_ps"], 100'000'000);
    EXPECT_FALSE(to_json(two_methods())["methods"][0]["step"].contains("sharding"));
}

TEST(ShardingTable, ShowsEachPurposeAndWhatOfItIsExposed) {
    const std::string table = step_table(two_sharded_methods(), unbroken);
    EXPECT_THAT(table, HasSubstr("2 bucket(s), parameters sharded, gathered 1 ahead and again for the backward pass;"));
    EXPECT_THAT(table, HasSubstr("collectives us"));
    for (const char* row :
         {"gather for forward pass    30.000      20.000\n", "gather for backward pass   20.000       0.000\n",
          "reduce-scatter            190.000     100.000\n"})
        EXPECT_THAT(table, HasSubstr(row));
    EXPECT_THAT(step_table(two_methods(), unbroken), Not(HasSubstr("gather")));
}

TEST(StepJson, IsNotThereWithoutAStep) {
    Report report = two_methods();
    for (MethodReport& m : report.methods) m.step.reset();
    EXPECT_FALSE(to_json(report)["methods"][0].contains("step"));
    EXPECT_EQ(step_table(report, unbroken), "");
}

TEST(StepTable, SaysWhatIsComputedAndWhereItIsFrom) {
    Report report = two_methods();
    EXPECT_THAT(step_table(report, unbroken),
                HasSubstr("forward 100.000 us (half of backward), backward 200.000 us (given; ready times are scaled "
                          "to it), optimiser 50.000 us; 2 bucket(s), overlapping the backward pass"));
    report.config["step"] = {{"forward", "100us"}, {"backward", nullptr}, {"overlap", false}};
    EXPECT_THAT(step_table(report, unbroken), HasSubstr("forward 100.000 us, backward 200.000 us (as captured), "
                                                        "optimiser 50.000 us; 2 bucket(s), after the backward pass"));
}

TEST(StepTable, ShowsStepsAndTheirSpeedUps) {
    const std::string table = step_table(two_methods(), {});
    EXPECT_THAT(table, HasSubstr("\nfast    380.000     1.316         60.000      30.000        7.9\n"));
    EXPECT_THAT(table, Not(HasSubstr("Amdahl")));
    EXPECT_THAT(table, Not(HasSubstr("300.000-450.000")));
}

TEST(StepTable, ShowsSpeedUpsOverEachMethodAmdahlsLawAndBucketsWhereItIsWide) {
    const std::string table = step_table(two_methods(), {.wide = true});
    EXPECT_THAT(table, HasSubstr("\nfast    380.000   1.316   1.000         60.000      30.000        7.9"));
    EXPECT_THAT(table, HasSubstr("Amdahl x slow  off by %"));
    EXPECT_THAT(table, HasSubstr("1.290      -1.9"));   // 1 / 0.775, and 1.290 / 1.316
    EXPECT_THAT(table, HasSubstr("300.000-450.000"));
}

}   // namespace
}   // namespace oscar::step_report_test

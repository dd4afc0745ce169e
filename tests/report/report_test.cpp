#include "sim/report/report.hpp"

#include <gmock/gmock.h>

#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "sim/config/error.hpp"
#include "tests/report/two_methods.hpp"

namespace oscar::report_test {
namespace {

using test::result;
using test::two_methods;

/// Two ranks, one timestep each way. Rank 0 sends in [10, 30) and [60, 80); rank 1 in [10, 20) and [60, 90).
struct Observed : ::testing::Test {
    Plan plan{make_schedule(RingParams{}, 2), ElementType::integer, 8};
    Outcome outcome;

    Observed() {
        outcome.finish = Time{100};
        outcome.ranks.resize(2);
        outcome.ranks[0].wire = {{Time{10}, Time{30}}, {Time{60}, Time{80}}};
        outcome.ranks[1].wire = {{Time{10}, Time{20}}, {Time{60}, Time{90}}};
        outcome.ranks[0].encoder = {{Time{0}, Time{10}}, {Time{50}, Time{60}}};
        outcome.ranks[1].encoder = {{Time{0}, Time{10}}};
        outcome.ranks[0].decoder = {{Time{25}, Time{40}}};
        outcome.ranks[1].decoder = {{Time{35}, Time{45}}};
        // Steps in the order of the ring: rank 0 and 1 in timestep 0, then in timestep 1.
        outcome.steps = {{Time{0}, Time{30}, {}, {}},
                         {Time{0}, Time{20}, {}, {}},
                         {Time{50}, Time{80}, {}, {}},
                         {Time{50}, Time{90}, {}, {}}};
        outcome.records = {{10, 20, 0}, {10, 10, 0}, {10, 20, 0}, {10, 30, 0}};
        outcome.wire_bytes = {22, 12, 22, 32};
        outcome.resent = {2, 35};
        LinkUse used;
        used.busy = outcome.ranks[0].wire;
        used.packets = 2;
        used.name = "a->b";
        outcome.links = {used, LinkUse{}};   // the second carried nothing
    }
};

TEST_F(Observed, TimeSplitsIntoWireCodecAndWait) {
    const IterationResult r = measure(outcome, plan);
    EXPECT_EQ(r.allreduce_ps, 100);
    EXPECT_EQ(r.wire_ps, (40 + 40) / 2);
    // Rank 0: [0,10) [30,40) [50,60), the decoder's [25,30) is under the wire; rank 1: [0,10) [35,45).
    EXPECT_EQ(r.codec_ps, (30 + 20) / 2);
    EXPECT_EQ(r.wait_ps, 100 - 40 - 25);
}

TEST_F(Observed, IdleWaitIsTheIdleTimeInWhichTheSenderHasNothingOfItsOwn) {
    // Between first and last use: rank 0 [10,80), idle [30,60); of that it decodes to 40 and has a step from 50: 10
    // left. Rank 1 [10,90), idle [20,60); decodes [35,45), a step from 50: [20,35) and [45,50) left.
    EXPECT_DOUBLE_EQ(measure(outcome, plan).idle_wait_share, (10.0 + 20) / (70 + 80));
}

TEST_F(Observed, UtilisationsAreSharesOfTheWholeTime) {
    const IterationResult r = measure(outcome, plan);
    ASSERT_EQ(r.links.size(), 1u);
    EXPECT_EQ(r.links[0].name, "a->b");
    EXPECT_DOUBLE_EQ(r.links[0].utilisation, 0.4);
    EXPECT_DOUBLE_EQ(r.link_utilisation, 0.4);   // of the one used link
    EXPECT_DOUBLE_EQ(r.engine_utilisation, (20.0 + 15 + 10 + 10) / (2 * 2 * 100));
}

TEST_F(Observed, BytesAndImbalanceAreSums) {
    const IterationResult r = measure(outcome, plan);
    EXPECT_EQ(r.payload_bytes, 80u);
    EXPECT_EQ(r.resent_messages, 2u);
    EXPECT_EQ(r.resent_bytes, 35u);
    EXPECT_EQ(r.wire_bytes, 88u);
    EXPECT_EQ(r.values, 40u);
    EXPECT_DOUBLE_EQ(r.imbalance, (20.0 + 30) / (15 + 25));
}

TEST(Summary, MeansTimesAndSumsBytes) {
    const MethodReport m = summarise("x", {result(100, 50), result(201, 100)});
    EXPECT_EQ(m.allreduce_ps, 151);   // 150.5, rounded
    EXPECT_EQ(m.gpu_kernel_ps, 15);   // of 10 and 20
    EXPECT_EQ(m.payload_bytes, 150u);
    EXPECT_EQ(m.resent_messages, 2u);
    EXPECT_EQ(m.resent_bytes, 15u);
    EXPECT_DOUBLE_EQ(m.bits_per_value, 8.0 * 150 / 200);
    EXPECT_EQ(m.sums_match_reference, true);
    EXPECT_EQ(m.closed_form_ps, 149);
}

TEST(Summary, OneIterationThatDiffersMakesAllDiffer) {
    auto wrong = result(1, 1);
    wrong.sums_match_reference = false;
    EXPECT_EQ(summarise("x", {result(1, 1), wrong, result(1, 1)}).sums_match_reference, false);
}

TEST(Summary, HasNoClosedFormIfAnyIterationHasNone) {
    auto none = result(1, 1);
    none.closed_form_ps.reset();
    EXPECT_FALSE(summarise("x", {result(1, 1), none, result(1, 1)}).closed_form_ps);
}

TEST(ReportJson, HasTheKeysOfItsSchema) {
    const auto json = to_json(two_methods());
    for (const char* key : {"schema", "experiment", "program_version", "config", "seed", "trace", "methods", "host"})
        EXPECT_TRUE(json.contains(key)) << key;
    for (const char* key : {"name",
                            "allreduce_ps",
                            "closed_form_ps",
                            "payload_bytes",
                            "wire_bytes",
                            "bits_per_value",
                            "imbalance",
                            "link_utilisation",
                            "idle_wait_share",
                            "engine_utilisation",
                            "codec_ps",
                            "gpu_kernel_ps",
                            "wire_ps",
                            "wait_ps",
                            "bottleneck",
                            "break_even_bandwidth_gbps",
                            "faster_than_fp32",
                            "break_even_limiter",
                            "relative_l2_error",
                            "cosine",
                            "saturated_values",
                            "resent_messages",
                            "resent_bytes",
                            "speedup",
                            "sums_match_reference",
                            "critical_path"})
        EXPECT_TRUE(json["methods"][0].contains(key)) << key;
    for (const char* key : {"wall_s", "cpu_s", "peak_rss_bytes", "events", "flit_hops", "flit_hops_per_cpu_s"})
        EXPECT_TRUE(json["host"].contains(key)) << key;
    for (const char* key : {"name", "hash", "ranks", "iterations", "elements"})
        EXPECT_TRUE(json["trace"].contains(key)) << key;
    EXPECT_EQ(json["methods"][1]["speedup"]["slow"], 2.0);
    EXPECT_EQ(json["methods"][1]["speedup"]["fast"], 1.0);
}

TEST(Soundness, NamesTheFirstMethodThatDiffersFromTheReference) {
    Report report;
    for (const char* name : {"fp32", "asc", "fixed_point"}) {
        report.methods.emplace_back().name = name;
        report.methods.back().sums_match_reference = true;
    }
    EXPECT_EQ(find_report_problem(report), std::nullopt);
    report.methods[1].sums_match_reference = report.methods[2].sums_match_reference = false;
    EXPECT_THAT(find_report_problem(report).value(), ::testing::StartsWith("asc: a rank's sum"));
}

}   // namespace
}   // namespace oscar::report_test

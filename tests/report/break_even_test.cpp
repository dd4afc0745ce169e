#include "sim/report/break_even.hpp"

#include <gmock/gmock.h>

#include <random>

#include "sim/report/causes/bottleneck.hpp"

namespace oscar::break_even_test {
namespace {

using namespace literals;

/// Wire, engine, DMA, latency and wait.
CriticalPath path(std::int64_t wire, std::int64_t engine, std::int64_t dma = 0) { return {wire, engine, dma, 0, 0}; }

TEST(BreakEven, IsTheRateAtWhichSavedWireTimeIsTheAddedTime) {
    // At 100 Gbit/s 600 ps of wire are saved and 150 added: at 400 Gbit/s 150 are saved.
    const BreakEven found = break_even({200, 100, 50, 60, 20}, {800, 0, 10, 60, 10}, 100_Gbps);
    EXPECT_DOUBLE_EQ(found.bandwidth_gbps.value(), 400);
    EXPECT_EQ(found.faster, "below");
}

TEST(BreakEven, OfAMethodThatSendsMoreAndAddsLessIsFasterAboveIt) {
    const BreakEven found = break_even(path(900, 50), path(700, 150), 100_Gbps);   // 200 more, 100 less
    EXPECT_DOUBLE_EQ(found.bandwidth_gbps.value(), 200);
    EXPECT_EQ(found.faster, "above");
}

TEST(BreakEven, IsNullForAMethodThatIsFasterAtEveryRateAndZeroForOneThatIsAtNone) {
    const CriticalPath fp32 = path(800, 100);
    for (const CriticalPath& better : {path(700, 50), path(700, 100), path(800, 50)}) {
        EXPECT_EQ(break_even(better, fp32, 100_Gbps).bandwidth_gbps, std::nullopt);
        EXPECT_EQ(break_even(better, fp32, 100_Gbps).faster, "always");
        EXPECT_EQ(break_even(fp32, better, 100_Gbps).bandwidth_gbps, 0.0);
        EXPECT_EQ(break_even(fp32, better, 100_Gbps).faster, "never");
    }
    EXPECT_EQ(break_even(fp32, path(800, 0, 100), 100_Gbps).bandwidth_gbps, std::nullopt);
    EXPECT_EQ(break_even(fp32, path(800, 0, 100), 100_Gbps).faster, "same");
}

/// Of `path` where every link has `factor` times its rate.
double time_at(const CriticalPath& path, double factor) {
    return static_cast<double>(path.total_ps() - path.wire_ps) + static_cast<double>(path.wire_ps) / factor;
}

TEST(BreakEven, DividesTheRatesIntoThoseAtWhichEitherIsFaster) {
    std::mt19937_64 random(1);
    const auto any = [&] { return static_cast<std::int64_t>(random() % 1'000'000); };
    int below = 0, above = 0;
    for (int i = 0; i < 1000; ++i) {
        const CriticalPath method{any(), any(), any(), any(), any()}, fp32{any(), any(), any(), any(), any()};
        const BreakEven found = break_even(method, fp32, 100_Gbps);
        const auto faster_at = [&](double factor) { return time_at(method, factor) < time_at(fp32, factor); };
        if (found.faster == "always" || found.faster == "never") {
            for (const double factor : {1e-9, 1e-3, 1., 1e3, 1e9})
                EXPECT_EQ(faster_at(factor), found.faster == "always");
            continue;
        }
        const double factor = found.bandwidth_gbps.value() / 100;
        EXPECT_NEAR(time_at(method, factor) / time_at(fp32, factor), 1, 1e-9);
        EXPECT_EQ(faster_at(0.99 * factor), found.faster == "below");
        EXPECT_EQ(faster_at(1.01 * factor), found.faster == "above");
        ++(found.faster == "below" ? below : above);
    }
    EXPECT_GT(below, 100);
    EXPECT_GT(above, 100);
}

TEST(BreakEven, IsTheSameAtWhateverRateThePathsWereMeasured) {
    const auto at_100 = break_even(path(400, 300), path(1600, 100), 100_Gbps);
    const auto at_400 = break_even(path(100, 300), path(400, 100), 400_Gbps);
    EXPECT_DOUBLE_EQ(at_100.bandwidth_gbps.value(), 600);
    EXPECT_DOUBLE_EQ(at_400.bandwidth_gbps.value(), 600);
}

TEST(BreakEven, IsLimitedByTheLargestPartBesideTheWire) {
    for (const Bottleneck& b : bottlenecks) {
        if (b.cause == &CriticalPath::wire_ps) continue;
        CriticalPath path{1000, 10, 10, 10, 10};
        path.*b.cause += 1;
        EXPECT_EQ(bottleneck_beside_wire(path).name, b.name);
    }
    EXPECT_EQ(bottleneck_beside_wire({1000, 0, 0, 0, 0}).name, "engine");   // the first of equal ones
}

MethodReport method(std::string name, const CriticalPath& first, const CriticalPath& second) {
    std::vector<IterationResult> iterations(2);
    iterations[0].critical_path = first;
    iterations[1].critical_path = second;
    return summarise(std::move(name), iterations);
}

TEST(BreakEven, IsReportedOfTheMeanPathsOfEachMethod) {
    Report report;
    report.methods = {method("asc", path(100, 60), path(300, 60)),           // 200 and 60
                      method("fp32", path(700, 10, 20), path(900, 0, 10)),   // 800 and 20
                      method("wide", path(900, 10, 20), path(900, 10, 90))};
    const auto before = to_json(report)["methods"][0];
    EXPECT_TRUE(before["break_even_bandwidth_gbps"].is_null());
    EXPECT_EQ(before["faster_than_fp32"], "not compared");
    EXPECT_EQ(before["break_even_limiter"], "engine");
    add_break_even(report.methods, 1, 10_Gbps);
    const auto json = to_json(report)["methods"];
    EXPECT_EQ(json[0]["break_even_bandwidth_gbps"], 150);   // 10 * 600 / 40
    EXPECT_EQ(json[0]["faster_than_fp32"], "below");
    EXPECT_TRUE(json[1]["break_even_bandwidth_gbps"].is_null());
    EXPECT_EQ(json[1]["faster_than_fp32"], "same");
    EXPECT_EQ(json[1]["break_even_limiter"], "dma");
    EXPECT_EQ(json[2]["break_even_bandwidth_gbps"], 0);
    EXPECT_EQ(json[2]["faster_than_fp32"], "never");
}

}   // namespace
}   // namespace oscar::break_even_test

#include "sim/report/causes/bottleneck.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sim/report/report.hpp"

namespace oscar::bottleneck_test {
namespace {

IterationResult result(const CriticalPath& path) {
    IterationResult r;
    r.allreduce_ps = path.total_ps();
    r.critical_path = path;
    r.sums_match_reference = true;
    return r;
}

TEST(Bottleneck, IsTheLargestPartOfThePathWhicheverItIs) {
    for (const Bottleneck& b : bottlenecks) {
        CriticalPath path{10, 10, 10, 10, 10};
        path.*b.cause += 1;
        EXPECT_EQ(bottleneck_of(path).name, b.name);
    }
    EXPECT_EQ(bottleneck_of({5, 5, 0, 0, 0}).name, "link");   // the first of equal ones
}

TEST(Bottleneck, NamesClassMasksWhereDmaThatReadsThemIsTheLargestPart) {
    EXPECT_EQ(bottleneck_of({5, 5, 6, 5, 5}, DmaLimit::class_masks).name, "dma with class masks");
    EXPECT_EQ(bottleneck_beside_wire({9, 5, 6, 5, 5}, DmaLimit::class_masks).name, "dma with class masks");
    EXPECT_EQ(bottleneck_of({9, 5, 6, 5, 5}, DmaLimit::class_masks).name, "link");
    EXPECT_EQ(bottleneck_of({5, 5, 6, 5, 5}).name, "dma");
    IterationResult reading = result({10, 10, 30, 10, 10});
    reading.reads_masks = true;
    EXPECT_EQ(summarise("split", {result({10, 10, 30, 10, 10}), reading}).bottleneck, "dma with class masks");
}

TEST(Bottleneck, NamesTheUplinkOfAPcieSwitchWhereItIsBusierThanDmaWouldBe) {
    EXPECT_EQ(bottleneck_of({5, 5, 6, 5, 5}, dma_limit(false, true)).name, "PCIe uplink");
    EXPECT_EQ(bottleneck_of({5, 5, 6, 5, 5}, dma_limit(true, true)).name, "PCIe uplink");
    EXPECT_EQ(bottleneck_of({9, 5, 6, 5, 5}, dma_limit(true, true)).name, "link");
    IterationResult shared = result({10, 10, 30, 10, 10});
    shared.uplink_limits = true;
    EXPECT_EQ(summarise("shared", {result({10, 10, 30, 10, 10}), shared}).bottleneck, "PCIe uplink");
}

TEST(Bottleneck, CanBeAnyPartOfAPath) { EXPECT_EQ(bottlenecks.size(), CriticalPath::fields().size); }

TEST(MeanPath, AddsUpToTheRoundedMeanOfTheTotals) {
    std::mt19937_64 random(1);
    for (std::size_t n = 1; n < 50; ++n) {
        std::vector<CriticalPath> paths(n);
        std::int64_t sum = 0;
        for (CriticalPath& path : paths) {
            for_each_field<CriticalPath>(
                [&](const auto& cause) { path.*cause.member = static_cast<std::int64_t>(random() % 1000); });
            sum += path.total_ps();
        }
        const auto count = static_cast<std::int64_t>(n);
        EXPECT_EQ(mean_path(paths).total_ps(), (sum + count / 2) / count) << n;
    }
    EXPECT_EQ(mean_path({{1, 0, 0, 0, 0}, {2, 0, 0, 3, 0}}), (CriticalPath{2, 0, 0, 1, 0}));
}

TEST(MethodReport, HasThePathOfItsTime) {
    const MethodReport m = summarise("x", {result({10, 20, 0, 0, 0}), result({11, 20, 0, 0, 0})});
    EXPECT_EQ(m.critical_path.total_ps(), m.allreduce_ps);
    EXPECT_EQ(m.bottleneck, "engine");
    Report report;
    report.methods = {m};
    const auto json = to_json(report)["methods"][0];
    EXPECT_EQ(json["bottleneck"], "engine");
    EXPECT_EQ(json["critical_path"]["engine_ps"], 20);
    EXPECT_EQ(json["iterations"][1]["critical_path"]["wire_ps"], 11);
}

}   // namespace
}   // namespace oscar::bottleneck_test

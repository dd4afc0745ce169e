// The estimate of memory before a run, beside what the run takes.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "sim/checks/load_experiment.hpp"
#include "sim/checks/memory.hpp"
#include "tests/core/address_sanitizer.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::memory_estimate_test {
namespace {

struct Case {
    std::string name, yaml;
    std::uint32_t switches = 1;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// No list of steps: what reads one has taken more memory than its run does.
const std::vector<Case> cases{
    {"RingOfRanksThatAreAlike", "ranks: 256\nsize: 256MiB\ncollective: {kind: ring, issue: dependency, slices: 4}\n"},
    {"RingOfRanksThatBeginApart",
     "ranks: 256\nsize: 256MiB\nstart_jitter: 50us\ncollective: {kind: ring, issue: dependency, slices: 4}\n"},
    {"DirectExchange", "ranks: 128\nsize: 4MiB\ncollective: direct\n"},
    {"DirectExchangeOfLargeMessages", "ranks: 64\nsize: 32MiB\ncollective: {kind: direct, issue: dependency}\n"},
    {"AllPairsInSlices", "ranks: 96\nsize: 8MiB\ncollective: {kind: all_to_all, issue: dependency, slices: 4}\n"},
};

/// Bytes that the process has in memory now.
double resident() {
    std::ifstream file("/proc/self/statm");
    double size = 0, pages = 0;
    file >> size >> pages;
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

using MemoryEstimate = ::testing::TestWithParam<Case>;

TEST_P(MemoryEstimate, IsWithinAFactorOfTwoOfWhatTheRunTakes) {
    if (test::address_sanitizer) GTEST_SKIP() << "the sanitizer has memory of its own";
    const testing::TemporaryFolder folder;
    const auto file =
        folder.write("exp.yaml", "payload: synthetic\nmethods: [fp32]\nfolding: never\n" + GetParam().yaml);
    const Experiment experiment = load_experiment(file, {});
    const double estimate = memory_of_steps(experiment.parameters, GetParam().switches).bytes;
    const double before = resident();
    const Report report = run(experiment, test::ignore);
    const double taken = static_cast<double>(report.host.peak_rss_bytes) - before;
    RecordProperty("estimate_mb", std::to_string(estimate / 1e6));
    RecordProperty("taken_mb", std::to_string(taken / 1e6));
    EXPECT_GT(estimate, taken / 2) << taken / 1e6 << " MB";
    EXPECT_LT(estimate, taken * 2) << taken / 1e6 << " MB";
}

INSTANTIATE_TEST_SUITE_P(Of, MemoryEstimate, ::testing::ValuesIn(cases),
                         [](const auto& one) { return one.param.name; });

}   // namespace
}   // namespace oscar::memory_estimate_test

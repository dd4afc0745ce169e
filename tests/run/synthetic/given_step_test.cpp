// A training step whose buckets a list gives: each takes what it takes alone, and the step is theirs around
// computation.
#include <gmock/gmock.h>

#include <array>

#include "sim/config/load.hpp"
#include "sim/run/experiment.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/synthetic/machines.hpp"

namespace oscar::given_step_test {
namespace {

using ::testing::HasSubstr;

const std::string machine = "payload: synthetic\nranks: 4\nmethods: [fp32, bf16]\n";

/// A test runs one.
nlohmann::ordered_json report_of(const std::string& yaml) {
    const testing::TemporaryFolder folder;
    return to_json(oscar::run(load_experiment(folder.write("exp.yaml", machine + yaml), {}), test::ignore));
}

/// Two buckets: 1 MiB ready after 1 ms, 64 KiB after 2 ms, when the backward pass ends. The optimiser takes 100 us.
const std::string two_buckets =
    "step: {forward: 1ms, optimiser: 100us, given: [{bytes: 1MiB, ready: 1ms}, {bytes: 64KiB, ready: 2ms}]}\n";

TEST(GivenStep, PutsTheCollectivesOfItsBucketsBehindTheirReadyTimes) {
    const auto report = report_of(two_buckets);
    EXPECT_EQ(report["trace"]["elements"], (1024 + 64) * 256);
    EXPECT_FALSE(report["config"].contains("size"));
    ASSERT_EQ(report["methods"].size(), 2u);
    for (const auto& method : report["methods"]) {
        const auto& step = method["step"];
        const auto& buckets = step["buckets"];
        ASSERT_EQ(buckets.size(), 2u);
        EXPECT_EQ(buckets[0]["ready_ps"], 2'000'000'000);
        EXPECT_EQ(buckets[0]["start_ps"], 2'000'000'000);
        EXPECT_EQ(buckets[1]["start_ps"], 3'000'000'000) << "the first has long been sent";
        EXPECT_EQ(buckets[1]["elements"], 64 * 256);
        const auto second = buckets[1]["allreduce_ps"].get<std::int64_t>();
        EXPECT_EQ(step["compute_ps"], 3'100'000'000);
        EXPECT_EQ(step["step_ps"], 3'100'000'000 + second);
        EXPECT_EQ(step["exposed_ps"], second);
        EXPECT_EQ(method["allreduce_ps"], buckets[0]["allreduce_ps"].get<std::int64_t>() + second);
    }
    EXPECT_LT(report["methods"][1]["step"]["step_ps"], report["methods"][0]["step"]["step_ps"]);
}

/// A process has one simulation, so these are three tests.
std::int64_t time_of(const nlohmann::ordered_json& report) { return report["methods"][0]["allreduce_ps"]; }
constexpr std::int64_t of_one_mebibyte = 45'876'448, of_64_kibibytes = 12'607'648;
TEST(GivenStep, HasABucketThatTakesWhatItsSizeTakesAlone) {
    EXPECT_EQ(time_of(report_of("size: 1MiB\n")), of_one_mebibyte);
}
TEST(GivenStep, HasAnotherThatTakesWhatItsSizeTakesAlone) {
    EXPECT_EQ(time_of(report_of("size: 64KiB\n")), of_64_kibibytes);
}
TEST(GivenStep, HasBucketsThatTakeWhatTheirSizesTakeAlone) {
    const auto buckets = report_of(two_buckets)["methods"][0]["step"]["buckets"];
    EXPECT_EQ(buckets[0]["allreduce_ps"], of_one_mebibyte);
    EXPECT_EQ(buckets[1]["allreduce_ps"], of_64_kibibytes);
}

TEST(GivenStep, ShardsBucketsAsUnits) {
    const auto report = report_of(
        "collective: reduce_scatter\n"
        "step: {strategy: fsdp, given: [{bytes: 1MiB, ready: 1ms}, {bytes: 64KiB, ready: 2ms}]}\n");
    const auto& step = report["methods"][0]["step"];
    EXPECT_GT(step["sharding"]["gather_forward_ps"], 0);
    EXPECT_EQ(step["step_ps"], step["compute_ps"].get<std::int64_t>() + step["exposed_ps"].get<std::int64_t>());
}

/// Machines whose collectives draw random numbers, or hold each other up are among them.
const std::array machines{"ranks: 4\n", "ranks: 4\nnodes: [{ranks: [2], slowdown: 2}]\n",
                          "ranks: 4\nnetwork: {background: {load: 0.2}}\n",
                          "ranks: 4\nnetwork: {reliability: selective, loss: {rate: 0.01}}\n",
                          "ranks: 8\ncollective: {kind: hierarchical, island: 4}\nnetwork: {topology: {kind: "
                          "hierarchical, island: 4}}\n"};

TEST(GivenStep, HasTheFiguresOfEachBucketSimulatedWhereThoseOfOneSizeAreSimulatedOnce) {
    for (const std::string strategy : {"ddp", "fsdp"})
        for (const std::string of_machine : machines) {
            if (strategy == "fsdp" && of_machine.find("hierarchical") != std::string::npos) continue;
            const test::SyntheticFile file(
                of_machine + "methods: [fp32, bf16, fixed_point]\n" +
                (strategy == "fsdp" ? "collective: reduce_scatter\n" : "") + "step: {strategy: " + strategy +
                ", given: [{bytes: 64KiB, ready: 1ms}, {bytes: 4KiB, ready: 2ms}, {bytes: 64KiB, ready: 2ms}, "
                "{bytes: 64KiB, ready: 3ms}, {bytes: 4KiB, ready: 3ms}]}\n");
            auto once = file.report({}), each = file.report({"step.reuse=false"});
            SCOPED_TRACE(strategy + "\n" + of_machine);
            EXPECT_LT(once["host"]["events"], each["host"]["events"]);
            once["config"]["step"]["reuse"] = false;
            once.erase("host");
            each.erase("host");
            EXPECT_EQ(once, each);
        }
}

TEST(GivenStep, OfThirtyTwoEqualUnitsCostsThatOfOne) {
    const auto events = [](std::size_t units) {
        std::string given;
        for (std::size_t u = 1; u <= units; ++u) given += "{bytes: 64KiB, ready: " + std::to_string(u) + "ms}, ";
        const test::SyntheticFile file(
            "ranks: 4\nmethods: [fp32]\ncollective: reduce_scatter\n"
            "step: {strategy: fsdp, given: [" +
            given + "]}\n");
        return file.report({})["host"]["events"].get<std::uint64_t>();
    };
    EXPECT_EQ(events(32), events(1));
}

TEST(GivenStep, SlowsItsComputationWithTheSlowestNode) {
    const auto report = report_of("nodes: [{ranks: [2], slowdown: 2}]\n" + two_buckets);
    EXPECT_EQ(report["methods"][0]["step"]["buckets"][0]["ready_ps"], 4'000'000'000);
}

}   // namespace
}   // namespace oscar::given_step_test

// Limited staging memory in a run: what the report says of it, what it costs, and where it is refused.
#include <gmock/gmock.h>

#include "sim/parameters/folding.hpp"
#include "tests/run/synthetic/machines.hpp"

namespace oscar::staging_memory_run_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

/// Links of 400 Gbit/s bring more than DMA writes.
test::SyntheticFile slow_writers() {
    return test::SyntheticFile(
        "ranks: 8\nsize: 1MiB\nmethods: [fp32]\ncollective: {kind: direct, issue: dependency}\n"
        "network: {link: {bandwidth: 400Gbps}}\ngpu: {dma_bandwidth: 100Gbps, staging: gpu}\n");
}

Json method_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    return file.report(changes)["methods"][0];
}

TEST(StagingMemoryOfARun, IsReportedWhereItIsLimitedAndElseNot) {
    const test::SyntheticFile file = slow_writers();
    const Json unlimited = method_of(file, {}), much = method_of(file, {"nic.staging_memory=1GiB"}),
               little = method_of(file, {"nic.staging_memory=8KiB"});
    for (const auto& [key, value] : much.items())
        if (key.starts_with("staging_")) EXPECT_FALSE(unlimited.contains(key)) << key;
        else EXPECT_EQ(value, unlimited[key]) << key;
    EXPECT_EQ(much["staging_wait_ps"], 0);
    EXPECT_EQ(much["staging_overflow_bytes"], 0);
    EXPECT_GT(much["staging_peak_bytes"], 100'000) << "of 7 parts of 128 KiB of each rank that come at once";
    EXPECT_EQ(little["staging_peak_bytes"], 8192);
    EXPECT_EQ(little["staging_overflow_bytes"], 0);
    EXPECT_GT(little["staging_wait_ps"], 1'000'000);
    EXPECT_GE(little["allreduce_ps"], unlimited["allreduce_ps"]);
    EXPECT_EQ(little["payload_bytes"], unlimited["payload_bytes"]);
}

/// Seven senders share the link; the memory of a NIC empties at the rate of DMA, a quarter of the link's.
TEST(StagingMemoryOfARun, TakesLongerTheLessThereIs) {
    const test::SyntheticFile file = slow_writers();
    std::int64_t before = 0;
    for (const char* memory : {"1MiB", "64KiB", "8KiB", "4KiB"}) {
        const Json method = method_of(file, {std::string("nic.staging_memory=") + memory});
        EXPECT_GE(method["staging_wait_ps"].get<std::int64_t>(), before) << memory;
        before = method["staging_wait_ps"];
    }
}

std::string error_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    try {
        file.load(changes);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

TEST(StagingMemoryOfARun, HoldsAPacketAndIsEmptiedOntoLinksWithCredits) {
    const test::SyntheticFile file = slow_writers();
    EXPECT_EQ(error_of(file, {"nic.staging_memory=4KiB"}), "no error");
    EXPECT_THAT(error_of(file, {"nic.staging_memory=4095B"}),
                HasSubstr("nic.staging_memory: a packet of 4KiB has no room in 4095B; choose 4KiB or more"));
    EXPECT_THAT(error_of(file, {"nodes=[{ranks: [2], nic: {staging_memory: 1KiB}}]"}),
                HasSubstr("nodes.0.nic.staging_memory: a packet of 4KiB"));
    EXPECT_THAT(error_of(file, {"nic.staging_memory=1MiB", "network.flow_control=pfc"}),
                HasSubstr("nic.staging_memory: packets wait for it in buffers whose credits return later"));
    EXPECT_THAT(error_of(file, {"nic.staging_memory=1"}), HasSubstr("nic.staging_memory"));
}

TEST(StagingMemoryOfARun, HasNeitherFoldingNorAClosedForm) {
    const test::SyntheticFile file("ranks: 12\nsize: 48KiB\nmethods: [fp32]\n");
    EXPECT_TRUE(method_of(file, {"nic.staging_memory=1MiB"})["closed_form_ps"].is_null());
    EXPECT_FALSE(method_of(file, {})["closed_form_ps"].is_null());
    const auto problem = find_folding_problem(file.load({"nic.staging_memory=1MiB"}).parameters);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->key, "nic.staging_memory");
}

TEST(StagingMemoryOfARun, IsDividedByTheScale) {
    const test::SyntheticFile file = slow_writers();
    EXPECT_EQ(file.load({"nic.staging_memory=64KiB", "scale=8"}).parameters.nic.staging_memory, Bytes{8192});
}

}   // namespace
}   // namespace oscar::staging_memory_run_test

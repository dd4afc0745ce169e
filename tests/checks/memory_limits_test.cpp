// Numbers behind the estimate of memory: what a packet takes, and what a host and a control group leave.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "models/job/job.hpp"
#include "sim/checks/load_experiment.hpp"
#include "sim/checks/memory.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::memory_limits_test {
namespace {

double bytes_of_steps(const std::string& network) {
    const testing::TemporaryFolder folder;
    const auto file =
        folder.write("exp.yaml", "payload: synthetic\nsize: 64KiB\nmethods: [fp32]\nranks: 8\n" + network);
    return memory_of_steps(load_experiment(file, {}).parameters, 1).bytes;
}

TEST(MemoryOfPackets, IsWhatIsHeldOfEachThatIsUnderWay) {
    // A ring of 8 ranks has 8 messages under way at a time, of 64 KiB / 8 each: 128 packets of 64 B, or 32 of 256 B.
    const double small = bytes_of_steps("network: {packet: 64B, header: 0B}\n");
    const double large = bytes_of_steps("network: {packet: 256B, header: 0B}\n");
    EXPECT_DOUBLE_EQ(small - large, 8.0 * (128 - 32) * 60);
}

TEST(MemoryOfPackets, IsThatOfTheMessagesWhichMoveAtOnceNotOfAllThatAreIssued) {
    // 40 messages of 1 MiB from rank 0 to rank 1, one after the other, each of 256 packets of 4 KiB.
    std::string flows;
    for (int i = 0; i < 40; ++i) flows += "{from: 0, to: 1, bytes: 1MiB}, ";
    const auto bytes_of = [](const std::string& list) {
        const testing::TemporaryFolder folder;
        const auto file = folder.write("exp.yaml",
                                       "payload: synthetic\nmethods: [fp32]\nranks: 8\ncollective: {kind: "
                                       "flows, flows: [" +
                                           list + "]}\n");
        return memory_of_steps(load_experiment(file, {}).parameters, 1).bytes;
    };
    const double packets_of_one = 256 * 60;
    EXPECT_DOUBLE_EQ(bytes_of(flows), 40.0 * (80 + 120 + 2200) + packets_of_one);
    EXPECT_DOUBLE_EQ(bytes_of(flows + "{from: 1, to: 0, bytes: 1MiB}"), 41.0 * (80 + 120 + 2200) + 2 * packets_of_one);
}

TEST(MemoryOfPackets, OfAListIsThatOfItsOwnChunks) {
    // Two chunks of a bucket of 64 KiB: 32 KiB are 8 packets; of the 4 steps those from 0 to 1 follow each other, and
    // those back.
    const std::string chunk = "{from: 1, to: 0, chunk: C, op: reduce}, {from: 0, to: 1, chunk: C}, ";
    std::string steps;
    for (const char number : {'0', '1'})
        for (const char c : chunk) steps += c == 'C' ? number : c;
    const testing::TemporaryFolder folder;
    const auto file = folder.write("exp.yaml",
                                   "payload: synthetic\nsize: 64KiB\nmethods: [fp32]\nranks: 2\ncollective: "
                                   "{kind: schedule, steps: [" +
                                       steps + "]}\n");
    EXPECT_DOUBLE_EQ(memory_of_steps(load_experiment(file, {}).parameters, 1).bytes,
                     4.0 * (80 + 120 + 2200) + 2 * 8 * 60);
}

/// The files of a host that tell of memory.
struct Host : ::testing::Test {
    testing::TemporaryFolder folder;

    void SetUp() override {
        std::filesystem::create_directories(folder.path() / "proc");
        std::filesystem::create_directories(folder.path() / "sys/fs/cgroup");
    }
    void has(std::uint64_t free_kilobytes) const {
        folder.write("proc/meminfo", "MemTotal: 99000000 kB\nMemFree: 1 kB\nMemAvailable: " +
                                         std::to_string(free_kilobytes) + " kB\nCached: 5 kB\n");
    }
    /// Bytes of a control group.
    void limits(const std::string& most, std::uint64_t used, std::uint64_t cached) const {
        folder.write("sys/fs/cgroup/memory.max", most + "\n");
        folder.write("sys/fs/cgroup/memory.current", std::to_string(used) + "\n");
        folder.write("sys/fs/cgroup/memory.stat",
                     "anon 77\nfile " + std::to_string(cached) + "\nkernel 88\nfile_mapped 99\n");
    }
    double available() const { return available_memory(folder.path()); }
};

TEST_F(Host, HasWhatItSaysIsAvailableInKibibytes) {
    has(2000);
    EXPECT_EQ(available(), 2000 * 1024);
}

TEST_F(Host, LeavesItsControlGroupThePageCacheWhichCanBeTakenBack) {
    has(8'000'000);
    limits("1000000", 700'000, 400'000);
    EXPECT_EQ(available(), 1'000'000 - 700'000 + 400'000);
}

TEST_F(Host, LeavesAControlGroupNoMoreThanItHas) {
    has(2);
    limits("1000000", 1000, 0);
    EXPECT_EQ(available(), 2048);
}

TEST_F(Host, HasTheAddressSpaceOfItsLimitLessWhatTheProcessHas) {
    std::filesystem::create_directories(folder.path() / "proc/self");
    has(1 << 30);
    folder.write("proc/self/status", "Name:\tx\nVmPeak:\t 9 kB\nVmSize:\t 2000 kB\n");
    rlimit old{};
    getrlimit(RLIMIT_AS, &old);
    const rlimit limited{rlim_t{1} << 39, old.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
    const double found = available();
    setrlimit(RLIMIT_AS, &old);
    EXPECT_DOUBLE_EQ(found, 0.8 * (double(rlim_t{1} << 39) - 2000 * 1024));
}

TEST_F(Host, LimitsNoControlGroupThatHasNoMost) {
    has(2000);
    limits("max", 700'000, 0);
    EXPECT_EQ(available(), 2000 * 1024);
}

}   // namespace
}   // namespace oscar::memory_limits_test

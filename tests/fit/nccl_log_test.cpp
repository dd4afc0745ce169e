// Logs of nccl-tests: what of them is read, and what is said of logs that are wrong.
#include "sim/fit/nccl_log.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <sstream>

#include "sim/config/error.hpp"

namespace oscar::nccl_log_test {
namespace {

using ::testing::HasSubstr;

std::string shipped(const std::string& name) {
    std::ifstream stream("configs/validation/" + name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

const std::string device_lines = R"(# Using devices
#  Rank  0 Group  0 Pid 11 on   nodeA device  0 [0x07] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid 12 on   nodeA device  1 [0x0a] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid 13 on   nodeB device  0 [0x07] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid 14 on   nodeB device  1 [0x0a] NVIDIA H100 80GB HBM3
)";
const std::string head =
    R"(#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
)";
const std::string row =
    "     1048576        262144     float     sum      -1    52.43   20.00   30.00      0    51.11   20.52   30.77     "
    " 0\n";

std::string error_of(const std::string& text, std::optional<std::uint32_t> ranks = std::nullopt) {
    try {
        read_nccl_log(text, ranks);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(NcclLog, HasRanksNodesAndOutOfPlaceTimes) {
    const NcclLog log = read_nccl_log(device_lines + head + row);
    EXPECT_EQ(log.ranks, 4u);
    EXPECT_EQ(log.ranks_per_node, 2u);
    ASSERT_EQ(log.times.size(), 1u);
    EXPECT_EQ(log.times[0].size, Bytes{1 << 20});
    EXPECT_EQ(log.times[0].time, Time{52'430'000});
}

/// Versions before 2.11 have no column root, and an error in place of the number of wrong values.
TEST(NcclLog, OfAnOldVersionIsReadByTheNamesOfItsColumns) {
    const NcclLog log = read_nccl_log(
        device_lines +
        R"(#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
     1048576        262144   float     sum    52.43   20.00   30.00  2e-07    51.11   20.52   30.77  2e-07
)");
    EXPECT_EQ(log.times.at(0).time, Time{52'430'000});
}

TEST(NcclLog, OfInPlaceTimesAloneIsRead) {
    const NcclLog log = read_nccl_log(device_lines + head +
                                      "     1048576        262144     float     sum      -1      N/A     N/A     N/A   "
                                      " N/A    51.11   20.52   30.77      0\n");
    EXPECT_EQ(log.times.at(0).time, Time{51'110'000});
}

TEST(NcclLog, WithTagsOfMpirunOrSrunIsTheSame) {
    for (const char* tag : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", "13: "}) {
        std::istringstream lines(device_lines + head + row);
        std::string tagged;
        for (std::string line; std::getline(lines, line);) tagged += tag + line + "\n";
        const NcclLog log = read_nccl_log(tagged);
        EXPECT_EQ(log.ranks, 4u) << tag;
        EXPECT_EQ(log.times.size(), 1u) << tag;
    }
}

/// The log with a prefix before each line.
std::string prefixed(const std::function<std::string(int)>& prefix) {
    std::istringstream lines("# Collective test starting: all_reduce_perf\n" + device_lines + head + row);
    std::string text;
    int number = 0;
    for (std::string line; std::getline(lines, line);) text += prefix(number++) + line + "\n";
    return text;
}

TEST(NcclLog, IsReadBehindWhateverStandsBeforeEachLine) {
    const std::function<std::string(int)> prefixes[] = {
        [](int) { return "> "; },
        [](int) { return "> > "; },
        [](int) { return "[1,0]<stdout>:"; },
        [](int) { return "[prterun-node7-4242@1,0]<stdout>: "; },
        [](int) { return "[prterun-node7-4242@1,0]<stdout>:"; },
        [](int) { return "[pod/launcher-x7/worker] "; },
        [](int) { return "pod/launcher-x7 "; },
        [](int i) { return "2025-03-01T10:00:0" + std::to_string(i) + ".5Z stdout F "; },
        [](int i) { return "[10:00:" + std::to_string(50 + i) + "] node7:  "; },
        [](int) { return " 7: "; },
    };
    for (const auto& prefix : prefixes) {
        const NcclLog log = read_nccl_log(prefixed(prefix));
        EXPECT_EQ(log.ranks, 4u) << prefix(0);
        EXPECT_EQ(log.ranks_per_node, 2u) << prefix(0);
        ASSERT_EQ(log.times.size(), 1u) << prefix(0);
        EXPECT_EQ(log.times[0].time, Time{52'430'000}) << prefix(0);
    }
}

/// 20 GB/s on 4 ranks are 30 GB/s of a ring's bus, 2 * 3/4, and 12 GB/s where switches reduce, 3/5.
TEST(NcclLog, OfAReductionInTheNetworkIsOneOfAllReduce) {
    const std::string nvls = device_lines + head + "1048576 262144 float sum -1 52.43 20.00 12.00 0 52 20 12.00 0\n";
    const NcclLog log = read_nccl_log(nvls);
    EXPECT_EQ(log.times.at(0).time, Time{52'430'000});
    EXPECT_TRUE(log.reduced_in_network);
    EXPECT_FALSE(read_nccl_log(device_lines + head + row).reduced_in_network);
}

/// Of 72 devices the last is left. 1.97 = 2 * 71/72.
TEST(NcclLog, HasTheRanksThatAreNamedInPlaceOfThoseThatItLists) {
    const std::string text = "#  Rank 71 Group  0 Pid 11 on   rack device  3 [0x07] NVIDIA GB200\n" + head +
                             "1048576 262144 float sum -1 10.49 100.00 197.22 0 10 100 197.22 0\n";
    const NcclLog log = read_nccl_log(text, 72);
    EXPECT_EQ(log.ranks, 72u);
    EXPECT_EQ(log.ranks_per_node, 0u);
    EXPECT_THAT(error_of(text), HasSubstr("listed in part: 1 of 72 ranks or more; add --ranks N"));
    EXPECT_THAT(error_of(text, 36),
                HasSubstr("line 4: busbw is 1.97 times algbw, and of an AllReduce on 36 ranks 1.94"));
    EXPECT_EQ(read_nccl_log(device_lines + head + row, 4).ranks_per_node, 2u);
}

/// Two ranks have the factor 1 in an AllReduce, a broadcast and a reduction alike.
TEST(NcclLog, OfAnotherCollectiveIsRefusedByWhatItSays) {
    const std::string two =
        R"(#  Rank  0 Group  0 Pid 11 on   nodeA device  0 [0x07] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid 12 on   nodeA device  1 [0x0a] NVIDIA H100 80GB HBM3
)";
    const std::string rates = " 52.43 20.00 20.00 0 52 20 20.00 0\n";
    EXPECT_EQ(read_nccl_log(two + head + "1048576 262144 float sum -1" + rates).ranks, 2u);
    const std::string without_redop = "#  size count type root time algbw busbw #wrong time algbw busbw #wrong\n";
    const struct {
        std::string text, says;
    } cases[] = {
        {two + head + "1048576 262144 float none 0" + rates, "line 5: reduces nothing (redop 'none')"},
        {two + head + "1048576 262144 float sum 0" + rates, "line 5: has the root 0, and an AllReduce has none"},
        {two + without_redop + "1048576 262144 float 0" + rates, "line 4: reduces nothing (redop '')"},
        {"# Collective test starting: sendrecv_perf\n" + two + head + "1048576 262144 float sum -1" + rates,
         "line 1: is of sendrecv_perf, which is no AllReduce"},
        {two + "# ./build/reduce_perf -b 8\n" + head, "line 3: is of reduce_perf"},
        {two + "# size count type redop root cputime algbw busbw #wrong\n1 1 float sum -1 1 1 1 0\n",
         "line 3: has CPU times"},
    };
    for (const auto& [text, says] : cases) EXPECT_THAT(error_of(text), HasSubstr(says)) << text;
}

TEST(NcclLog, OfTwoRunsIsRefused) {
    const std::string one = device_lines + head + row;
    EXPECT_THAT(error_of(one + one),
                HasSubstr("line 10: rank 0 is listed twice, as by a second run; give each run as"));
    EXPECT_THAT(error_of(one + head + row), HasSubstr("line 9: a second table begins"));
}

TEST(NcclLog, WithoutItsDevicesHasNoRanks) {
    const NcclLog log = read_nccl_log("NCCL version 2.18.3\n" + head + row + "# Avg bus bandwidth    : 30\n");
    EXPECT_EQ(log.ranks, 0u);
    EXPECT_EQ(log.times.size(), 1u);
}

TEST(NcclLog, LeavesOutSizesOfNoBytes) {
    EXPECT_EQ(
        read_nccl_log(device_lines + head + "0 0 float sum -1 5.1 0.00 0.00 0 5.0 0.00 0.00 0\n" + row).times.size(),
        1u);
}

TEST(NcclLog, ThatIsWrongIsRefusedWithItsLine) {
    const std::string start = device_lines + head;   // seven lines
    const struct {
        std::string text, says;
    } cases[] = {
        {"", "no table"},
        {"hello\n", "no table"},
        {row, "no table"},
        {head, "no table"},
        {start + "1048576 262144 float sum -1 52.43\n", "line 8: holds 6 of 13 columns"},
        {start + "1048576 262144 float sum -1 fast 20 30 0 5 20 30 0\n", "line 8: holds 'fast' where a number is due"},
        {start + "1048576 262144 float sum -1 -5 20 30 0 5 20 30 0\n", "line 8: holds '-5'"},
        {start + "1048576 262144 float sum -1 0.00 20 30 0 5 20 30 0\n", "line 8: has a time of 0 us"},
        {start + "1048576 262144 float sum -1 0.0000001 20 30 0 5 20 30 0\n", "line 8: has a time of 1e-07 us"},
        {start + "0.5 262144 float sum -1 52.43 20 30 0 5 20 30 0\n", "line 8: has a size of 0.5 bytes"},
        {start + "1048576 262144 float sum -1 52.43 20 30 7 5 20 30 7\n", "line 8: has wrong sums"},
        {start + "1048576 262144 float sum -1 52.43 20.00 15.00 0 52 20 15.00 0\n",
         "line 8: busbw is 0.75 times algbw"},
        {start + "1048576 262144 float sum -1 52.43 wide 15.00 0 52 20 15.00 0\n", "line 8: holds 'wide'"},
        {start + "1048576 262144 float sum -1 nan 20 30 0 52 20 30 0\n", "line 8: holds 'nan'"},
        {"#  Rank  4 Group  0 Pid 15 on   nodeC device  0 [0x07] H100\n" + start + row, "nodeC has 1"},
    };
    for (const auto& [text, says] : cases) EXPECT_THAT(error_of(text), HasSubstr(says)) << text;
}

/// Whatever bytes change, the log is read or refused.
TEST(NcclLog, ThatIsDamagedNeverDoesAnythingElse) {
    const std::string text = shipped("polaris.log");
    ASSERT_EQ(read_nccl_log(text).times.size(), 21u);
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        std::string damaged = text;
        for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random() % 128);
        if (i % 3 == 0) damaged.resize(random() % damaged.size());
        error_of(damaged);
    }
}

}   // namespace
}   // namespace oscar::nccl_log_test

// Logs of nccl-tests: what of them is read, and what is said of logs that are wrong.
#include "sim/fit/nccl_log.hpp"

#include <gmock/gmock.h>

#include <fstream>
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

std::string error_of(const std::string& text) {
    try {
        read_nccl_log(text);
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

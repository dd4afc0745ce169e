// nccl-tests' JSON: the same times as its table has, and what is said of files that are wrong.
#include "sim/fit/nccl_json.hpp"

#include <gmock/gmock.h>

#include <random>

#include "sim/config/error.hpp"

namespace oscar::nccl_json_test {
namespace {

using ::testing::HasSubstr;

/// Two processes of two GPUs on a node each: of each process only the first GPU is listed. 30 = 2 * 3/4 * 20.
const std::string file = R"({"version": 2, "args": ["./build/all_reduce_perf", "-b", "1M"], "env": ["A=b"],
"config": {"nthreads": 1, "ngpus": 2, "devices": [
  {"rank": 0, "group": 0, "pid": 11, "hostname": "nodeA", "device": 0, "device_info": "NVIDIA H100"},
  {"rank": 2, "group": 0, "pid": 12, "hostname": "nodeB", "device": 0, "device_info": "NVIDIA H100"}]},
"results": [
  {"size": 0, "count": 0, "type": "float", "redop": "sum", "root": "    -1",
   "out_of_place": {"time": 5.100000, "alg_bw": 0.000000, "bus_bw": 0.000000, "nwrong": 0.000000}},
  {"size": 1048576, "count": 262144, "type": "float", "redop": "sum", "root": "    -1",
   "out_of_place": {"time": 52.428800, "alg_bw": 20.000000, "bus_bw": 30.000000, "nwrong": 0.000000},
   "in_place": {"time": 51.000000, "alg_bw": 20.560000, "bus_bw": 30.840000, "nwrong": null},
   "actual_iterations": 20, "experiment_name": ""},
  {"size": 2097152, "count": 524288, "type": "float", "redop": "sum", "root": "    -1", "out_of_place": null,
   "in_place": {"time": 104.857600, "alg_bw": 20.000000, "bus_bw": 30.000000, "nwrong": null}}],
"out_of_bounds": {"count": 0, "okay": "true"}})";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = file;
    text.replace(text.find(from), from.size(), to);
    return text;
}

std::string error_of(const std::string& text) {
    try {
        read_nccl_log(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(NcclJson, HasTheTimesAndRanksOfTheTable) {
    const NcclLog log = read_nccl_log(file);
    EXPECT_EQ(log.ranks, 4u);
    EXPECT_EQ(log.ranks_per_node, 2u);
    ASSERT_EQ(log.times.size(), 2u);
    EXPECT_EQ(log.times[0].size, Bytes{1 << 20});
    EXPECT_EQ(log.times[0].time, Time{52'428'800});
    EXPECT_EQ(log.times[1].time, Time{104'857'600}) << "in place, for out of place is null";
}

TEST(NcclJson, WithoutItsConfigurationHasTheRanksThatAreNamed) {
    const std::string text = changed("\"config\"", "\"other\"");
    EXPECT_EQ(read_nccl_log(text).ranks, 0u);
    EXPECT_EQ(read_nccl_log(text, 4).ranks, 4u);
}

TEST(NcclJson, ThatIsWrongIsRefusedWithItsPlace) {
    const struct {
        std::string from, to, says;
    } cases[] = {
        {"all_reduce_perf", "reduce_scatter_perf", "args[0]: is of reduce_scatter_perf"},
        {R"("redop": "sum", "root": "    -1", "out_of_place": null)",
         R"("redop": "none", "root": "    -1", "out_of_place": null)", "results[2]: reduces nothing (redop 'none')"},
        {R"("root": "    -1", "out_of_place": null)", R"("root": "     0", "out_of_place": null)",
         "results[2]: has the root 0"},
        {R"("root": "    -1", "out_of_place": null)", R"("root": "x", "out_of_place": null)",
         "results[2].root is no rank"},
        {"\"time\": 52.428800", "\"time\": 0.0000001", "results[1]: has a time of 1e-07 us"},
        {"\"time\": 52.428800", "\"cpu_time\": 52.4", "results[1].out_of_place has CPU times"},
        {"\"time\": 52.428800", "\"other\": 52.4", "results[1].out_of_place: has no time"},
        {"\"time\": 52.428800", "\"time\": \"nan\"", "results[1].out_of_place.time is no number"},
        {"\"bus_bw\": 30.000000", "\"bus_bw\": 15.000000", "results[1]: busbw is 0.75 times algbw"},
        {"\"nwrong\": 0.000000},\n   \"in", "\"nwrong\": 4},\n   \"in", "results[1]: has wrong sums"},
        {"\"rank\": 2", "\"rank\": 1", "config.devices[1]: rank 1 is listed twice"},
        {"\"ngpus\": 2", "\"ngpus\": 1e9", "config is no number of GPUs a process"},
        {"\"ngpus\": 2", "\"ngpus\": []", "config.ngpus is no number"},
        {"\"results\"", "\"rows\"", "has no results"},
        {"\"results\": [", "\"results\": 3, \"rest\": [", "results is no list"},
        {"\"env\": [\"A=b\"]", "\"env\": [", "line 1: is no whole JSON"},
        {"\"version\": 2", "\"version\": 1e999", "too large"},
    };
    for (const auto& [from, to, says] : cases) EXPECT_THAT(error_of(changed(from, to)), HasSubstr(says)) << to;
}

TEST(NcclJson, ThatIsNestedWithoutEndIsRefused) {
    EXPECT_THAT(error_of("{\"results\": " + std::string(1'000'000, '[')), HasSubstr("nested deeper than 64"));
}

/// Whatever bytes change, the file is read or refused.
TEST(NcclJson, ThatIsDamagedNeverDoesAnythingElse) {
    std::mt19937 random(2);
    for (int i = 0; i < 2000; ++i) {
        std::string damaged = file;
        for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
        if (i % 3 == 0) damaged.resize(random() % damaged.size());
        EXPECT_EQ(error_of(damaged).find('\n'), std::string::npos);
    }
}

}   // namespace
}   // namespace oscar::nccl_json_test

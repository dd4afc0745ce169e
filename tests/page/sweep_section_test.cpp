// What a page says of a sweep.
#include "sim/page/sweep_section.hpp"

#include <gmock/gmock.h>

namespace oscar::sweep_section_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two points of two methods: ranks 2 and 4.
SweepResults small_sweep() {
    SweepResults sweep;
    sweep.file = "results/mine/points.sqlite";
    sweep.program = "0.1.0 abc";
    sweep.keys = {"ranks"};
    sweep.methods = {"fp32", "asc"};
    sweep.figures.columns = {"position", "key",      "ranks",        "method",           "allreduce_ps",
                             "cosine",   "codec_ps", "speedup.fp32", "relative_l2_error"};
    const auto row = [](std::int64_t position, const char* method, std::int64_t ps, double gain, double error) {
        return std::vector<sql::Value>{position, std::string("k"), position * 2 + 2, std::string(method),
                                       ps,       sql::Value(),     std::int64_t{7},  gain,
                                       error};
    };
    sweep.figures.rows = {row(0, "fp32", 8'000'000, 1, 0), row(0, "asc", 4'000'000, 2, 0.2),
                          row(1, "fp32", 30'000'000, 1, 0), row(1, "asc", 5'000'000, 6, 0.3)};
    sweep.failures.columns = {"position", "error"};
    sweep.done = 2;
    return sweep;
}

TEST(SweepSection, NamesTheFastestPointAndTheLargestGainOfEachMethod) {
    const std::string text = sweep_section(small_sweep());
    EXPECT_THAT(text,
                HasSubstr("<td class=\"text\">asc</td><td class=\"text\">time</td><td>4</td><td>2</td><td>0.2</td>"));
    EXPECT_THAT(text,
                HasSubstr("<td class=\"text\">asc</td><td class=\"text\">gain</td><td>5</td><td>6</td><td>0.3</td>"));
    EXPECT_THAT(text, HasSubstr("<td class=\"text\">ranks=4</td>"));
    EXPECT_THAT(text, Not(HasSubstr("fp32</td><td class=\"text\">gain")));   // over itself
}

TEST(SweepSection, HasAllPointsInATableAndAsData) {
    const std::string text = sweep_section(small_sweep());
    EXPECT_THAT(text, HasSubstr("[1,4,\"asc\",5.0,6.0,0.3]"));   // for the charts
    EXPECT_THAT(text, HasSubstr("<td>1</td><td>4</td><td class=\"text\">asc</td><td>5</td><td>6</td><td>0.3</td>"));
    EXPECT_THAT(
        text,
        HasSubstr(
            "\"columns\":[\"point\",\"ranks\",\"method\",\"allreduce_us\",\"speedup.fp32\",\"relative_l2_error\"]"));
}

TEST(SweepSection, NamesColumnsByTheirMeaning) {
    SweepResults sweep = small_sweep();
    sweep.keys = {"network.link.bandwidth"};
    sweep.figures.columns[2] = "network.link.bandwidth";
    EXPECT_THAT(sweep_section(sweep),
                HasSubstr("\"titles\":{\"point\":\"point\",\"network.link.bandwidth\":\"link bandwidth\","
                          "\"method\":\"method\",\"allreduce_us\":\"time, us\",\"speedup.fp32\":"
                          "\"times as fast as fp32\",\"relative_l2_error\":\"relative L2 error\"}"));
}

TEST(SweepSection, SaysWhatFailedAndWhatIsPending) {
    SweepResults sweep = small_sweep();
    sweep.failed = 1;
    sweep.pending = 3;
    sweep.failures.rows = {{std::int64_t{2}, std::string("stuck <here>")}};
    const std::string text = sweep_section(sweep);
    EXPECT_THAT(text, HasSubstr("6 points: 2 done, 1 failed, <strong>3 not computed yet</strong>."));
    EXPECT_THAT(text, HasSubstr("<td>2</td><td class=\"text\">stuck &lt;here&gt;</td>"));
}

TEST(SweepSection, BeforeTheFirstPointHasNoCharts) {
    SweepResults sweep = small_sweep();
    sweep.figures.rows.clear();
    sweep.methods.clear();
    EXPECT_THAT(sweep_section(sweep), HasSubstr("No point has figures."));
    EXPECT_THAT(sweep_section(sweep), Not(HasSubstr("class=\"sweep\"")));
}

}   // namespace
}   // namespace oscar::sweep_section_test

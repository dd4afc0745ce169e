// The number of threads changes no report, through the program.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::threads_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

/// All kinds of methods, small. Message fidelity: the network is not the subject.
const std::string every_method =
    "run configs/experiments/oscar-hw.yaml --set iterations.count=1 --set fidelity=message ";
const std::string other_codecs =
    "run configs/experiments/demo.yaml --set iterations.count=1 --set fidelity=message --set methods="
    "'[shapeshifter, zero_value, {kind: atalanta, name: inline, table: inline}, {kind: asc, name: onward, chunks: "
    "measured}, {kind: asc, name: led, chunks: leader}, zstd]' ";

/// report.json of a run, without what it says of the host.
std::string report_of(const std::string& run, const std::string& options) {
    const Folder out;
    const auto finished = oscar_sim(run + options + " -o " + out.text());
    EXPECT_EQ(finished.status, 0) << finished.output;
    auto report = test::report_in(out.text());
    report.erase("host");
    return report.dump();
}

void expect_equal_reports(const std::string& run) {
    const std::string alone = report_of(run, "");
    for (const char* threads : {"--threads 1", "--threads 2", "--threads 3", "--threads 8"})
        EXPECT_EQ(report_of(run, threads), alone) << threads;
}

TEST(Threads, LeaveTheReportOfEveryMethodAsItIsInLockStep) { expect_equal_reports(every_method); }

TEST(Threads, LeaveTheReportOfOtherCodecsAndBoundariesAsItIs) { expect_equal_reports(other_codecs); }

TEST(Threads, LeaveTheReportAsItIsWhereStepsOnlyWaitForTheirData) {
    expect_equal_reports(every_method +
                         "--set collective.issue=dependency --set collective.slices=2 "
                         "--set 'methods=[fp32, {kind: asc, split: context, adapt: symbol}]' ");
}

TEST(Threads, LeaveTheReportAsItIsWhereEveryRankSendsToEveryOther) {
    expect_equal_reports(every_method + "--set 'collective={kind: direct}' --set 'methods=[fp32, asc, aac]' ");
}

TEST(Threads, LeaveTheErrorOfATraceAsItIs) {
    const Folder folder;
    std::filesystem::copy("traces/lenet-fmnist", folder / "trace", std::filesystem::copy_options::recursive);
    for (const auto& file : std::filesystem::directory_iterator(folder / "trace"))
        if (file.path().extension() == ".npy") {
            std::fstream array(file.path(), std::ios::binary | std::ios::in | std::ios::out);
            array.seekp(-2, std::ios::end);
            array.write("\xff\x7f", 2);   // a NaN
        }
    ASSERT_EQ(oscar_sim("trace hash --write " + (folder / "trace").string()).status,
              0);   // so that it is read by threads
    const std::string run =
        every_method + "--set trace=" + (folder / "trace").string() + " -o " + folder.text() + "/out";
    const auto alone = oscar_sim(run);
    EXPECT_EQ(alone.status, 2);
    EXPECT_THAT(alone.output, HasSubstr("NaN"));
    EXPECT_EQ(std::ranges::count(alone.output, '\n'), 1) << alone.output;
    const auto together = oscar_sim(run + " --threads 3");
    EXPECT_EQ(together.status, alone.status);
    EXPECT_EQ(together.output, alone.output);
}

TEST(Threads, AreNamedInTheReport) {
    const Folder out;
    ASSERT_EQ(oscar_sim(other_codecs + "--threads 2 -o " + out.text()).status, 0);
    EXPECT_EQ(test::report_in(out.text())["host"]["threads"], 2);
}

TEST(Threads, AreAtLeastOne) {
    const auto none = oscar_sim(every_method + "--threads 0");
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.output, HasSubstr("--threads"));
}

TEST(Threads, OfSweepsAreOfEachProcess) {
    EXPECT_THAT(oscar_sim("sweep --help").output, HasSubstr("threads of each process"));
    const Folder out;
    std::ofstream(out / "sweep.yaml")
        << "base: " << std::filesystem::absolute("configs/experiments/demo.yaml").string()
        << "\nset: {fidelity: message, iterations.count: 1}\naxes: [{key: seed, values: [1, 2]}]\n";
    const std::string sweep = "sweep " + (out / "sweep.yaml").string() + " -j 1 -o " + out.text();
    ASSERT_EQ(oscar_sim(sweep + "/one").status, 0);
    ASSERT_EQ(oscar_sim(sweep + "/two --threads 2").status, 0);
    EXPECT_EQ(test::text_of(out / "one/methods.csv"), test::text_of(out / "two/methods.csv"));
}

}   // namespace
}   // namespace oscar::threads_test

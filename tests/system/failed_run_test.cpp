// What a command that fails leaves behind and how it says so: full disks, closed outputs, signals, too little memory.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::failed_run_test {
namespace {

using test::Folder;
using test::oscar_sim;
using test::shell;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string quick = "run configs/experiments/synthetic.yaml --set size=64KiB ";

bool is_empty(const Folder& folder) { return std::filesystem::is_empty(folder.text()); }

/// A trace whose arrays are missing, which is noticed when the run has begun.
std::string run_without_arrays(const Folder& folder) {
    std::filesystem::create_directory(folder / "trace");
    std::filesystem::copy("traces/lenet-fmnist/trace.yaml", folder / "trace/trace.yaml");
    return "run configs/experiments/demo.yaml --set trace=" + (folder / "trace").string() + " -o ";
}

TEST(FailedRun, LeavesNoEmptyFolders) {
    const Folder folder, trace("trace");
    EXPECT_EQ(oscar_sim(run_without_arrays(trace) + (folder / "a/b").string()).status, 2);
    EXPECT_TRUE(is_empty(folder));
}

TEST(FailedRun, KeepsAFolderThatWasThereBefore) {
    const Folder folder, trace("trace");
    EXPECT_EQ(oscar_sim(run_without_arrays(trace) + folder.text()).status, 2);
    EXPECT_TRUE(std::filesystem::exists(folder.text()));
}

TEST(FailedRun, LeavesNoEmptyFolderWhenItIsInterrupted) {
    const Folder folder;
    const auto run =
        shell("timeout -s INT 1 " OSCAR_SIM
              " run configs/experiments/peers.yaml --set fidelity=flit --set ranks=16 --set size=256MiB -o " +
              (folder / "a/b").string());   // minutes
    EXPECT_EQ(run.status, 124) << run.output;
    EXPECT_TRUE(is_empty(folder));
}

TEST(FailedRun, NoticesThatStandardOutputCannotBeWritten) {
    const Folder folder;
    const std::string full = "standard output cannot be written (No space left on device); direct it elsewhere\n";
    for (const std::string& arguments :
         {quick + "-o " + (folder / "out").string(), std::string("describe"), std::string("--help"),
          std::string("predict configs/validation/a100.yaml -o " + (folder / "prediction").string()),
          std::string("trace hash traces/lenet-fmnist")}) {
        const auto run = shell("{ " OSCAR_SIM " " + arguments + " > /dev/full; }");
        EXPECT_EQ(run.status, 1) << arguments;
        EXPECT_EQ(run.output, "oscar-sim: " + full) << arguments;
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "out/report.json"));   // which is what the run was for
}

TEST(FailedRun, KeepsItsStatusWhereNothingCanBeSaid) {
    EXPECT_EQ(shell(OSCAR_SIM " run nowhere.yaml 2> /dev/full").status, 2);
    EXPECT_EQ(shell(OSCAR_SIM " fly > /dev/full 2> /dev/full").status, 2);
}

/// `oscar-sim ARGUMENTS` that may write files of half a KiB at most, which stands for a disk that is full.
test::Finished on_a_full_disk(const std::string& arguments) { return shell("ulimit -f 1; " OSCAR_SIM " " + arguments); }

TEST(FailedRun, NamesALimitOfFilesWithStatus1AndLeavesNothing) {
    const Folder folder;
    const std::string out = " -o " + (folder / "out").string();
    for (const std::string& arguments :
         {quick + out, "predict configs/validation/a100.yaml" + out,
          "traffic configs/traffic/mesh4-tornado.yaml --set traffic.measure=300 --set traffic.loads='[0.05]' --set "
          "saturation=null" +
              out,
          "trace generate --elements 5000 " + (folder / "trace").string()}) {
        const auto run =
            on_a_full_disk(arguments + " > /dev/null");   // tables are printed before their file is written
        EXPECT_EQ(run.status, 1) << run.output;
        EXPECT_THAT(
            run.output,
            HasSubstr("cannot be written, a file may have at most 512 bytes (ulimit -f); raise that limit, or"));
        EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
        EXPECT_TRUE(is_empty(folder)) << arguments;
    }
    const auto sweep = on_a_full_disk("sweep configs/sweeps/compression.yaml" + out);
    EXPECT_EQ(sweep.status, 1) << sweep.output;
    EXPECT_THAT(sweep.output,
                HasSubstr("out/points.sqlite: cannot be written or read (disk I/O error); free some space, or "
                          "choose another folder with -o DIR"));
}

}   // namespace
}   // namespace oscar::failed_run_test

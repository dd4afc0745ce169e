// Injected faults in whole runs of the program.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::faults_program_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::AnyOf;
using ::testing::HasSubstr;

const std::string quick =
    "run configs/experiments/demo.yaml --set ranks=4 --set iterations.count=2 --set fidelity=packet "
    "--set methods=[fp32,asc] ";

TEST(InjectedFaults, AreCountedAndRepairedAndChangeNoSum) {
    const Folder out;
    const auto run = oscar_sim(quick +
                               "--set network.faults.flip=0.02 --set network.faults.drop=0.02 "
                               "--set network.faults.duplicate=0.02 --set network.faults.reorder=0.02 "
                               "--set network.reliability=selective -o " +
                               out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    const auto report = test::report_in(out.text());
    EXPECT_EQ(report["config"]["network"]["faults"]["check"], "crc32");
    EXPECT_THAT(report["notes"].dump(), HasSubstr("on purpose"));
    for (const auto& method : report["methods"]) {
        EXPECT_EQ(method["sums_match_reference"], true);
        const auto& faults = method["faults"];
        EXPECT_GT(faults["flipped_packets"], 0);
        EXPECT_EQ(faults["crc_errors"], faults["flipped_packets"]);
        EXPECT_GT(faults["dropped_packets"], 0);
        EXPECT_EQ(faults["discarded_duplicates"], faults["duplicated_packets"]);
        EXPECT_GE(faults["sorted_packets"], faults["reordered_packets"]);
        EXPECT_GT(faults["repaired_packets"], 0);
        EXPECT_GT(method["transport"]["retransmitted_packets"], 0);
    }
}

TEST(InjectedFaults, AreInNoReportThatAsksForNone) {
    const Folder out;
    ASSERT_EQ(oscar_sim(quick + "-o " + out.text()).status, 0);
    const auto report = test::report_in(out.text());
    EXPECT_FALSE(report["config"]["network"].contains("faults"));
    EXPECT_FALSE(report["methods"][0].contains("faults"));
}

TEST(InjectedFaults, BehindTheCrcEndInAnErrorOrInRightSums) {
    for (int seed = 1; seed <= 6; ++seed) {
        const Folder out;
        const auto run = oscar_sim(quick + "--set network.faults.flip=0.003 --set network.faults.check=none --set " +
                                   "network.faults.seed=" + std::to_string(seed) + " -o " + out.text());
        if (run.status == 0) continue;   // report.json says that sums match, or the status were another
        EXPECT_EQ(run.status, 1) << run.output;
        EXPECT_THAT(run.output, AnyOf(HasSubstr("came damaged"), HasSubstr("block "), HasSubstr("other peaks"),
                                      HasSubstr("injected faults passed every check"), HasSubstr("does not fit")));
    }
}

TEST(InjectedFaults, ThatNothingRepairsEndInTheReportOfLostPackets) {
    const auto run = oscar_sim(quick + "--set network.faults.drop=0.1");
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.output, HasSubstr("packets were lost"));
}

TEST(InjectedFaults, AreRefusedWhereTheyCannotBe) {
    const auto flit = oscar_sim(quick + "--set network.faults.drop=0.1 --set fidelity=flit");
    EXPECT_EQ(flit.status, 2);
    EXPECT_THAT(flit.output, HasSubstr("write fidelity: packet"));
    const auto sized =
        oscar_sim(quick + "--set network.faults.flip=0.1 --set network.faults.check=none --set payload=size_only");
    EXPECT_EQ(sized.status, 2);
    EXPECT_THAT(sized.output, HasSubstr("has no bytes to damage; write check: crc32, or payload: encoded"));
    EXPECT_EQ(oscar_sim(quick + "--set network.faults.flip=1.5").status, 2);
}

}   // namespace
}   // namespace oscar::faults_program_test

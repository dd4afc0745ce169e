// oscar-sim traffic, as a user runs it.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::traffic_program_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

const std::string tornado = "traffic configs/traffic/mesh4-tornado.yaml --set traffic.measure=2000 ";

TEST(TrafficProgram, PrintsATableAndWritesAReport) {
    const Folder out;
    const auto run = oscar_sim(tornado + "--set traffic.loads='[0.1, 0.3]' -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("offered  accepted  mean latency"));
    EXPECT_THAT(run.output, HasSubstr("Saturation: 0.4"));
    const auto report = test::report_in(out.text());
    EXPECT_EQ(report["schema"], 1);
    EXPECT_EQ(report["experiment"], "mesh4-tornado");
    EXPECT_EQ(report["config"]["router"]["vc_flits"], 1);
    EXPECT_EQ(report["points"].size(), 2u);
    EXPECT_TRUE(report["zero_load"].empty());
    EXPECT_EQ(report["bounds"]["zero_load_latency"], 18.0);   // 4 routers on average, 4 cycles each, and 2
    EXPECT_EQ(report["bounds"]["throughput"], 4.0 / 9);
    EXPECT_EQ(report["bounds"]["credit_loop"], 9);
}

TEST(TrafficProgram, SendsAPacketAloneBetweenEachTwoNodesIfAsked) {
    const Folder out;
    ASSERT_EQ(
        oscar_sim(tornado + "--set zero_load=true --set traffic.loads='[0.1]' --set saturation=null -o " + out.text())
            .status,
        0);
    const auto zero_load = test::report_in(out.text())["zero_load"];
    ASSERT_EQ(zero_load.size(), 6u);   // 2 to 7 routers
    EXPECT_EQ(zero_load[5].dump(), R"({"routers":7,"pairs":4,"least":30,"most":30})");
}

TEST(TrafficProgram, WritesTheSameReportTwiceButForTheClockAndFromItsOwnEcho) {
    const Folder out;
    const std::string arguments = "--set traffic.loads='[0.2]' --set saturation.resolution=0.1 -o ";
    ASSERT_EQ(oscar_sim(tornado + arguments + (out / "a").string()).status, 0);
    ASSERT_EQ(oscar_sim(tornado + arguments + (out / "b").string()).status, 0);
    std::ofstream(out / "echo.yaml") << test::report_in(out / "a")["config"].dump();
    ASSERT_EQ(oscar_sim("traffic " + (out / "echo.yaml").string() + " -o " + (out / "c").string()).status, 0);
    const auto a = test::without_clock(test::report_in(out / "a"));
    EXPECT_EQ(a, test::without_clock(test::report_in(out / "b")));
    EXPECT_EQ(a, test::without_clock(test::report_in(out / "c")));
}

TEST(TrafficProgram, RunsEveryConfigurationThatIsShipped) {
    const Folder out;
    for (const auto& file : std::filesystem::directory_iterator("configs/traffic")) {
        const auto run = oscar_sim("traffic " + file.path().string() +
                                   " --set traffic.measure=300 --set traffic.most_warm_ups=1 --set traffic.warm_up=100"
                                   " --set traffic.loads='[0.05]' --set saturation=null -o " +
                                   out.text());
        EXPECT_EQ(run.status, 0) << run.output;
    }
}

TEST(TrafficProgram, NamesFileLineAndRemedyOfWhatIsWrong) {
    const Folder out;
    const auto fails = [&](const std::string& settings, const std::string& text) {
        const auto run = oscar_sim(tornado + settings + " -o " + out.text());
        EXPECT_EQ(run.status, 2) << run.output;
        EXPECT_THAT(run.output, HasSubstr(text));
    };
    fails("--set topology.kind=torus --set router.vcs=1", "router.vcs: a torus with 1 virtual channel can deadlock");
    fails("--set traffic.pattern=shuffle --set topology.rows=3", "make rows * columns a power of two");
    fails("--set traffic.pattern=permutation", "traffic.pattern: permutation is a pattern of ranks");
    fails("--set traffic.loads='[0.1, 1.5]'", "1.5 flits a cycle and node is out of range");
    fails("--set traffic.loads='[]'", "no load to measure");
    fails("--set router.vcs=13", "13 is out of range; choose 1 to 12");
    fails("--set topology='{kind: mesh, rows: 1, columns: 1}'", "one router only");
    std::ofstream(out / "bad.yaml") << "topology: mesh\nrouter: {vcs: 2, bufer: 3}\n";
    const auto run = oscar_sim("traffic " + (out / "bad.yaml").string() + " -o " + out.text());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output, HasSubstr("bad.yaml:2:18: router.bufer: no such parameter"));
}

TEST(TrafficProgram, DescribesItsParametersAndPatterns) {
    EXPECT_THAT(oscar_sim("describe router").output, HasSubstr("credit_delay"));
    EXPECT_THAT(oscar_sim("describe pattern").output, HasSubstr("bit_complement"));
    EXPECT_THAT(oscar_sim("describe pattern hotspot").output, HasSubstr("share"));
    EXPECT_THAT(oscar_sim("describe traffic").output, HasSubstr("saturation"));
}

}   // namespace
}   // namespace oscar::traffic_program_test

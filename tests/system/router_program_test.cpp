// Input-queued routers in whole runs of the program.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::router_program_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

const std::string mesh = "run configs/experiments/mesh-routers.yaml ";

nlohmann::ordered_json report_with(const std::string& settings) {
    const Folder out;
    const auto run = oscar_sim(mesh + settings + " -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
    return test::report_in(out.text());
}

std::string error_with(const std::string& settings) {
    const Folder out;
    const auto run = oscar_sim(mesh + settings + " -o " + out.text());
    EXPECT_EQ(run.status, 2) << run.output;
    return run.output;
}

TEST(RoutersInARun, ChangeTimesButNoSum) {
    const auto routers = report_with(""), switches = report_with("--set network.switch.architecture=output_queued");
    for (std::size_t m = 0; m < 3; ++m) {
        const auto &method = routers["methods"][m], &plain = switches["methods"][m];
        EXPECT_EQ(method["sums_match_reference"], true);
        EXPECT_EQ(method["wire_bytes"], plain["wire_bytes"]);
        EXPECT_EQ(method["relative_l2_error"], plain["relative_l2_error"]);
        EXPECT_GT(method["allreduce_ps"], plain["allreduce_ps"]) << "allocation takes cycles";
        EXPECT_TRUE(method["closed_form_ps"].is_null());
        EXPECT_GT(method["link_utilisation"], 0);
    }
    EXPECT_GT(routers["host"]["flit_hops"], 0);
}

// Routers as SystemC modules, and all of them in one event core.
TEST(RoutersInARun, GiveTheSameReportByPacketAsByFlit) {
    const std::string torus = "--set 'network.topology={kind: torus, rows: 2, columns: 8}' ",
                      shallow = "--set 'network.switch.architecture={kind: input_queued, vcs: 3, vc_flits: 5}' ",
                      shared = "--set 'network.background={load: 0.2}' --set methods=[fp32,asc] ";
    for (const std::string& settings : {std::string(), torus + shallow, shallow + shared}) {
        auto flit = report_with(settings), packet = report_with(settings + "--set fidelity=packet");
        EXPECT_GT(flit["host"]["events"], packet["host"]["events"]) << "of modules";
        EXPECT_EQ(flit["host"]["flit_hops"], packet["host"]["flit_hops"]);
        for (auto* report : {&flit, &packet}) {
            report->erase("host");
            (*report)["config"].erase("fidelity");
        }
        EXPECT_EQ(flit, packet) << settings;
    }
}

TEST(RoutersInARun, AreInTheReportOnlyWhereThereAreAny) {
    const auto routers = report_with("--set methods=[fp32]")["config"]["network"];
    EXPECT_EQ(routers["switch"]["architecture"]["kind"], "input_queued");
    EXPECT_EQ(routers["switch"]["architecture"]["vc_flits"], 32);
    EXPECT_FALSE(routers["link"].contains("buffer"));
    const auto switches =
        report_with("--set methods=[fp32] --set network.switch.architecture=output_queued")["config"]["network"];
    EXPECT_FALSE(switches["switch"].contains("architecture"));
    EXPECT_TRUE(switches["link"].contains("buffer"));
}

// 64 bytes at 100 Gbit/s are 5.12 ns. 41 ns of cable are nine such, 46.08 ns, and a cycle more for the flit.
TEST(RoutersInARun, SayWhatTimesHaveBecomeInCycles) {
    const auto notes = report_with("--set methods=[fp32] --set network.link.propagation=41ns")["notes"];
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0],
              "input-queued routers: a cycle is 5120ps; a link takes 10 cycles (51200ps), one of them for the flit, a "
              "switch 1 (5120ps); 4 VCs of 32 flits have 8KiB a link");
}

TEST(RoutersInARun, GiveTheSameReportFromItsOwnEcho) {
    const Folder out;
    ASSERT_EQ(oscar_sim(mesh + "--set methods=[asc] -o " + (out / "a").string()).status, 0);
    std::ofstream(out / "echo.yaml") << test::report_in(out / "a")["config"].dump();
    const auto again = oscar_sim("run " + (out / "echo.yaml").string() + " -o " + (out / "b").string());
    ASSERT_EQ(again.status, 0) << again.output;
    EXPECT_EQ(test::without_clock(test::report_in(out / "a")), test::without_clock(test::report_in(out / "b")));
}

TEST(RoutersInARun, AreRefusedWhereTheyCannotStand) {
    EXPECT_THAT(error_with("--set fidelity=message"),
                HasSubstr("network.switch.architecture: input-queued routers are simulated"));
    EXPECT_THAT(error_with("--set network.topology=star"), HasSubstr("network.topology: input-queued routers stand"));
    EXPECT_THAT(error_with("--set 'network.topology={kind: torus}' --set network.switch.architecture.vcs=1"),
                HasSubstr("network.switch.architecture: a torus with 1 virtual channel can deadlock"));
    EXPECT_THAT(error_with("--set network.link.buffer=1MiB"), HasSubstr("network.link.buffer: input-queued routers"));
    EXPECT_THAT(error_with("--set 'network.overrides=[{node: rank3, propagation: 1us}]'"),
                HasSubstr("network.overrides: links between input-queued routers are all alike"));
    EXPECT_THAT(error_with("--set network.flow_control=pfc"),
                HasSubstr("rank0->switch0: input-queued routers know credits only"));
    EXPECT_THAT(error_with("--set network.routing=spray"), HasSubstr("network.routing: input-queued routers go"));
    EXPECT_THAT(error_with("--set ranks=65 --set 'network.topology={kind: mesh, rows: 1, columns: 0}'"),
                HasSubstr("network.topology: 1 rows and 65 columns"));
    EXPECT_THAT(error_with("--set collective=in_network"), HasSubstr("collective"));
}

// A ring over neighbours of a torus, without a trace: no closed form, for that knows no routers.
TEST(RoutersInARun, HaveNoClosedFormWithoutATrace) {
    const Folder out;
    const std::string synthetic =
        "run configs/experiments/synthetic.yaml --set size=64KiB --set ranks=4 --set fidelity=flit --set "
        "'network={topology: {kind: torus, rows: 1}, link: {propagation: 0ps}, switch: {architecture: input_queued}}' ";
    const auto run = oscar_sim(synthetic + "-o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_TRUE(test::report_in(out.text())["methods"][0]["closed_form_ps"].is_null());
}

}   // namespace
}   // namespace oscar::router_program_test

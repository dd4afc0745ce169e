#include "tests/system/program.hpp"

#include <gmock/gmock.h>

namespace oscar::program_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string demo = "run configs/experiments/demo.yaml";
/// Packets are damaged and sent again until nothing new has come for a millisecond.
const std::string livelock =
    " --set fidelity=packet --set network.loss.rate=0.99 --set network.reliability=go_back_n --set network.stall=1ms";

/// A copy of the shipped trace to damage.
std::filesystem::path trace_copy(const Folder& folder) {
    std::filesystem::copy("traces/lenet-fmnist", folder / "trace", std::filesystem::copy_options::recursive);
    return folder / "trace";
}

const nlohmann::ordered_json& method(const nlohmann::ordered_json& report, const std::string& name) {
    for (const auto& m : report["methods"])
        if (m["name"] == name) return m;
    throw std::out_of_range(name);
}

TEST(Program, RunsTheMainJobAndEverySumIsTheReferences) {
    const Folder out;
    const auto run = oscar_sim(demo + " -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
    const auto report = test::report_in(out.text());
    EXPECT_EQ(report["schema"], 1);
    EXPECT_EQ(report["trace"]["hash"].get<std::string>().size(), 16u);
    for (const auto& m : report["methods"]) {
        EXPECT_EQ(m["sums_match_reference"], true) << m["name"];
        EXPECT_EQ(m["iterations"].size(), 3u);
        // The split is of the whole AllReduce, but for the exchange of the scale and what the mean rounds away.
        const auto parts =
            m["codec_ps"].get<std::int64_t>() + m["wire_ps"].get<std::int64_t>() + m["wait_ps"].get<std::int64_t>();
        EXPECT_NEAR(static_cast<double>(m["allreduce_ps"]),
                    static_cast<double>(parts + m["scale_exchange_ps"].get<std::int64_t>()), 3.0);
        EXPECT_NEAR(m["bits_per_value"], 8.0 * m["payload_bytes"].get<double>() / m["values"].get<double>(), 1e-9);
    }
    EXPECT_EQ(method(report, "fp32")["bits_per_value"], 32.0);
    EXPECT_NEAR(method(report, "fixed_point")["bits_per_value"], 10.5,
                0.01);   // (8+9+10+10+11+11+11 + 7*11) / 14, byte-aligned
    EXPECT_LT(method(report, "asc")["bits_per_value"], method(report, "fixed_point")["bits_per_value"]);
    EXPECT_GT(method(report, "asc")["speedup"]["fp32"], 1.0);
    EXPECT_GT(method(report, "asc")["speedup"]["fixed_point"], 1.0);
}

TEST(Program, UncompressedIsWithinOnePacketTimeOfItsClosedForm) {
    const Folder out;
    ASSERT_EQ(oscar_sim(demo + " -o " + out.text()).status, 0);
    const auto fp32 = method(test::report_in(out.text()), "fp32");
    const double packet_ps = (4096 + 82) * 8e6 / 25'000;   // at 25 Gbps
    EXPECT_NEAR(fp32["allreduce_ps"], fp32["closed_form_ps"], packet_ps);
}

TEST(Program, TakesCodesFromGpuMemoryAndLeavesFp32AsItWas) {
    const Folder out;
    ASSERT_EQ(oscar_sim(demo + " --set gpu.gradients=codes -o " + out.text()).status, 0);
    const auto report = test::report_in(out.text());
    const auto golden = nlohmann::ordered_json::parse(test::text_of("tests/golden/demo.json"));
    EXPECT_EQ(method(report, "fp32")["allreduce_ps"], method(golden, "fp32")["allreduce_ps"]);
    EXPECT_EQ(method(report, "fp32")["critical_path"], method(golden, "fp32")["critical_path"]);
    for (const auto& m : report["methods"]) {
        EXPECT_EQ(m["payload_bytes"], method(golden, m["name"])["payload_bytes"]);
        EXPECT_EQ(m["sums_match_reference"], true);
        std::int64_t path = 0;
        for (const auto& part : m["critical_path"]) path += part.get<std::int64_t>();
        EXPECT_EQ(m["allreduce_ps"], path) << m["name"];
        EXPECT_EQ(m["gpu_kernel_ps"] == 0, m["name"] == "fp32");
    }
}

TEST(Program, WritesTheSameReportTwiceButForTheClock) {
    const Folder out;
    ASSERT_EQ(oscar_sim(demo + " --set start_jitter=3us -o " + (out / "a").string()).status, 0);
    ASSERT_EQ(oscar_sim(demo + " --set start_jitter=3us -o " + (out / "b").string()).status, 0);
    EXPECT_EQ(test::without_clock(test::report_in(out / "a")).dump(),
              test::without_clock(test::report_in(out / "b")).dump());
}

TEST(Program, AnotherSeedGivesOtherStartsButTheSameBytes) {
    const Folder out;
    ASSERT_EQ(oscar_sim(demo + " --set start_jitter=3us -o " + (out / "a").string()).status, 0);
    ASSERT_EQ(oscar_sim(demo + " --set start_jitter=3us --set seed=2 -o " + (out / "b").string()).status, 0);
    const auto a = method(test::report_in(out / "a"), "asc"), b = method(test::report_in(out / "b"), "asc");
    EXPECT_NE(a["allreduce_ps"], b["allreduce_ps"]);
    EXPECT_EQ(a["payload_bytes"], b["payload_bytes"]);
}

TEST(Program, TakesOverridesAndEchoesThemWithUnits) {
    const Folder out;
    const auto run = oscar_sim(demo +
                               " --set ranks=4 --set network.link.bandwidth=100GBps --set chunks.kind=round_robin"
                               " --set collective.issue=dependency --set methods='[fixed_point, asc]' -o " +
                               out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    const auto config = test::report_in(out.text())["config"];
    EXPECT_EQ(config["ranks"], 4);
    EXPECT_EQ(config["network"]["link"]["bandwidth"], "800Gbps");
    EXPECT_EQ(config["network"]["link"]["propagation"], "500ns");
    EXPECT_EQ(config["chunks"]["kind"], "round_robin");
    EXPECT_EQ(config["methods"].size(), 2u);
}

TEST(Program, GivesTheSameReportFromItsOwnEcho) {
    const Folder out;
    ASSERT_EQ(oscar_sim(demo + " --set ranks=3 -o " + (out / "a").string()).status, 0);
    std::ofstream(out / "echo.yaml") << test::report_in(out / "a")["config"].dump();
    ASSERT_EQ(oscar_sim("run " + (out / "echo.yaml").string() + " -o " + (out / "b").string()).status, 0);
    EXPECT_EQ(test::without_clock(test::report_in(out / "a")), test::without_clock(test::report_in(out / "b")));
}

TEST(Program, RunsEveryConfigurationThatIsShipped) {
    const Folder out;
    for (const auto& file : std::filesystem::directory_iterator("configs/experiments"))
        EXPECT_EQ(oscar_sim("run " + file.path().string() + " -o " + out.text()).status, 0) << file.path();
}

TEST(Program, RunsEveryCollective) {
    const Folder out;
    for (const char* kind :
         {"ring", "bidirectional_ring", "halving_doubling", "double_binary_tree", "direct", "ring_2d", "hierarchical",
          "in_network", "reduce_scatter", "all_gather", "broadcast", "all_to_all"}) {
        const auto run =
            oscar_sim("run configs/experiments/collectives.yaml --set ranks=6 --set collective=" + std::string(kind) +
                      " -o " + out.text());
        EXPECT_EQ(run.status, 0) << kind << "\n" << run.output;
        EXPECT_THAT(run.output, Not(HasSubstr("DIFFER"))) << kind;
    }
}

TEST(Program, RunsEveryQuantiserChunkKindTopologyAndIssue) {
    const Folder out;
    for (const char* setting :
         {"quantiser=max", "quantiser=per_tensor", "quantiser={kind: percentile, bits: 4, percentile: 99}",
          "quantiser={bits: 16, agreement: exact}", "chunks=equal", "chunks=predicted", "chunks=round_robin",
          "chunks=measured", "chunks=leader", "network.topology=ring", "network.topology=star",
          "collective.issue=dependency", "collective.slices=4", "iterations={first: 0, count: 8}",
          "iterations={first: 3, count: 2}", "ranks=2"}) {
        const auto run = oscar_sim(demo + " --set '" + std::string(setting) + "' -o " + out.text());
        EXPECT_EQ(run.status, 0) << setting << "\n" << run.output;
        EXPECT_THAT(run.output, Not(HasSubstr("DIFFER"))) << setting;
    }
}

TEST(Program, RunsEveryTopologyAndRouting) {
    const Folder out;
    const std::string graph =
        "{kind: graph, switches: 1, edges: [{from: rank0, to: switch0}, {from: rank1, to: switch0, bandwidth: "
        "10Gbps}]}";
    for (const char* setting :
         {"network.topology=mesh", "network.topology=fat_tree", "network.topology=leaf_spine",
          "network.topology=dragonfly", "network.topology=hierarchical",
          "network={topology: torus, virtual_channels: 2}",
          "network={topology: leaf_spine, routing: spray, overrides: [{node: switch3, propagation: 5us}]}"}) {
        const auto run =
            oscar_sim(demo + " --set 'methods=[fp32, asc]' --set '" + std::string(setting) + "' -o " + out.text());
        EXPECT_EQ(run.status, 0) << setting << "\n" << run.output;
        EXPECT_THAT(run.output, Not(HasSubstr("DIFFER"))) << setting;
    }
    const auto run = oscar_sim(demo + " --set ranks=2 --set network.topology='" + graph + "' -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
}

TEST(Program, TellsNoClosedFormWhereMessagesShareALink) {
    const Folder out;
    const auto form = [&](const std::string& topology) {
        oscar_sim(demo + " --set methods='[fp32]' --set network.topology='" + topology + "' -o " + out.text());
        return test::report_in(out.text())["methods"][0]["closed_form_ps"];
    };
    EXPECT_FALSE(form("{kind: leaf_spine, leaves: 2}").is_null());
    std::string crossing = "{kind: graph, switches: 2, edges: [{from: switch0, to: switch1}";
    for (int r = 0; r < 8; ++r)
        crossing += ", {from: rank" + std::to_string(r) + ", to: switch" + std::to_string(r % 2) + "}";
    EXPECT_TRUE(form(crossing + "]}").is_null());
}

TEST(Program, DrawsTopologies) {
    const auto drawn =
        oscar_sim("describe topology mesh --dot --ranks 6 --set rows=2 --set network.link.bandwidth=25Gbps");
    EXPECT_EQ(drawn.status, 0);
    EXPECT_THAT(drawn.output, AllOf(HasSubstr("label=\"links of 25Gbps\";"), HasSubstr("rank5->switch5 [dir=none]"),
                                    HasSubstr("switch0->switch3"), Not(HasSubstr("switch0->switch2"))));
    EXPECT_THAT(oscar_sim("describe topology " + demo.substr(4) + " --dot").output, HasSubstr("rank7->switch0"));
    EXPECT_THAT(oscar_sim("describe topology tors --dot").output, HasSubstr("(did you mean torus?)"));
    EXPECT_EQ(oscar_sim("describe topology --dot").status, 2);
    EXPECT_EQ(oscar_sim("describe codec asc --dot").status, 2);
}

TEST(Program, DrawsWhatGraphvizUnderstands) {
    if (std::system("command -v dot > /dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
    for (const char* kind : {"star", "ring", "mesh", "torus", "fat_tree", "leaf_spine", "dragonfly", "hierarchical"})
        EXPECT_EQ(std::system(
                      (OSCAR_SIM " describe topology " + std::string(kind) + " --dot | dot -Tsvg > /dev/null").c_str()),
                  0);
}

TEST(Program, DescribesParametersWithUnitDefaultAndRange) {
    const auto link = oscar_sim("describe link");
    EXPECT_EQ(link.status, 0);
    EXPECT_THAT(link.output, AllOf(HasSubstr("bandwidth"), HasSubstr("400Gbps"), HasSubstr("1Mbps to 10Tbps"),
                                   HasSubstr("time of flight")));
    EXPECT_THAT(oscar_sim("describe").output, AllOf(HasSubstr("codec"), HasSubstr("topology"), HasSubstr("engine")));
    EXPECT_THAT(oscar_sim("describe codec asc").output, AllOf(HasSubstr("history"), Not(HasSubstr("fixed_point"))));
    for (const char* family : {"experiment", "codec", "quantiser", "chunks", "collective", "topology", "network",
                               "link", "switch", "engine", "nic", "gpu"})
        EXPECT_EQ(oscar_sim("describe " + std::string(family)).status, 0) << family;
}

struct BadInput {
    std::string arguments, expected;
};
void PrintTo(const BadInput& bad, std::ostream* out) { *out << bad.arguments; }
class BadInputs : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreOneLineThatSaysWhereWhatAndHowAndStatus2) {
    const Folder out;
    const auto run = oscar_sim(GetParam().arguments + " -o " + (out / "results").string());
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_THAT(run.output, HasSubstr(GetParam().expected));
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
    EXPECT_FALSE(std::filesystem::exists(out / "results/report.json"));
}

INSTANTIATE_TEST_SUITE_P(
    Of, BadInputs,
    ::testing::Values(
        BadInput{"run nowhere.yaml", "nowhere.yaml"},
        BadInput{demo + " --set network.link.bandwith=1Gbps",
                 "no such parameter (did you mean bandwidth?); known: bandwidth, buffer, propagation"},
        BadInput{demo + " --set network.link.bandwidth=400", "lacks its unit (Mbps Gbps"},
        BadInput{demo + " --set network.link.propagation=-5ns", "network.link.propagation"},
        BadInput{demo + " --set engine.lanes=0", "engine.lanes"},
        BadInput{demo + " --set quantiser.bits=17", "2 to 16"},
        BadInput{demo + " --set layers=conv9*", "conv9*: no layer is called so"},
        BadInput{demo + " --set ranks=4 --set network.topology='{kind: star, nodes: 8}'",
                 "the topology has 8 nodes, the run 4 ranks"},
        BadInput{demo + " --set network.topology='{kind: mesh, rows: 4, columns: 4}'",
                 "network.topology: the topology has 16 nodes, the run 8 ranks; choose rows and columns"},
        BadInput{demo + " --set network.topology=torus",
                 "switch1->switch0, which waits for the first; set network.virtual_channels: 2"},
        BadInput{demo + " --set network.routing=dimension_order", "choose shortest or spray"},
        BadInput{demo + " --set network.overrides='[{link: \"rank9->switch0\", bandwidth: 10Gbps}]'",
                 "network.overrides.0.link: no link is chosen by 'rank9->switch0' (did you mean "},
        BadInput{demo + " --set network.overrides='[{node: rank8}]'", "no link is chosen by 'rank8' (did you"},
        BadInput{demo + " --set network.overrides='[{bandwidth: 10Gbps}]'", "names neither link nor node"},
        BadInput{demo + " --set fidelity=packet --set network.flow_control=pfc --set network.overrides='[{link: "
                        "\"rank3->switch0\", buffer: 6KiB}]'",
                 "network.flow_control: rank3->switch0: the buffer of 6144B is no larger than the headroom"},
        BadInput{demo + " --set fidelity=packet --set network.routing=spray --set network.reliability=go_back_n",
                 "network.routing: the packets of a sprayed flow overtake each other"},
        BadInput{demo + " --set fidelity=packet --set ranks=3 --set network.reliability=selective --set "
                        "network.topology='{kind: graph, edges: "
                        "[{from: rank0, to: rank1, one_way: true}, {from: rank1, to: rank2, one_way: true}, "
                        "{from: rank2, to: rank0, one_way: true}]}'",
                 "no path from rank 1 to rank 0, which answers of its receiver need"},
        BadInput{demo + " --set iterations.first=6", "positions 6 to 8 are wanted, but the trace has 0 to 7"},
        BadInput{demo + " --set trace=traces/none", "no such folder 'traces/none'"},
        BadInput{demo + " --set methods='[asc, asc]'", "two methods are named 'asc'"},
        BadInput{demo + " --set methods='[zip]'", "zip"}, BadInput{demo + " --set methods='[]'", "no method to run"},
        BadInput{demo + " --set fidelity=byte", "packet"},
        BadInput{demo + " --set collective.issue=lockstep", "lock_step"},
        BadInput{demo + " --set collective='{kind: ring_2d, rows: 3}'", "rows: 3 do not divide 8 ranks"},
        BadInput{demo + " --set collective='{kind: hierarchical, island: 5}'", "island: 5 does not divide 8 ranks"},
        BadInput{demo + " --set collective=in_network --set network.topology=ring",
                 "collective: in_network adds in switches, and this topology has none; choose star"},
        BadInput{demo + " --set collective='{kind: in_network, issue: lock_step, slices: 129}'",
                 "in lock_step a switch holds all 129 chunks at once, and has 128 slots"},
        BadInput{demo + " --set collective=in_network --set split=context --set classes=magnitude",
                 "of which a switch that decodes them holds only some; choose split: none"},
        BadInput{demo + " --set collective=reduce_scatter", "choose chunks: equal"}));

TEST(Program, SuggestsTheNearestFamilyAndKind) {
    const auto family = oscar_sim("describe lnk"), kind = oscar_sim("describe codec asd");
    EXPECT_EQ(family.status, 2);
    EXPECT_EQ(kind.status, 2);
    EXPECT_THAT(family.output, HasSubstr("no family 'lnk' (did you mean link?)"));
    EXPECT_THAT(kind.output, HasSubstr("no kind 'asd' (did you mean asc?)"));
}

TEST(Program, NamesFileLineAndColumnOfAnErrorInAFile) {
    const Folder out;
    std::ofstream(out / "bad.yaml")
        << "trace: traces/lenet-fmnist\nranks: 4\nnetwork:\n  link: {bandwidth: 400Gbps, propagation: 500}\n";
    const auto run = oscar_sim("run " + (out / "bad.yaml").string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output, HasSubstr("bad.yaml:4:43: network.link.propagation: '500' lacks its unit"));
}

TEST(Program, NamesTheArrayAndWhatIsWrongWithIt) {
    const Folder folder;
    const auto trace = trace_copy(folder);
    const auto fails_with = [&](const std::string& expected) {
        const auto run = oscar_sim(demo + " --set trace=" + trace.string() + " -o " + (folder / "results").string());
        EXPECT_EQ(run.status, 2) << run.output;
        EXPECT_THAT(run.output, AllOf(HasSubstr("iteration-00006.npy"), HasSubstr(expected)));
        EXPECT_FALSE(std::filesystem::exists(folder / "results/report.json"));
    };
    const auto array = trace / "iteration-00006.npy";
    const std::string good = test::text_of(array);
    const auto put = [&](const std::string& bytes) { std::ofstream(array, std::ios::binary) << bytes; };

    put(good.substr(0, good.size() - 1));
    fails_with("");
    put(good.substr(0, 50));
    fails_with("");
    std::string nan = good;
    nan.replace(good.size() - 4, 4, std::string("\0\0\xC0\x7F", 4));
    put(nan);
    fails_with("fc3.bias");
    std::string shape = good;
    shape.replace(shape.find("(8, "), 4, "(7, ");
    put(shape);
    fails_with("");
    std::filesystem::remove(array);
    fails_with("no such file");
}

TEST(Program, SaysThatTheResultsCannotBeWrittenBeforeItSimulates) {
    const Folder folder;
    std::ofstream(folder / "file") << "in the way";
    const auto run = oscar_sim(demo + " -o " + (folder / "file/results").string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output, HasSubstr("choose another folder with -o DIR"));
}

TEST(Program, LeavesAnOlderReportAloneWhenItFails) {
    const Folder folder;
    std::ofstream(folder / "report.json") << "older";
    EXPECT_EQ(oscar_sim(demo + livelock + " -o " + folder.text()).status, 3);
    EXPECT_EQ(test::text_of(folder / "report.json"), "older");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.text()), {}), 1);
}

TEST(Program, AnswersAWrongCommandLineWithStatus2) {
    EXPECT_EQ(oscar_sim("").status, 2);
    EXPECT_EQ(oscar_sim("run").status, 2);
    EXPECT_EQ(oscar_sim("fly").status, 2);
    EXPECT_EQ(oscar_sim("--help").status, 0);
    EXPECT_THAT(oscar_sim("--version").output, HasSubstr("0.1.0"));
}

}   // namespace
}   // namespace oscar::program_test

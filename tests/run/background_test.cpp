// network.background: traffic of other hosts, from the configuration to the report.
#include <gmock/gmock.h>

#include <cmath>

#include "sim/report/background_report.hpp"
#include "sim/report/statistics.hpp"
#include "sim/run/prepare.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::background_test {
namespace {

using ::testing::HasSubstr;

/// An experiment without values, whose network is on line 5.
struct File {
    explicit File(const std::string& network, const std::string& more = "")
        : path(folder.write("exp.yaml",
                            "payload: synthetic\nsize: 32KiB\nranks: 8\nmethods: [fp32, fixed_point]\nnetwork: " +
                                network + "\n" + more)) {}
    Experiment load(const std::vector<std::string>& overrides = {}) const { return load_experiment(path, overrides); }
    /// Of reading it and cabling its network.
    std::string error(const std::vector<std::string>& overrides = {}) const {
        return testing::error_of<ConfigError>(folder, [&] { prepare_topology(load(overrides)); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

std::string background(const std::string& more) { return "{background: {" + more + "}}"; }

TEST(BackgroundParams, AreRefusedWhereALoadOrARankIsNone) {
    EXPECT_EQ(File(background("load: 1")).error(),
              "exp.yaml:5:30: network.background.load: 1 is out of range; choose 0 to 0.999");
    EXPECT_THAT(File(background("load: -0.1")).error(), HasSubstr("network.background.load: -0.1 is out of range"));
    EXPECT_THAT(File(background("nodes: [3, 7-8]")).error(),
                HasSubstr("network.background.nodes.1: there is no rank 8; choose 0 to 7"));
    EXPECT_THAT(File(background("nodes: [3, 2-4]")).error(),
                HasSubstr("network.background.nodes.1: rank 3 was named before"));
    EXPECT_THAT(File(background("pattern: {kind: incast, to: 8}")).error(),
                HasSubstr("network.background.pattern: there is no rank 8; write to: 0 to 7"));
    EXPECT_THAT(File(background("pattern: incast, nodes: [0-2]")).error(),
                HasSubstr("network.background.nodes: all send to rank 0, which cannot; leave it out"));
    EXPECT_THAT(File(background("pattern: tornado")).error({"ranks=2"}),
                HasSubstr("network.background.pattern: a tornado of two ranks"));
    EXPECT_EQ(File(background("pattern: incast, nodes: [1-2, 7]")).error(), "no error");
}

TEST(BackgroundParams, AreRefusedWithAPatternOfRouters) {
    EXPECT_EQ(File(background("pattern: {kind: hotspot, node: 3}")).error(),
              "exp.yaml:5:33: network.background.pattern: hotspot is a pattern of routers, for `oscar-sim traffic`; "
              "choose one of ranks: uniform, permutation, incast, tornado");
}

TEST(BackgroundParams, AreRefusedWhereAMessageWouldHaveNoWay) {
    const File file("{topology: ring, background: {pattern: uniform}}");
    EXPECT_THAT(file.error(), HasSubstr("network.background.pattern: no path from rank 0 to rank 2 for its messages"));
    EXPECT_EQ(file.error({"network.background.load=0"}), "no error");
    EXPECT_EQ(file.error({"network.background.pattern={kind: incast, to: 3}", "network.background.nodes=[2, 4]"}),
              "no error");
}

TEST(BackgroundParams, CanBeSetWhereTheFileHasNone) {
    const Parameters p = File("{flit: 64B}").load({"network.background.load=0.5"}).parameters;
    EXPECT_EQ(p.network.background.value().load, 0.5);
    EXPECT_TRUE(has_background(p));
    EXPECT_FALSE(has_background(File("{flit: 64B}").load({"network.background.load=0"}).parameters));
    EXPECT_FALSE(has_background(File("{flit: 64B}").load().parameters));
}

TEST(Background, LeavesNoTraceWhereThereIsNone) {
    const Report report = run(File("{flit: 64B}").load(), test::ignore);
    EXPECT_FALSE(report.config["network"].contains("background"));
    EXPECT_FALSE(to_json(report)["methods"][0].contains("background"));
    EXPECT_EQ(test::unbroken_table(report).find("Background"), std::string::npos);
    EXPECT_TRUE(report.notes.size() == 1 && report.methods[0].closed_form_ps);
}

TEST(Background, IsInTheReportOfEachMethodBesideItsOwnBytes) {
    const Report report = run(File(background("load: 0.6, message: 2KiB")).load({"size=4MiB"}), test::ignore);
    const auto json = to_json(report);
    EXPECT_THAT(report.notes.back(), HasSubstr("uniform, messages of 2KiB, each sender offers 0.6 of its link"));
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("Background traffic, while the method runs"));
    EXPECT_EQ(json["config"]["network"]["background"]["load"], 0.6);
    for (const auto& method : json["methods"]) {
        EXPECT_TRUE(method["closed_form_ps"].is_null());
        const auto& b = method["background"];
        EXPECT_NEAR(b["offered_load"], 0.6, 3 * 0.6 / std::sqrt(b["offered_messages"].get<double>()));
        EXPECT_EQ(b["offered_bytes"], 2048 * b["offered_messages"].get<std::uint64_t>());
        EXPECT_EQ(b["delivered_bytes"], 2048 * b["delivered_messages"].get<std::uint64_t>());
        EXPECT_LE(b["delivered_messages"], b["offered_messages"]);
        EXPECT_LE(b["link_share"], b["largest_link_share"]);
        EXPECT_LE(b["mean_completion_ps"], b["p99_completion_ps"]);
    }
    // 14 timesteps of 8 ranks with messages of 512 KiB, packets of 4 KiB with 82 bytes of header
    EXPECT_EQ(report.methods[0].wire_bytes, 14u * 8 * 128 * (4096 + 82));
}

TEST(Background, LeavesTheSumsOfATraceExactAndLastsAsLongAsItsAllReduces) {
    const std::string slow = "ranks: 4\nmethods: [fp32, asc]\nnetwork: {link: {bandwidth: 1Gbps}";
    const test::Laboratory busy(slow + ", background: {load: 0.5, message: 500B}}\n");
    const Report report = busy.run();
    for (const MethodReport& method : report.methods) EXPECT_EQ(method.sums_match_reference, true);
    EXPECT_EQ(report.methods[0].iterations.size(), 2u);
    EXPECT_EQ(report.methods[0].background->duration.ps,
              report.methods[0].iterations[0].allreduce_ps + report.methods[0].iterations[1].allreduce_ps);
}

TEST(Background, MayBeBesideSeveralJobs) {
    const File file(background("load: 0.4, pattern: tornado"), "jobs: [{ranks: [0-3]}, {ranks: [4-7], start: 3us}]\n");
    const Report report = run(file.load({"size=1MiB"}), test::ignore);
    EXPECT_GT(report.methods[0].background->offered_messages, 0u);
    EXPECT_EQ(report.methods[0].jobs.size(), 2u);
}

BackgroundUse use_of(std::int64_t messages) {
    BackgroundUse use;
    use.offered_messages = static_cast<std::uint64_t>(messages) + 1;
    use.offered_bytes = 10 * use.offered_messages;
    use.delivered_bytes = 10 * static_cast<std::uint64_t>(messages);
    for (std::int64_t i = messages; i > 0; --i) use.completions.push_back(Time{i});
    use.needed = 300_ns;
    use.sending = 2'000_ns;
    use.duration = 1'000_ns;
    use.busy = {{EdgeId{3}, 100_ns}, {EdgeId{5}, 200_ns}};
    return use;
}

TEST(BackgroundReport, IsMadeOfWhatTheNetworkSaw) {
    const BackgroundReport report = summarise(use_of(200));
    EXPECT_EQ(report.offered_messages, 201u);
    EXPECT_EQ(report.delivered_messages, 200u);
    EXPECT_DOUBLE_EQ(report.offered_load, 0.15);
    EXPECT_DOUBLE_EQ(report.link_share, 0.15);   // of 0.1 and 0.2
    EXPECT_DOUBLE_EQ(report.largest_link_share, 0.2);
    EXPECT_EQ(report.mean_completion_ps, 100);   // of 1 to 200, rounded down
    EXPECT_EQ(report.p99_completion_ps, 198);
    EXPECT_EQ(summarise(use_of(1)).p99_completion_ps, 1);
    EXPECT_EQ(summarise(use_of(101)).p99_completion_ps, 100);   // 100 of 101 are more than 99 of 100
    EXPECT_EQ(summarise(BackgroundUse{}).mean_completion_ps, 0);
}

TEST(BackgroundReport, IsOfAllMessagesOfAllIterationsAndBuckets) {
    IterationResult first, second;
    first.allreduce_ps = second.allreduce_ps = 1;
    first.background = use_of(100);
    second.background = use_of(50);
    const std::vector<IterationResult> both{first, second};
    for (const auto& use : {summarise("m", both).background.value(), sum_of_buckets(both).background.value()}) {
        const BackgroundReport report = summarise(use);
        EXPECT_EQ(report.offered_messages, 101u + 51);
        EXPECT_EQ(report.offered_bytes, 1520u);
        EXPECT_EQ(report.delivered_bytes, 1500u);
        EXPECT_DOUBLE_EQ(report.offered_load, 0.15);
        EXPECT_DOUBLE_EQ(report.largest_link_share, 0.2);
        EXPECT_EQ(report.mean_completion_ps, (5050 + 1275) / 150);
    }
}

}   // namespace
}   // namespace oscar::background_test

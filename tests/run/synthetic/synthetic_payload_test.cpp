// payload: synthetic, an experiment without a trace.
#include <gmock/gmock.h>

#include "models/network/params/overrides.hpp"
#include "sim/config/load.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::synthetic_payload_test {
namespace {

using test::Laboratory;
using ::testing::HasSubstr;

const std::string synthetic = "payload: synthetic\nranks: 4\nmethods: [fp32, bf16, fixed_point]\n";

/// An experiment in a folder without a trace. A test runs one.
struct SyntheticFile {
    explicit SyntheticFile(const std::string& yaml) : path(folder.write("exp.yaml", yaml)) {}
    Experiment load(const std::vector<std::string>& overrides = {}) const { return load_experiment(path, overrides); }
    Report run() const { return oscar::run(load(), test::ignore); }
    std::string error(const std::vector<std::string>& overrides = {}) const {
        return testing::error_of<ConfigError>(folder, [&] { load(overrides); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

TEST(SyntheticPayload, ReportsNothingThatWouldNeedValues) {
    const auto report = to_json(SyntheticFile(synthetic + "size: 2400B\n").run());
    const auto& trace = report["trace"];
    EXPECT_EQ(trace["name"], "synthetic");
    EXPECT_TRUE(trace["hash"].is_null());
    EXPECT_EQ(trace["ranks"], 4);
    EXPECT_EQ(trace["elements"], 600);
    EXPECT_EQ(trace["iterations"], nlohmann::ordered_json::array());
    ASSERT_EQ(report["methods"].size(), 3u);
    for (const auto& method : report["methods"]) {
        for (const char* key : {"relative_l2_error", "cosine", "sums_match_reference"}) {
            EXPECT_TRUE(method[key].is_null()) << key;
            EXPECT_TRUE(method["iterations"][0][key].is_null()) << key;
        }
        EXPECT_TRUE(method["closed_form_ps"].is_number());
        EXPECT_EQ(method["values"], 600 / 4 * 4 * 6);   // a quarter a rank in each of 6 timesteps
    }
    EXPECT_EQ(report["methods"][0]["bits_per_value"], 32);
    EXPECT_EQ(report["methods"][1]["bits_per_value"], 16);
    EXPECT_THAT(report["notes"].dump(), HasSubstr("nothing was summed"));
}

/// A synthetic run of 640 values at 4 ranks by `collective`.
nlohmann::ordered_json synthetic_run_of(const std::string& collective) {
    return to_json(
        SyntheticFile(synthetic + "size: 2560B\ncollective: {kind: " + collective + "}\n").run())["methods"][0];
}

TEST(SyntheticPayload, CutsTheBucketInAsManyChunksAsTheCollectiveHas) {
    EXPECT_EQ(synthetic_run_of("all_to_all, slices: 2")["values"],
              4 * 3 * 640 / 16);   // all but the diagonal of 4 x 4 blocks
}

TEST(SyntheticPayload, BroadcastsAllOfTheBucket) { EXPECT_EQ(synthetic_run_of("broadcast")["values"], 3 * 640); }

/// Each rank's 600 values go up its link, and the sums come down.
TEST(SyntheticPayload, OfSwitchesThatAddGoesOnceUpAndOnceDownEachLink) {
    const SyntheticFile file(
        "payload: synthetic\nmethods: [fp32]\nsize: 2400B\nranks: 4\ncollective: {kind: in_network, slices: 7}\n");
    EXPECT_EQ(to_json(file.run())["methods"][0]["values"], 600 * 2 * 4);
}

TEST(SyntheticPayload, OfHalvingAndDoublingIsTheWholeGradientWhereNotAllRanksTakePart) {
    const SyntheticFile file(
        "payload: synthetic\nmethods: [fp32]\nsize: 2400B\nranks: 3\ncollective: halving_doubling\n");
    // The third rank's gradient there and back; and of two ranks' halves each one there and one back.
    EXPECT_EQ(to_json(file.run())["methods"][0]["values"], 600 * 2 + 300 * 2 * 2);
}

class OfMoreThanLinks : public ::testing::TestWithParam<const char*> {};
TEST_P(OfMoreThanLinks, HasNoClosedForm) {
    const auto report = to_json(SyntheticFile(synthetic + "size: 2400B\n" + GetParam() + "\n").run());
    EXPECT_TRUE(report["methods"][0]["closed_form_ps"].is_null());
}
INSTANTIATE_TEST_SUITE_P(SyntheticPayload, OfMoreThanLinks,
                         ::testing::Values("network: {background: {load: 0.2}}",
                                           "network: {flow_control: pfc, link: {buffer: 64KiB}}",
                                           "network: {reliability: go_back_n, loss: {rate: 0.001}}"));

TEST(SyntheticPayload, IsNoDefectAndShowsDashesInTheTable) {
    const Report report = SyntheticFile(synthetic + "size: 2400B\n").run();
    EXPECT_EQ(find_report_problem(report), std::nullopt);
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("no trace, 600 values, 4 ranks"));
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("NOTE: payload synthetic: neither values nor bytes"));
    EXPECT_THAT(test::unbroken_table(report), ::testing::Not(HasSubstr("DIFFER")));
}

TEST(SyntheticPayload, EchoesAConfigurationThatCanBeRunAgain) {
    const SyntheticFile file(synthetic + "size: 2400B\n");
    const std::string echo = file.run().config.dump();
    const Parameters again = make_experiment(parse_config(echo, "echo"), file.path).parameters;
    EXPECT_EQ(again.size, 2400_B);
    EXPECT_EQ(again.payload, Payload::synthetic);
    EXPECT_TRUE(again.trace.empty());
}

/// The figures that a trace of as many values must have in common with none.
void expect_same_times(const MethodReport& a, const MethodReport& b) {
    EXPECT_EQ(a.allreduce_ps, b.allreduce_ps);
    EXPECT_EQ(a.closed_form_ps, b.closed_form_ps);
    EXPECT_EQ(a.scale_exchange_ps, b.scale_exchange_ps);
    EXPECT_EQ(a.gpu_kernel_ps, b.gpu_kernel_ps);
    EXPECT_EQ(a.payload_bytes, b.payload_bytes);
    EXPECT_EQ(a.wire_bytes, b.wire_bytes);
    EXPECT_EQ(a.values, b.values);
    EXPECT_EQ(a.critical_path, b.critical_path);
    EXPECT_EQ(std::tie(a.codec_ps, a.wire_ps, a.wait_ps), std::tie(b.codec_ps, b.wire_ps, b.wait_ps));
    EXPECT_EQ(a.idle_wait_share, b.idle_wait_share);
    EXPECT_EQ(a.imbalance, b.imbalance);
}

TEST(SyntheticPayload, TakesTheTimesOfAnIterationOfATraceOfAsManyValues) {
    const std::string common =
        "ranks: 4\nmethods: [fp32, bf16, fixed_point]\nquantiser: {kind: max, agreement: exact}\n"
        "collective: {issue: dependency}\ngpu: {gradients: codes}\n";
    const Parameters p = SyntheticFile("payload: synthetic\nsize: 2400B\n" + common).load().parameters;   // 600 values
    const Topology topology = make_topology(p.network, p.ranks);
    const Routes routes(topology, p.network.routing, p.network.virtual_channels);
    oscar::Machine system("synthetic", topology, {p.gpu, p.nic, p.engine}, p.network);   // before the kernel runs
    const Report traced = Laboratory(common + "iterations: {first: 1, count: 1}\n").run();
    for (std::size_t m = 0; m < p.methods.size(); ++m) {
        SCOPED_TRACE(p.methods[m].name);
        const IterationResult result = run_synthetic(p, p.methods[m], routes, system);
        expect_same_times(summarise(p.methods[m].name, {result}), traced.methods[m]);
    }
}

TEST(SyntheticPayload, CarriesOnEachStepAChunkOfTheScheduleInEveryCollective) {
    Parameters p =
        SyntheticFile(synthetic + "size: 3840B\n").load().parameters;   // 960 values: 1 to 32 chunks of equal size
    const Topology topology = make_topology(p.network, p.ranks);
    const Routes routes(topology, p.network.routing, p.network.virtual_channels);
    oscar::Machine system("synthetic", topology, {p.gpu, p.nic, p.engine}, p.network);
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if (std::same_as<P, FlowsParams>) return;   // each has a size of its own
        for (const std::uint32_t slices : {1u, 2u}) {
            SCOPED_TRACE(std::string(kind.name) + ", " + std::to_string(slices) + " slices");
            P params;
            params.slices = slices;
            p.collective = params;
            const Schedule schedule = make_schedule(p.collective, p.ranks);
            const IterationResult result = run_synthetic(p, p.methods[0], routes, system);
            EXPECT_EQ(result.values, schedule.steps.size() * (960 / schedule.chunks));
            EXPECT_EQ(result.payload_bytes, 4 * result.values);
        }
    });
}

TEST(SyntheticPayload, RefusesMethodsWhoseSizesDependOnValues) {
    EXPECT_EQ(
        SyntheticFile("payload: synthetic\nsize: 1MiB\nmethods: [fp32, asc]\n").error(),
        "exp.yaml:3:17: methods.1: asc makes messages whose size depends on their values, of which payload synthetic "
        "has none; choose among fp32, bf16, fp8, fixed_point, or payload: size_only with a trace");
    EXPECT_THAT(SyntheticFile("payload: synthetic\nsize: 1MiB\n").error(),
                HasSubstr("atalanta makes messages"));   // a default
}

TEST(SyntheticPayload, RefusesWhatNeedsATrace) {
    const SyntheticFile file(synthetic + "size: 1MiB\n");
    for (const char* setting : {"trace=t", "iterations={first: 0, count: 1}", "layers=conv*", "bucket={index: 0}"})
        EXPECT_THAT(file.error({setting}),
                    HasSubstr("payload synthetic carries no values and has no trace; leave it out"))
            << setting;
    EXPECT_THAT(file.error({"step={backward: 1ms}"}),
                HasSubstr("no trace to cut into buckets; give them, like given: ["));
    EXPECT_EQ(
        SyntheticFile(synthetic + "size: 1MiB\ntrace: t\n").error(),
        "exp.yaml:5:8: trace: payload synthetic carries no values and has no trace; leave it out, and say how big a "
        "gradient is, like size: 64MiB");
}

TEST(SyntheticPayload, WantsASizeOfWholeValuesAndNobodyElseOne) {
    EXPECT_THAT(SyntheticFile(synthetic).error(),
                HasSubstr("size: is missing; payload synthetic needs the size of a gradient, like size: 64MiB"));
    EXPECT_THAT(SyntheticFile(synthetic + "size: 6B\n").error(),
                HasSubstr("exp.yaml:4:7: size: is no whole number of fp32 values"));
    EXPECT_THAT(SyntheticFile(synthetic + "size: 5GiB\n").error(), HasSubstr("out of range"));
    EXPECT_THAT(SyntheticFile("trace: t\nsize: 1MiB\n").error(), HasSubstr("exp.yaml:2:7: size: a trace has its own"));
}

TEST(SyntheticPayload, StillWantsAWayForEveryFlow) {
    const SyntheticFile file(synthetic + "size: 1MiB\nnetwork: {topology: {kind: ring, nodes: 5}}\n");
    EXPECT_THAT(testing::error_of<ConfigError>(file.folder, [&] { check(file.load()); }),
                HasSubstr("network.topology"));
}

}   // namespace
}   // namespace oscar::synthetic_payload_test

#include "sim/checks/load_experiment.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "models/predict/roofline.hpp"
#include "sim/checks/trace.hpp"
#include "sim/config/find.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/describe/echo.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::load_experiment_test {
namespace {

using ::testing::HasSubstr;

/// exp.yaml of a folder of its own.
class File {
public:
    explicit File(std::string_view yaml) : path_(folder_.write("exp.yaml", yaml)) {}
    Experiment load(const std::vector<std::string>& overrides = {}) const { return load_experiment(path_, overrides); }
    std::string error(const std::vector<std::string>& overrides = {}) const {
        return testing::error_of<ConfigError>(folder_, [&] { load(overrides); });
    }

private:
    testing::TemporaryFolder folder_;
    std::filesystem::path path_;
};

TEST(LoadExperiment, NamesTheExperimentAfterItsFileUnlessItHasAName) {
    EXPECT_EQ(File("trace: t").load().parameters.experiment, "exp");
    EXPECT_EQ(File("{trace: t, experiment: mine}").load().parameters.experiment, "mine");
    EXPECT_EQ(File("trace: t").load({"experiment=set"}).parameters.experiment, "set");
}

TEST(LoadExperiment, ComparesTheCodecsOfTheMainJobByDefault) {
    std::vector<std::string> defaults;
    for (const Method& method : File("trace: t").load().parameters.methods) {
        defaults.push_back(method.name);
        EXPECT_EQ(method.codec.name(), method.name);
    }
    EXPECT_EQ(defaults, (std::vector<std::string>{"fp32", "fixed_point", "atalanta", "asc"}));
}

TEST(LoadExperiment, AppliesOverridesInTheirOrder) {
    const Parameters p = File("{trace: t, ranks: 4, chunks: equal}")
                             .load({"ranks=5", "chunks=predicted", "chunks.granularity=7", "ranks=6",
                                    "methods=[asc, {kind: asc, name: b}]"})
                             .parameters;
    EXPECT_EQ(p.ranks, 6u);
    EXPECT_EQ(std::get<PredictedParams>(p.chunks.params).granularity, 7u);
    EXPECT_EQ(p.methods.at(1).name, "b");
}

TEST(LoadExperiment, WantsATrace) {
    EXPECT_THAT(File("ranks: 4").error(), HasSubstr("trace: is missing"));
    EXPECT_EQ(File("ranks: 4").load({"trace=t"}).parameters.trace, "t");
}

TEST(LoadExperiment, RefusesNamesOfMethodsThatTerminalsOrSpreadsheetsWouldTakeForMore) {
    const auto error = [](const std::string& name) {
        return File("trace: t\nmethods:\n  - {kind: asc, name: \"" + name + "\"}\n").error();
    };
    EXPECT_EQ(
        error("=1+1"),
        "exp.yaml:3:23: methods.0.name: '=1+1' cannot name a method; write at most 100 characters, none of them a "
        "control character, which begin with none of = + - @ and blank");
    for (const char* bad : {"+1", "-1", "@a", " a", "a\\e[31m"})
        EXPECT_THAT(error(bad), HasSubstr("cannot name a method")) << bad;
    EXPECT_THAT(error(std::string(101, 'x')), HasSubstr("cannot name a method"));
    for (const std::string& good : {std::string(100, 'x'), std::string("a = b @ c - d + e"), std::string("\xc3\xa9")})
        EXPECT_EQ(error(good), "no error") << good;
}

TEST(LoadExperiment, RefusesMethodsThatAreNoneOrShareAName) {
    EXPECT_EQ(File("trace: t\nmethods: []\n").error(),
              "exp.yaml:2:10: methods: no method to run; write it like [fp32, asc]");
    EXPECT_EQ(File("trace: t\nmethods: [atalanta, fp32, {kind: atalanta, table: inline}]\n").error(),
              "exp.yaml:2:10: methods: two methods are named 'atalanta'; tell them apart with name:, like {kind: "
              "atalanta, name: atalanta-2}");
    EXPECT_THAT(File("{trace: t, methods: [asc]}").error({"methods=[asc, {kind: fp32, name: asc}]"}),
                HasSubstr("--set methods="));
    EXPECT_EQ(File("{trace: t, methods: [asc, {kind: asc, name: asc-2}]}").error(), "no error");
}

TEST(LoadExperiment, RefusesNamesThatSteerATerminalOrAreFormulas) {
    const auto error = [](const std::string& name) {
        return File("trace: t\nmethods: [fp32, {kind: asc, name: " + name + "}]\n").error();
    };
    const std::string remedy =
        " cannot name a method; write at most 100 characters, none of them a control character, which begin with none "
        "of = + "
        "- @ and blank";
    EXPECT_EQ(error("\"a\\e[2Jb\""), "exp.yaml:2:35: methods.1.name: 'a\\x1b[2Jb'" + remedy);
    EXPECT_EQ(error("\"=cmd|' /c calc'!A1\""), "exp.yaml:2:35: methods.1.name: '=cmd|' /c calc'!A1'" + remedy);
    for (const char* name : {"\"\\u009bx\"", "\"a\\nb\"", "'+1'", "'-1'", "'@x'", "' a'"})
        EXPECT_THAT(error(name), HasSubstr(remedy)) << name;
    EXPECT_THAT(error(std::string(101, 'n')), HasSubstr(remedy));
    for (const std::string name : {"a=b", "1.5-bit", "\"gr\\u00fcn, fast\"", "50 %", "a@b"})
        EXPECT_EQ(error(name), "no error") << name;
}

TEST(LoadExperiment, ReadsLossyCompressorsAsMethodsAndTellsWhereTheyBelong) {
    EXPECT_EQ(File("trace: t\ncompressor: top_k\n").error(),
              "exp.yaml:2:1: compressor: is of trainings; here a lossy compressor is a method, like methods: [{kind: "
              "top_k}]");
    EXPECT_THAT(File("trace: t\nmethods: [topk]\n").error(), HasSubstr("'topk' is not known"));
    EXPECT_THAT(File("trace: t\nmethods: [{kind: power_sgd, rang: 2}]\n").error(),
                HasSubstr("exp.yaml:2:29: methods.0.rang: no such parameter (did you mean rank?)"));
    EXPECT_THAT(File("trace: t\nmethods: [{kind: top_k, split: context}]\n").error(),
                HasSubstr("methods.0.split: no such parameter"));
    EXPECT_THAT(File("trace: t\nmethods: [{kind: top_k, codec: top_k}]\n").error(), HasSubstr("'top_k' is not known"));
}

TEST(LoadExperiment, ListsBaseAmongItsKeysAndTakesItFromFilesOnly) {
    EXPECT_THAT(File("trace: t\nbasse: x\n").error(),
                HasSubstr("basse: no such parameter (did you mean base?); known: base, "));
    EXPECT_EQ(File("trace: t\n").error({"base=demo"}),
              "--set base=demo: base: is read before values are set; write it into the file, like base: demo");
}

TEST(LoadExperiment, TellsAPartFromAnExperimentWithoutATrace) {
    EXPECT_EQ(File("ranks: 4\n").error(),
              "exp.yaml:1:1: trace: is missing; write trace: FOLDER, like trace: lenet-fmnist");
    EXPECT_THAT(
        testing::error_of<ConfigError>(testing::TemporaryFolder(),
                                       [] { load_experiment("configs/parts/h100-sxm.yaml", {}); }),
        HasSubstr(
            "trace: is missing, for the file is a part or a machine; an experiment takes it by base: [h100-sxm] beside "
            "its trace"));
}

/// What a key `trace` of an experiment that lies in `folder` leads to: an error, or the folder.
std::string trace_found(const testing::TemporaryFolder& folder, const std::string& trace) {
    const auto file = folder.write("exp.yaml", "seed: 1\ntrace: " + trace + "\n");
    std::string found;
    const std::string error =
        testing::error_of<ConfigError>(folder, [&] { found = find_trace(load_experiment(file, {})); });
    return error == "no error" ? found : error;
}

TEST(FindTraceOfAnExperiment, TakesAShippedOneByNameAndSaysWhereTheKeyIsWhereNoneIsFound) {
    const testing::TemporaryFolder folder;
    for (const char* name : {"empty", "lstm-kjv"}) std::filesystem::create_directories(folder.path() / name);
    folder.write("grads.npz", "PK");
    EXPECT_EQ(trace_found(folder, "lenet-fmnist"), "traces/lenet-fmnist");
    EXPECT_EQ(trace_found(folder, "lstm-kjv"), "traces/lstm-kjv");   // not misled by the empty folder beside the file
    EXPECT_THAT(trace_found(folder, "traces/lenet-fminst"),
                ::testing::StartsWith("exp.yaml:2:8: trace: no such folder 'traces/lenet-fminst' (did you mean "
                                      "traces/lenet-fmnist?), here, beside the configuration"));
    EXPECT_THAT(
        trace_found(folder, "README.md"),
        HasSubstr("exp.yaml:2:8: trace: 'README.md' is no folder; name one with a trace.yaml, which oscar-sim trace "
                  "convert makes"));
    EXPECT_THAT(trace_found(folder, "docs"),
                HasSubstr("exp.yaml:2:8: trace: 'docs' holds no trace.yaml; name the folder"));
    EXPECT_THAT(trace_found(folder, (folder.path() / "grads.npz").string()), HasSubstr("is no folder; name one"));
}

TEST(LoadExperiment, BuildsOnItsBasesAndAppliesOverridesLast) {
    const testing::TemporaryFolder folder;
    folder.write("machine.yaml", "trace: t\nranks: 4\nengine: {lanes: 8, blocks: 2}\n");
    const auto file = folder.write("exp.yaml", "base: machine.yaml\nengine: {lanes: 16}\n");
    const Parameters p = load_experiment(file, {"ranks=5"}).parameters;
    EXPECT_EQ(p.experiment, "exp");
    EXPECT_EQ(p.ranks, 5U);
    EXPECT_EQ(p.engine.lanes, 16U);
    EXPECT_EQ(p.engine.blocks, 2U);
}

TEST(LoadExperiment, TakesEachShippedPartByItsNameAndEachSaysSomething) {
    const auto resolved = [](const File& file) {
        nlohmann::ordered_json config = to_json(file.load().parameters);
        config.erase("experiment");
        return config;
    };
    // What no part says, so that each changes something.
    const std::string other = "gpu: {dma_bandwidth: 1Gbps}\nnetwork: {link: {bandwidth: 1Gbps}}\nengine: {lanes: 1}\n";
    const testing::TemporaryFolder folder;
    const std::string below = folder.write("other.yaml", other + "trace: t\n").string();
    std::size_t parts = 0;
    for (const std::string_view kind : folders_of_parts)
        for (const std::string& name : names_of_bases(kind)) {
            EXPECT_NE(resolved(File("base: [" + below + ", " + name + "]")), resolved(File("base: " + below))) << name;
            ++parts;
        }
    EXPECT_GT(parts, 35U);
}

/// In Gbit/s, rounded: 256 bytes of payload go with 24 of framing, header and CRC, or in flits of 256 bytes, 236 of
/// which are of packets, with 16 of header.
TEST(LoadExperiment, HasPartsOfPciExpressBeforeAndNetOfTheHeadersOfItsPackets) {
    const auto rate = [](const std::string& part) {
        return File("base: " + part + "\ntrace: t\n").load().parameters.gpu.dma_bandwidth;
    };
    const auto rounded = [](double gbps) { return Bandwidth{static_cast<std::uint64_t>(std::lround(gbps)) * 1000}; };
    EXPECT_EQ(rate("pcie4-x16-raw"), rounded(16.0 * 16 * 128 / 130));   // GT/s, lanes, 128b/130b
    EXPECT_EQ(rate("pcie5-x16-raw"), rounded(32.0 * 16 * 128 / 130));
    EXPECT_EQ(rate("pcie6-x16-raw"), rounded(64.0 * 16));
    EXPECT_EQ(rate("pcie4-x16"), rounded(16.0 * 16 * 128 / 130 * 256 / 280));
    EXPECT_EQ(rate("pcie5-x16"), rounded(32.0 * 16 * 128 / 130 * 256 / 280));
    EXPECT_EQ(rate("pcie6-x16"), rounded(64.0 * 16 * 236 / 256 * 256 / 272));
    EXPECT_EQ(GpuParams{}.dma_bandwidth, rate("pcie5-x16"));
    EXPECT_EQ(RooflineParams{}.dma_bandwidth, rate("pcie5-x16"));
}

TEST(LoadExperiment, BlamesTheBaseForWhatItSays) {
    const testing::TemporaryFolder folder;
    folder.write("machine.yaml", "trace: t\nranks: 1\n");
    const auto file = folder.write("exp.yaml", "base: machine.yaml\n");
    EXPECT_EQ(testing::error_of<ConfigError>(folder, [&] { load_experiment(file, {}); }),
              "machine.yaml:2:8: ranks: 1 is out of range; choose 2 to 65536");
}

TEST(LoadExperiment, RefusesWhatIsOutOfRange) {
    EXPECT_EQ(File("trace: t\nranks: 1\n").error(), "exp.yaml:2:8: ranks: 1 is out of range; choose 2 to 65536");
    EXPECT_THAT(File("trace: t\niterations: {first: 0, count: 0}\n").error(),
                HasSubstr("exp.yaml:2:31: iterations.count: 0"));
    EXPECT_THAT(File("trace: t\nstart_jitter: 5\n").error(), HasSubstr("lacks its unit"));
    EXPECT_THAT(File("trace: t\nquantiser: {kind: max, bits: 17}\n").error(), HasSubstr("choose 2 to 16"));
}

TEST(LoadExperiment, GoesThroughJsonAndBackUnchangedWithAStep) {
    const std::string step =
        "{buckets: {size: 3MiB, first: 5KiB}, overlap: false, forward: 1us, backward: 2us, "
        "optimiser: 3us}";
    const Parameters p = File("trace: t\nstep: " + step).load().parameters;
    Parameters again;
    read(parse_config(to_json(p).dump(), "echo"), again);
    EXPECT_EQ(to_json(again), to_json(p));
    EXPECT_EQ(
        to_json(p)["step"].dump(),
        R"({"strategy":"ddp","buckets":{"size":"3MiB","first":"5KiB"},"overlap":false,"forward":"1us",)"
        R"("backward":"2us","optimiser":"3us","group":0,"prefetch":1,"reshard":true,"parameters":"fp32","given":[],"reuse":true})");
}

TEST(LoadExperiment, GoesThroughJsonAndBackUnchangedWithAShardedStep) {
    const Parameters p = File(
                             "trace: t\ncollective: reduce_scatter\n"
                             "step: {strategy: fsdp, prefetch: 3, reshard: false, parameters: bf16}")
                             .load()
                             .parameters;
    Parameters again;
    read(parse_config(to_json(p).dump(), "echo"), again);
    EXPECT_EQ(to_json(again), to_json(p));
    const auto step = to_json(again)["step"], defaults = to_json(StepParams{});
    for (const char* key : {"strategy", "prefetch", "reshard", "parameters"})
        EXPECT_NE(step[key], defaults[key]) << key;
    EXPECT_EQ(step["parameters"], "bf16");
}

TEST(LoadExperiment, GoesThroughJsonAndBackUnchanged) {
    const Parameters p = File(R"(trace: t
experiment: e
iterations: {first: 3, count: 9}
layers: conv*,fc*
bucket: {size: 3MiB, index: 2}
ranks: 5
quantiser: {kind: percentile, bits: 6, percentile: 97.3, margin: 1.25, agreement: exact}
payload: size_only
collective: {kind: ring, issue: dependency, slices: 3, channels: 4, channel_order: rotated, in_flight: 2, all_gather_direction: reverse}
chunks: {kind: round_robin, block: 77}
split: two_coders
classes: {kind: mixed, block: 3}
delta_gather: true
methods: [asc, {kind: atalanta, table: inline, name: n, chunks: {kind: predicted, fallback: false}, split: context, classes: layer, delta_gather: false}]
engine: {lanes: 3, clock: 1234MHz, table_update: 17, learning: exposed}
gpu: {dma_latency: 11ns, launch: 5us, gradients: codes, kernel_latency: 2us, memory_bandwidth: 16Tbps, memory_efficiency: 0.75, kernels: slice, scan_passes: 1, plan_passes: 3, planning: exposed}
nic: {adders: 5}
nodes: [{ranks: [1, 3-4], gpu: {dma_latency: 2ns}, nic: {latency: 1ns}, engine: {clock: 9MHz}, start_delay: 1us}]
network: {topology: {kind: ring, nodes: 5}, link: {bandwidth: 25Gbps, buffer: 65KiB}, switch: {architecture: {kind: input_queued, vcs: 3, vc_flits: 5, reuse: when_sent, vc_alloc_iterations: 2, sw_alloc_iterations: 3, input_speedup: 2, routing_delay: 1, vc_alloc_delay: 2, sw_alloc_delay: 3, credit_delay: 4}, latency: 7ps, aggregator: {adders: 3, latency: 5, slots: 9, clock: 2GHz}}, flit: 3B, background: {load: 0.25, pattern: {kind: incast, to: 2}, message: 3KiB, nodes: [0, 3-4], seed: 9}}
start_jitter: 13us
folding: never
seed: 18446744073709551615
)")
                             .load()
                             .parameters;
    Parameters again;
    read(parse_config(to_json(p).dump(), "echo"), again);
    EXPECT_EQ(to_json(again), to_json(p));
    EXPECT_EQ(again.seed, p.seed);
    EXPECT_EQ(again.start_jitter.ps, 13'000'000);
    const auto routers = to_json(p.network.switches.architecture),
               shallow = to_json(SwitchArchitecture{InputQueuedParams{}});
    for (const auto& [key, value] : shallow.items())
        if (key != "kind") {
            EXPECT_NE(routers[key], value) << key;
        }
    const auto defaults = to_json(Parameters{});
    for (const auto& [key, value] : defaults.items())   // no key of the file was left at its default
        if (key != "fidelity" && key != "step" && key != "size" && key != "jobs" && key != "tuner" &&
            key != "waveform" && key != "timeline" && key != "timeline_window" &&
            key != "scale") {   // no step with a bucket or start_jitter; no size, jobs and tuner
                                // with a trace; no waveform and timeline; no scale beside nodes and routers
            EXPECT_NE(to_json(p)[key], value) << key;
        }
}

}   // namespace
}   // namespace oscar::load_experiment_test

#include "sim/checks/load.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "models/predict/roofline.hpp"
#include "sim/config/echo.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar {
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
    for (const auto& file : std::filesystem::directory_iterator("configs/parts")) {
        const std::string name = file.path().stem().string();
        EXPECT_NE(resolved(File("base: [" + below + ", " + name + "]")), resolved(File("base: " + below))) << name;
        ++parts;
    }
    EXPECT_GT(parts, 8U);
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
              "machine.yaml:2:8: ranks: 1 is out of range; choose 2 to 4096");
}

TEST(LoadExperiment, RefusesWhatIsOutOfRange) {
    EXPECT_EQ(File("trace: t\nranks: 1\n").error(), "exp.yaml:2:8: ranks: 1 is out of range; choose 2 to 4096");
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
    EXPECT_EQ(to_json(p)["step"].dump(),
              R"({"strategy":"ddp","buckets":{"size":"3MiB","first":"5KiB"},"overlap":false,"forward":"1us",)"
              R"("backward":"2us","optimiser":"3us","prefetch":1,"reshard":true,"parameters":"fp32"})");
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
            key != "waveform" && key != "scale") {   // no step with a bucket or start_jitter; no size, jobs and tuner
                                                     // with a trace; no waveform; no scale beside nodes and routers
            EXPECT_NE(to_json(p)[key], value) << key;
        }
}

}   // namespace
}   // namespace oscar

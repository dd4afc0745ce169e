// collective: nccl: what is chosen on a machine, what it sends, how long it takes, and what is refused.
#include "sim/parameters/nccl.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/run/synthetic/machines.hpp"

namespace oscar::nccl_run_test {
namespace {

using test::SyntheticFile;
using ::testing::HasSubstr;
using Json = SyntheticFile::Json;

const std::string staged = "nic: {message_latency: 6700ns}\n";

/// Eight nodes of one GPU, whose way from GPU to GPU takes 2.9 us beside the message's cost: DMA 0.7 at both ends, NICs
/// 0.1, cables 0.5, a switch 0.3.
SyntheticFile single_gpus(const std::string& collective) {
    return SyntheticFile("ranks: 8\nmethods: [fp32]\nfidelity: message\ncollective: " + collective +
                         "\ngpu: {staging: gpu}\n" + staged);
}

/// Four nodes of four GPUs with a NIC each.
const std::string nodes_yaml =
    "ranks: 16\nfidelity: message\ncollective: nccl\n"
    "gpu: {staging: gpu, gradients: codes, island_port: {bandwidth: 2960Gbps, latency: 2900ns}}\n"
    "network: {topology: {kind: hierarchical, island: 4, rails: false, island_link: {bandwidth: 2960Gbps}}}\n" +
    staged;
SyntheticFile nodes() { return SyntheticFile(nodes_yaml + "methods: [fp32]\n"); }

const NcclCollectiveParams chosen(const SyntheticFile& file, const std::vector<std::string>& changes) {
    return *nccl_in(file.load(changes).parameters);
}

std::string name_of(const NcclCollectiveParams& nccl) {
    return std::string(to_text(*nccl.algorithm)) + "/" + std::string(to_text(*nccl.protocol));
}

double microseconds_of(const Json& report) { return report["methods"][0]["allreduce_ps"].get<double>() / 1e6; }

TEST(NcclRun, SeesNodesAndTheRateOfTheirNicsWithoutHeaders) {
    const NcclParams four = tuner_of(nodes().load({"size=1MiB"}).parameters);
    EXPECT_EQ(four.ranks_per_node, 4u);
    EXPECT_EQ(four.bandwidth.mbps, 4 * (400'000ull * 4096 / 4178));   // slower than 2960 * 4096 / 4178 inside
    EXPECT_TRUE(four.network_ll128);
    const NcclParams shared = tuner_of(nodes().load({"size=1MiB", "network.topology.gpus_per_nic=2"}).parameters);
    EXPECT_EQ(shared.bandwidth.mbps, 2 * (400'000ull * 4096 / 4178));
    const NcclParams one = tuner_of(nodes().load({"size=1MiB", "ranks=4"}).parameters);
    EXPECT_EQ(one.bandwidth.mbps, 2'960'000ull * 4096 / 4178);
    const NcclParams scaled = tuner_of(nodes().load({"size=1MiB", "scale=4"}).parameters);
    EXPECT_NEAR(static_cast<double>(scaled.bandwidth.mbps), static_cast<double>(four.bandwidth.mbps), 6000);   // header
    EXPECT_EQ(tuner_of(single_gpus("nccl").load({"size=1MiB"}).parameters).ranks_per_node, 1u);
}

/// The candidates of four nodes of four, B = 196 GB/s, in us (NCCL 2.28):
///   tree/LL     6.8 + 2 (3 * 0.6 + 2 * 5) + 2 size / 20.4 GB/s / correction
///   tree/LL128  14 + 2 (3 * 1.25 + 2 * 8.5) + 2 size / (0.8625 B) / correction; ring/Simple 1.4 (8.4 + 24 * 3.4 + 6 *
///   14) + 1.875 size / B.
/// 64 KiB: LL 30.4 + 10.7 = 41.1 (0.6), LL128 55.5 + 1.3 (0.6); 256 MiB: LL128 55.5 + 3175, ring 243.6 + 2566.
TEST(NcclRun, ChoosesByTheBytes) {
    const SyntheticFile file = nodes();
    EXPECT_EQ(name_of(chosen(file, {"size=64KiB"})), "tree/LL");
    EXPECT_EQ(name_of(chosen(file, {"size=1MiB"})), "tree/LL128");
    EXPECT_EQ(name_of(chosen(file, {"size=256MiB"})), "ring/Simple");
    EXPECT_EQ(name_of(chosen(file, {"size=256MiB", "collective.algorithm=tree"})), "tree/LL128");
    EXPECT_EQ(name_of(chosen(file, {"size=1MiB", "collective.protocol=Simple", "collective.algorithm=ring"})),
              "ring/Simple");
}

/// Of 512 KiB bf16 sends a half.
TEST(NcclRun, ChoosesForTheBytesOfTheWidestMethod) {
    const auto bytes = [](const std::string& methods) {
        return chosen(SyntheticFile(nodes_yaml + "methods: " + methods + "\n"), {"size=512KiB"}).bytes;
    };
    EXPECT_EQ(bytes("[bf16]"), 256_KiB);
    EXPECT_EQ(bytes("[bf16, fp32]"), 512_KiB);
    EXPECT_EQ(chosen(nodes(), {"size=512KiB", "scale=4"}).bytes, 2_MiB);
}

TEST(NcclRun, TakesAChannelForEachNicAndTheChunksOfNcclAsSlices) {
    const SyntheticFile file = nodes();
    const auto tree = chosen(file, {"size=8MiB", "collective.algorithm=tree"});
    EXPECT_EQ(tree.channels, 4u);
    EXPECT_EQ(tree.channel_order, ChannelOrder::rotated);
    EXPECT_EQ(tree.issue, Issue::dependency);
    // A tree of a channel has 1 MiB and 3 + 2 levels: of chunks of 128 KiB 8 < 4 * 5, so 64 KiB.
    EXPECT_EQ(tree.slices, 16u);
    EXPECT_EQ(chosen(file, {"size=32KiB", "collective.algorithm=tree"}).slices, 1u);   // of 4 KiB
    EXPECT_EQ(chosen(file, {"size=1GiB", "collective.algorithm=tree"}).slices, 64u);   // the most, of 256
    EXPECT_EQ(chosen(file, {"size=8MiB", "collective.algorithm=ring"}).slices, 1u);
    EXPECT_EQ(chosen(file, {"size=8MiB", "network.topology.gpus_per_nic=2"}).channels, 2u);
    EXPECT_EQ(chosen(file, {"size=8MiB", "ranks=4"}).channels, 1u);   // NVLink carries all on one
}

/// By the constants of tuning.cc: between nodes 9.6 us (Simple), 4 (LL128 on a ring), 8.5 (LL128 on a tree) and 2.7 (LL
/// on a ring); inside 3.4, 1.9, 1.25 and 0.6.
TEST(NcclRun, ShortensTheLatenciesOfTheParts) {
    const auto node = [](const std::string& algorithm, const std::string& protocol) {
        const auto experiment = nodes().load(
            {"size=1MiB", "collective.algorithm=" + algorithm, "collective.protocol=" + protocol, "gpu.launch=1us"});
        return with_kernels_of_nccl({experiment.parameters.gpu, experiment.parameters.nic, {}}, experiment.parameters);
    };
    EXPECT_EQ(node("ring", "Simple").nic.message_latency, 6700_ns);
    EXPECT_EQ(node("ring", "LL128").nic.message_latency, 6700_ns - 5600_ns);
    EXPECT_EQ(node("tree", "LL128").nic.message_latency, 6700_ns - 1100_ns);
    EXPECT_EQ(node("ring", "LL").nic.message_latency, 0_ps);   // less 6.9 us
    EXPECT_EQ(node("tree", "LL128").gpu.island_port->latency, 750_ns);
    EXPECT_EQ(node("tree", "LL").gpu.island_port->latency, 100_ns);
    EXPECT_EQ(node("ring", "Simple").gpu.launch, 1_us + 8400_ns);
    EXPECT_EQ(node("tree", "LL").gpu.launch, 1_us + 6800_ns);
}

/// A ring of 16 ranks in four channels sends 16 KiB at a time, between nodes at 49.02 GB/s of a NIC, and inside at that
/// rate, too. The port alone would have 370 GB/s, with LL128 0.92 of 362.7 and 128 bytes for 120.
TEST(NcclRun, CopiesAChannelOfARingInsideANodeAsFastAsBetweenNodes) {
    const auto latency = [](const std::string& protocol) {
        const auto experiment =
            nodes().load({"size=1MiB", "collective.algorithm=ring", "collective.protocol=" + protocol});
        const NodeParams node =
            with_kernels_of_nccl({experiment.parameters.gpu, experiment.parameters.nic, {}}, experiment.parameters);
        return static_cast<double>(node.gpu.island_port->latency.ps) / 1e3;
    };
    EXPECT_NEAR(latency("Simple"), 2900 + 16384 / 49.02 - 16384 / 370.0, 1);
    EXPECT_NEAR(latency("LL128"), 1400 + 16384 / (0.92 * 49.02) - 16384 / (0.92 * 362.7), 1);
}

/// 1 MiB on a tree with LL128: 0.8625 of B for all of a node, corrected by 0.6; B as above. Ports move lines.
TEST(NcclRun, LimitsWhatKernelsOfTreesHandOver) {
    const auto experiment = nodes().load({"size=1MiB", "collective.algorithm=tree", "collective.protocol=LL128"});
    const NodeParams node =
        with_kernels_of_nccl({experiment.parameters.gpu, experiment.parameters.nic, {}}, experiment.parameters);
    const double all = 4 * (400'000.0 * 4096 / 4178) * 0.8625 * 0.6;
    EXPECT_NEAR(static_cast<double>(node.gpu.dma_bandwidth.mbps), all / 4, 2);
    EXPECT_EQ(node.gpu.island_port->bandwidth, 2960_Gbps);   // of two nodes alone ports decide:
    const auto two =
        nodes().load({"ranks=8", "size=1MiB", "collective.algorithm=tree", "collective.protocol=LL128"}).parameters;
    EXPECT_NEAR(static_cast<double>(with_kernels_of_nccl({two.gpu, two.nic, {}}, two).gpu.island_port->bandwidth.mbps),
                all * 128 / 120, 4);
    const auto simple = nodes().load({"size=1MiB", "collective.algorithm=ring", "collective.protocol=Simple"});
    const NodeParams free = with_kernels_of_nccl({simple.parameters.gpu, simple.parameters.nic, {}}, simple.parameters);
    EXPECT_EQ(free.gpu.dma_bandwidth, simple.parameters.gpu.dma_bandwidth);
    EXPECT_EQ(free.gpu.island_port->bandwidth, 2960_Gbps);
}

/// A ring of single GPUs shares nothing: 14 hops of 8.5 or 5 us (as trees, since a rank is a node) and 7/4 of the bytes
/// at 0.92 or a half of 49 GB/s (LL: at most 20.4).
TEST(NcclRun, OfARingOfSingleGpusTakesWhatTheTunerExpects) {
    for (const auto& [protocol, size] : {std::pair{"LL128", "1MiB"}, {"LL128", "32MiB"}, {"LL", "8MiB"}}) {
        const SyntheticFile file =
            single_gpus(std::string("{kind: nccl, algorithm: ring, protocol: ") + protocol + "}");
        const std::string of_size = std::string("size=") + size;
        const Parameters p = file.load({of_size}).parameters;
        const double expected = static_cast<double>(nccl_choice(p, *p.size).predicted.time.ps) / 1e6;
        EXPECT_NEAR(microseconds_of(file.report({of_size})), expected, 0.02 * expected) << protocol << size;
    }
}

/// Simple takes what the parts say, 9.6 us a hop, and not the 1.4 * 14 of the tuner.
TEST(NcclRun, OfARingWithSimpleTakesTheTimeOfTheParts) {
    const double bytes_a_ns = 400.0 / 8 * 4096 / 4178, expected = 8.4 + 14 * 9.6 + 1.75 * 33554.432 / bytes_a_ns;
    const SyntheticFile file = single_gpus("{kind: nccl, algorithm: ring, protocol: Simple}");
    EXPECT_NEAR(microseconds_of(file.report({"size=32MiB"})), expected, 0.02 * expected);
}

/// Trees of single GPUs: no two messages share a cable in one direction but those of one pair of trees. Beside the
/// tuner's time the first slice fills the pipeline: six levels of a slice of 64.
TEST(NcclRun, OfATreeOfSingleGpusTakesWhatTheTunerExpectsAndTheFirstSlice) {
    const SyntheticFile file = single_gpus("{kind: nccl, algorithm: tree, protocol: LL128}");
    const Parameters p = file.load({"size=64MiB"}).parameters;
    const double expected = static_cast<double>(nccl_choice(p, *p.size).predicted.time.ps) / 1e6;
    const double simulated = microseconds_of(file.report({"size=64MiB"}));
    EXPECT_GT(simulated, 0.98 * expected);
    EXPECT_LT(simulated, 1.1 * expected);
}

/// Of 1 MiB 14 / 8 pass a rank; LL doubles them, and LL128 makes 128 bytes of 120.
TEST(NcclRun, PutsTheFlagsOfAProtocolOnTheWire) {
    const auto payload = [](const std::string& protocol) {
        return single_gpus("{kind: nccl, algorithm: ring, protocol: " + protocol + "}")
            .report({"size=960KiB"})["methods"][0]["payload_bytes"]
            .get<std::uint64_t>();
    };
    constexpr std::uint64_t data = 14 * 960 * 1024;
    EXPECT_EQ(payload("Simple"), data);
    EXPECT_EQ(payload("LL"), 2 * data);
    EXPECT_EQ(payload("LL128"), data * 128 / 120);
}

TEST(NcclRun, LoadsEveryNicOfANodeAlike) {
    for (const std::string algorithm : {"ring", "tree"}) {
        const Json report = nodes().report({"size=4MiB", "collective.algorithm=" + algorithm});
        std::map<std::string, std::uint64_t> of_nodes;   // first NIC of each node
        for (const auto& link : report["methods"][0]["links"]) {
            const std::string name = link["name"].get<std::string>();
            if (!name.starts_with("rank") || name.find("switch4") == std::string::npos) continue;
            const int rank = std::stoi(name.substr(4));
            const auto bytes = link["wire_bytes"].get<std::uint64_t>();
            EXPECT_EQ(of_nodes.emplace(std::to_string(rank / 4), bytes).first->second, bytes) << algorithm << name;
        }
        EXPECT_EQ(of_nodes.size(), 4u);
    }
}

TEST(NcclRun, SaysWhatWasChosen) {
    const Json report = nodes().report({"size=1MiB"});
    const std::string notes = report["notes"].dump();
    EXPECT_THAT(notes, HasSubstr("nccl: tree/LL128 for all_reduce of 1MiB: 4 channels of 4 slices on nodes of 4 GPUs"));
    EXPECT_THAT(notes, HasSubstr("8 of 128 bytes of a line are its flag"));
    const auto& collective = report["config"]["collective"];
    EXPECT_EQ(collective["algorithm"].get<std::string>(), "tree");
    EXPECT_EQ(collective["protocol"].get<std::string>(), "LL128");
    EXPECT_EQ(collective["channels"].get<int>(), 4);
}

/// What a report echoes may be run again, and chooses the same.
TEST(NcclRun, TakesItsOwnEchoAndRefusesOtherChannels) {
    const Json echo = nodes().report({"size=1MiB"})["config"]["collective"];
    const SyntheticFile again("ranks: 16\nmethods: [fp32]\n" + nodes_yaml.substr(nodes_yaml.find("fidelity")) +
                              "size: 1MiB\n");
    EXPECT_EQ(name_of(chosen(again, {"collective=" + echo.dump()})), "tree/LL128");
    EXPECT_THROW(again.load({"collective.channels=2"}), ConfigError);
}

std::string error_of(const std::string& yaml, const std::vector<std::string>& changes = {}) {
    const SyntheticFile file(yaml + "size: 1MiB\n");
    return testing::error_of<ConfigError>(file.folder, [&] { file.load(changes); });
}

TEST(NcclRun, SaysWhatItCannotChooseFor) {
    const std::string fp32 = "methods: [fp32]\n";
    EXPECT_THAT(error_of(nodes_yaml + fp32), HasSubstr("no error"));
    EXPECT_THAT(error_of(nodes_yaml + "methods: [fp32, fixed_point]\n"),
                HasSubstr("methods.1: collective: nccl sends fp32 and bf16 as they are, and fixed_point is neither"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"gpu.staging=nic"}),
                HasSubstr("gpu.staging: collective: nccl has GPUs add"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"gpu.staging=nic", "ranks=4"}), HasSubstr("no error"));   // one node
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"nic.message_latency=0ps"}), HasSubstr("nic.message_latency: is 0"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"gpu.island_port.latency=2799ns"}),   // 3.4 us of Simple, 0.6 us of LL
                HasSubstr("gpu.island_port.latency: 2799ns are less than the 2800ns that protocol LL saves of a step"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"gpu.island_port.latency=2800ns"}), HasSubstr("no error"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"ranks=18"}),
                HasSubstr("ranks: 18 ranks do not fill nodes of 4, as collective: nccl needs; choose 16"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"gpu.island_port=null"}), HasSubstr("gpu.island_port: is missing"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"network={topology: mesh}"}),
                HasSubstr("network.topology: NCCL's rings and trees go over nodes, which mesh does not have"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"ranks=4", "collective.algorithm=tree"}),
                HasSubstr("collective: trees are over nodes, and all ranks are on one; write algorithm: ring"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"collective.slices=3"}),
                HasSubstr("collective.slices: follows from NCCL's choice"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"jobs=[{ranks: [0-7]}]"}),
                HasSubstr("jobs: collective: nccl chooses for one"));
    EXPECT_THAT(error_of(nodes_yaml + fp32, {"collective={kind: ring}", "jobs=[{ranks: [0-7], collective: nccl}]"}),
                HasSubstr("jobs: collective: nccl chooses for one job"));
}

/// Nodes of eight H100 on NVSwitches that add, with a NIC each.
SyntheticFile h100(const std::string& ranks, const std::string& nvlink = "nvlink-4") {
    return SyntheticFile("base: [h100-sxm, connectx-7, infiniband-ndr, " + nvlink +
                         "]\nmethods: [fp32]\nranks: " + ranks +
                         "\nfidelity: message\ncollective: nccl\ngpu: {staging: gpu}\n"
                         "network: {topology: {rails: false}}\n");
}

TEST(NcclSwitchesRun, AreSeenWhereTheMachineSaysWhatTheyAddWith) {
    const NcclParams eight = tuner_of(h100("8").load({"size=1MiB"}).parameters);
    EXPECT_EQ(eight.nvls, NvlsGpus::hopper);
    EXPECT_EQ(eight.nvlink, 2960_Gbps);   // of which NCCL's own search counts
    EXPECT_EQ(tuner_of(nodes().load({"size=1MiB"}).parameters).nvls, std::nullopt);
    EXPECT_EQ(tuner_of(h100("8", "nvlink-5").load({"size=1MiB"}).parameters).nvls, NvlsGpus::blackwell);
    EXPECT_EQ(tuner_of(h100("8", "nvlink-3").load({"size=1MiB"}).parameters).nvls, std::nullopt);
}

/// See NcclTunerNvls.IsChosenFromOneMebibyteOn and NvlsChunks.
TEST(NcclSwitchesRun, AreChosenWithTheChunksOfNccl) {
    const SyntheticFile one = h100("8");
    EXPECT_EQ(name_of(chosen(one, {"size=256KiB"})), "ring/LL");
    const auto nvls = chosen(one, {"size=64MiB"});
    EXPECT_EQ(name_of(nvls), "NVLS/Simple");
    EXPECT_EQ(nvls.slices, 8u);
    EXPECT_EQ(nvls.in_flight, 2u);
    EXPECT_EQ(nvls.channels, 1u);
    const auto tree = chosen(h100("16"), {"size=64MiB"});
    EXPECT_EQ(name_of(tree), "NVLSTree/Simple");
    EXPECT_EQ(tree.slices, 4u);
    EXPECT_EQ(tree.in_flight, 0u);
    const std::vector<std::string> fours{"network.topology.island=4", "size=1GiB"};   // 4 * 45.5 against 196 GB/s
    EXPECT_EQ(name_of(chosen(h100("40"), fours)), "ring/Simple");
}

TEST(NcclSwitchesRun, AreLeftOutWhereTheAlgorithmsDoNotNameThem) {
    EXPECT_EQ(name_of(chosen(h100("8"), {"size=64MiB", "collective.algorithms=[ring, tree]"})), "ring/Simple");
    EXPECT_EQ(name_of(chosen(h100("16"), {"size=4MiB", "collective.algorithms=[ring, tree]"})), "tree/LL128");
    EXPECT_EQ(name_of(chosen(h100("16"), {"size=64MiB", "collective.algorithms=[ring, NVLSTree]"})), "NVLSTree/Simple");
}

/// The tuner counts on 2 * 0.85 * 40 * 7 = 476 GB/s, and a port of 370 GB/s can have 2 * 0.85 * 370 * 7/9 = 489. Fewer
/// slices overlap less: of n, two of which are under way, the first and the last half slice are alone.
TEST(NcclSwitchesRun, TakeInANodeWhatTheTunerExpects) {
    const SyntheticFile file = h100("8");
    for (const auto& [size, bar] : {std::pair{"1GiB", 0.02}, {"256MiB", 0.05}, {"64MiB", 0.15}, {"4MiB", 0.2}}) {
        const std::string of_size = std::string("size=") + size;
        const Parameters p = file.load({of_size}).parameters;
        const double expected = static_cast<double>(nccl_choice(p, *p.size).predicted.time.ps) / 1e6;
        EXPECT_NEAR(microseconds_of(file.report({of_size})), expected, bar * expected) << size;
    }
}

/// Beside the tuner's time the first slice goes alone through switches and trees, and the last: of 16 a tenth.
TEST(NcclSwitchesRun, TakeBetweenNodesWhatTheTunerExpectsAndTheFirstSlice) {
    for (const auto& [ranks, size] : {std::pair{"16", "256MiB"}, {"32", "128MiB"}}) {
        const SyntheticFile file = h100(ranks);
        const std::string of_size = std::string("size=") + size;
        const Parameters p = file.load({of_size}).parameters;
        const double expected = static_cast<double>(nccl_choice(p, *p.size).predicted.time.ps) / 1e6,
                     simulated = microseconds_of(file.report({of_size}));
        EXPECT_GT(simulated, 0.98 * expected) << ranks << size;
        EXPECT_LT(simulated, 1.15 * expected) << ranks << size;
    }
}

TEST(NcclSwitchesRun, TakeTheSameTimeAtEveryFidelity) {
    const auto time = [](const std::string& ranks, const std::string& algorithm, const std::string& fidelity) {
        const Json report = h100(ranks).report(
            {"size=96KiB", "network.topology.island=3", "collective.algorithm=" + algorithm, "fidelity=" + fidelity});
        return report["methods"][0]["allreduce_ps"].get<std::int64_t>();
    };
    for (const auto& [ranks, algorithm] : {std::pair{"3", "NVLS"}, {"6", "NVLSTree"}}) {
        const std::int64_t flit = time(ranks, algorithm, "flit");
        EXPECT_EQ(time(ranks, algorithm, "message"), flit) << algorithm;
        EXPECT_EQ(time(ranks, algorithm, "packet"), flit) << algorithm;
    }
}

/// On trees of four nodes a NIC carries 2 * 3/4 of its GPU's eighth, where the tuner counts twice: 45.5 GB/s * 3/4.
TEST(NcclSwitchesRun, GiveNicsTheRateThatTheTunerCountsFor) {
    const auto dma = [](const std::string& ranks) {
        const Parameters p = h100(ranks).load({"size=64MiB", "collective.algorithm=NVLSTree"}).parameters;
        return static_cast<double>(with_kernels_of_nccl({p.gpu, p.nic, {}}, p).gpu.dma_bandwidth.mbps) / 8000;
    };
    EXPECT_NEAR(dma("32"), 45.5 * 3 / 4, 0.01);
    EXPECT_NEAR(dma("16"), 57.7 / 2, 0.01);
}

/// A reduce-scatter passes half of the steps and bytes of the AllReduce; a ring of single GPUs shares nothing.
TEST(NcclShardsRun, OfSingleGpusTakeWhatTheTunerExpects) {
    for (const char* operation : {"reduce_scatter", "all_gather"})
        for (const auto& [protocol, size] : {std::pair{"LL128", "1MiB"}, {"LL128", "32MiB"}, {"LL", "8MiB"}}) {
            const SyntheticFile file = single_gpus(std::string("{kind: nccl, operation: ") + operation +
                                                   ", algorithm: ring, protocol: " + protocol + "}");
            const std::string of_size = std::string("size=") + size;
            const Parameters p = file.load({of_size}).parameters;
            const double expected = static_cast<double>(nccl_choice(p, *p.size).predicted.time.ps) / 1e6;
            EXPECT_NEAR(microseconds_of(file.report({of_size})), expected, 0.02 * expected) << operation << size;
        }
}

/// Of 15/16 of 4 MiB that leave a rank a quarter leaves its node, by each NIC alike.
TEST(NcclShardsRun, LeaveANodeByEveryNicAndCarryTheFlags) {
    const Json report = nodes().report(
        {"size=3840KiB", "collective={kind: nccl, operation: all_gather, algorithm: ring, protocol: LL128}"});
    EXPECT_EQ(report["methods"][0]["payload_bytes"].get<std::uint64_t>(), 15ull * 3840 * 1024 * 128 / 120);
    EXPECT_EQ(report["config"]["collective"]["channels"].get<int>(), 4);
    EXPECT_EQ(report["config"]["collective"]["channel_order"].get<std::string>(), "rotated");
}

/// LL128 takes 14 us and 15 steps, Simple three times the latency of a step.
TEST(NcclShardsRun, AreChosenByTheBytes) {
    const auto name = [](const std::string& size) {
        return name_of(chosen(nodes(), {"size=" + size, "collective.operation=reduce_scatter"}));
    };
    EXPECT_EQ(name("64KiB"), "ring/LL");
    EXPECT_EQ(name("4MiB"), "ring/LL128");
    EXPECT_EQ(name("1GiB"), "ring/Simple");
}

/// Its reduce-scatters and gathers are NCCL's choice for the largest bucket, and each takes what it takes alone.
TEST(NcclShardsRun, MakeUpASharedStep) {
    const SyntheticFile file(nodes_yaml + "methods: [fp32]\n");
    const Json step = file.report({"step={strategy: fsdp, backward: 1ms, given: [{bytes: 4MiB, ready: 1ms}]}"});
    const Json alone = file.report({"size=4MiB", "collective.operation=reduce_scatter"});
    EXPECT_THAT(step["notes"].dump(), HasSubstr("nccl: ring/LL128 for reduce_scatter of 4MiB"));
    EXPECT_EQ(step["config"]["collective"]["operation"].get<std::string>(), "reduce_scatter");
    EXPECT_EQ(step["methods"][0]["allreduce_ps"], alone["methods"][0]["allreduce_ps"]);
}

TEST(NcclSwitchesRun, SayWhyTheyAreNotThere) {
    const auto error = [](const SyntheticFile& file, const std::vector<std::string>& changes) {
        std::vector<std::string> all{"size=1MiB"};
        all.insert(all.end(), changes.begin(), changes.end());
        return testing::error_of<ConfigError>(file.folder, [&] { file.load(all); });
    };
    EXPECT_THAT(
        error(nodes(), {"collective.algorithm=NVLSTree"}),
        HasSubstr("collective: NVLSTree needs NVSwitches that add, and network.switch.aggregator does not say"));
    EXPECT_THAT(
        error(h100("16"), {"collective.algorithm=NVLS"}),
        HasSubstr("collective: NVLS between nodes needs CollNet, which is not modelled; write algorithm: NVLST"));
    EXPECT_THAT(error(h100("8"), {"collective.algorithms=[NVLSTree]"}),
                HasSubstr("collective: NVLSTree is between nodes, and all ranks are on one; write algorithm: NVLS"));
    EXPECT_THAT(error(h100("2"), {"collective.algorithm=NVLS"}),
                HasSubstr("collective: NVLS needs three GPUs of a node or more; write algorithm: ring"));
    EXPECT_THAT(error(h100("8"), {"collective.algorithm=NVLS", "collective.protocol=LL"}),
                HasSubstr("collective: NVLS has protocol Simple; write that, or leave protocol out"));
    EXPECT_THAT(
        error(h100("16"), {"collective.operation=all_gather", "collective.algorithms=[tree]"}),
        HasSubstr("collective: algorithm tree is for all_reduce, and all_gather has ring and NVLS; write ring"));
    EXPECT_THAT(error(h100("8"), {"collective.operation=broadcast"}),
                HasSubstr("collective: operation broadcast: NCCL's tuner chooses for all_reduce, reduce_scatter and"));
    EXPECT_THAT(error(h100("8"), {"collective.algorithms=[rings]"}), HasSubstr("collective.algorithms.0: 'rings'"));
    EXPECT_THAT(error(h100("16"), {"collective={kind: nccl, operation: all_gather}", "size=null",
                                   "step={strategy: fsdp, backward: 1ms, given: [{bytes: 4MiB, ready: 1ms}]}"}),
                HasSubstr("collective.operation: strategy fsdp reduce-scatters gradients"));
    EXPECT_THAT(
        error(h100("16"), {"size=null", "step={strategy: hsdp, backward: 1ms, given: [{bytes: 4MiB, ready: 1ms}]}"}),
        HasSubstr("nccl chooses for strategy: fsdp"));
}

}   // namespace

/// Real gradients: 2400 values, which are 9.4 KiB.
const std::string trace_yaml = nodes_yaml.substr(0, nodes_yaml.find("gpu:")) +
                               "gpu: {staging: gpu, gradients: codes, island_port: {latency: 2900ns}}\n"
                               "network: {topology: {kind: hierarchical, island: 2, rails: false}}\n"
                               "methods: [fp32, bf16]\niterations: {first: 1, count: 2}\n" +
                               staged;

void expect_sums(const std::string& algorithm, const std::string& protocol) {
    std::string yaml = trace_yaml;
    yaml.replace(yaml.find("ranks: 16"), 9, "ranks: 4");
    yaml.replace(yaml.find("collective: nccl"), 16,
                 "collective: {kind: nccl, algorithm: " + algorithm + ", protocol: " + protocol + "}");
    const Report report = test::Laboratory(yaml).run();
    for (const MethodReport& method : report.methods) EXPECT_EQ(method.sums_match_reference, true) << method.name;
    EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("nccl: " + algorithm + "/" + protocol)));
}

TEST(NcclSums, OfATreeInLinesAreThoseOfTheReference) { expect_sums("tree", "LL128"); }
TEST(NcclSums, OfARingWithFlagsAreThoseOfTheReference) { expect_sums("ring", "LL"); }
TEST(NcclSums, OfARingOfWholeBuffersAreThoseOfTheReference) { expect_sums("ring", "Simple"); }

/// Two nodes of three, whose switches add.
void expect_sums_by_switches(const std::string& ranks, const std::string& algorithm) {
    std::string yaml = trace_yaml;
    yaml.replace(yaml.find("ranks: 16"), 9, "ranks: " + ranks);
    yaml.replace(yaml.find("collective: nccl"), 16, "collective: {kind: nccl, algorithm: " + algorithm + "}");
    yaml.replace(yaml.find("island: 2,"), 10, "island: 3,");
    yaml.replace(yaml.find("rails: false}"), 13, "rails: false}, switch: {aggregator: {adders: 229}}");
    const Report report = test::Laboratory(yaml).run();
    for (const MethodReport& method : report.methods) EXPECT_EQ(method.sums_match_reference, true) << method.name;
    EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("nccl: " + algorithm + "/Simple")));
}

TEST(NcclSums, OfTheSwitchOfANodeAreThoseOfTheReference) { expect_sums_by_switches("3", "NVLS"); }
TEST(NcclSums, OfSwitchesAndTreesAreThoseOfTheReference) { expect_sums_by_switches("6", "NVLSTree"); }

}   // namespace oscar::nccl_run_test

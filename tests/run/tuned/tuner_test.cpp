// tuner: the machine that NCCL's tuner describes.
#include "sim/parameters/tuner.hpp"

#include <gmock/gmock.h>

#include "models/predict/predictors.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::tuner_test {
namespace {

using ::testing::HasSubstr;

/// Nothing takes time but what the tuner sets.
const std::string ideal =
    "payload: synthetic\nranks: 8\nmethods: [fp32]\n"
    "tuner: {launch: 20us, bandwidth: 800Gbps}\n"
    "gpu: {dma_latency: 0ps, dma_bandwidth: 100000Gbps}\nnic: {latency: 0ps, adders: 64, clock: 10GHz}\n"
    "network: {link: {buffer: 4MiB}, switch: {latency: 0ps}, packet: 64KiB, header: 0B}\n";

/// An experiment in a folder without a trace. A test runs one.
struct File {
    explicit File(const std::string& yaml) : path(folder.write("exp.yaml", yaml)) {}
    Experiment load() const { return load_experiment(path, {}); }
    std::string error() const {
        return testing::error_of<ConfigError>(folder, [&] { load(); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

/// The machine takes what the tuner expects, but for a packet's way through switch and adder.
void expect_agreement(const std::string& size, const std::string& choice) {
    const Experiment experiment = File(ideal + "size: " + size + "\n").load();
    const auto predicted = fastest(predictions(*experiment.parameters.tuner, 8, *experiment.parameters.size));
    EXPECT_EQ(predicted.name, choice);
    const Report report = run(experiment, test::ignore);
    const double expected = static_cast<double>(predicted.time.ps);
    EXPECT_NEAR(static_cast<double>(report.methods[0].allreduce_ps), expected, 0.01 * expected);
    EXPECT_THAT(report.notes.back(), HasSubstr("tuner: " + choice));
}

TEST(Tuner, OfASmallGradientIsSimulatedAsExpected) { expect_agreement("64KiB", "ring/LL"); }
TEST(Tuner, OfAMiddlingGradientIsSimulatedAsExpected) { expect_agreement("2MiB", "ring/LL128"); }
TEST(Tuner, OfALargeGradientIsSimulatedAsExpected) { expect_agreement("256MiB", "ring/Simple"); }

TEST(Tuner, SetsTheMachineToOneHopOfTheProtocol) {
    const Parameters star = File(ideal + "size: 64KiB\n").load().parameters;
    EXPECT_EQ(star.network.link.bandwidth, 200_Gbps);   // a quarter
    EXPECT_EQ(star.network.link.propagation, 235_ns);   // two links a hop of 0.47 us
    EXPECT_EQ(star.gpu.launch, 20_us + 3600_ns);        // and the base of LL
    EXPECT_EQ(issue_of(star.collective), Issue::dependency);
    std::string by_parts = ideal;   // whose NIC has the cost of a message, which a hop contains
    by_parts.replace(by_parts.find("clock: 10GHz"), 0, "message_latency: 7us, ");
    EXPECT_EQ(File(by_parts + "size: 64KiB\n").load().parameters.nic.message_latency, 0_ps);
    const std::string ring = ideal.substr(0, ideal.find("network:"));
    const Parameters cables = File(ring + "network: {topology: ring}\nsize: 64KiB\n").load().parameters;
    EXPECT_EQ(cables.network.link.propagation, 470_ns);
}

/// As `ideal`, of two nodes of four.
const std::string two_nodes = [] {
    std::string text = ideal;
    text.replace(text.find("launch: 20us"), 0, "ranks_per_node: 4, ");
    text.replace(text.find("network: {"), 10, "network: {topology: {kind: hierarchical, island: 4, rails: false}, ");
    return text;
}();

/// A ring through two nodes, or trees over them, takes what the tuner expects.
void expect_agreement_of_nodes(const std::string& size, const std::string& choice, double tolerance) {
    const Experiment experiment = File(two_nodes + "size: " + size + "\n").load();
    const auto predicted = fastest(predictions(*experiment.parameters.tuner, 8, *experiment.parameters.size));
    EXPECT_EQ(predicted.name, choice);
    const Report report = run(experiment, test::ignore);
    const double expected = static_cast<double>(predicted.time.ps);
    EXPECT_NEAR(static_cast<double>(report.methods[0].allreduce_ps), expected, tolerance * expected);
    EXPECT_THAT(report.notes.back(), HasSubstr("simulated is " + choice));
}

TEST(Tuner, OfNodesIsSimulatedAsExpectedWhereItChoosesTrees) { expect_agreement_of_nodes("2KiB", "tree/LL", 0.02); }
TEST(Tuner, OfNodesIsSimulatedAsExpectedWhereItChoosesARing) { expect_agreement_of_nodes("256KiB", "ring/LL", 0.01); }
TEST(Tuner, OfNodesIsSimulatedAsExpectedForALargeGradient) { expect_agreement_of_nodes("256MiB", "ring/Simple", 0.01); }

TEST(Tuner, OfNodesSetsHopsInsideANodeAndBetweenThem) {
    const Parameters p = File(two_nodes + "size: 256KiB\n").load().parameters;   // ring/LL
    const auto& islands = std::get<IslandsParams>(p.network.topology.params);
    EXPECT_EQ(islands.island_link.propagation, 235_ns);   // two links a hop of 0.47 us
    EXPECT_EQ(islands.island_link.bandwidth, 200_Gbps);
    EXPECT_EQ(p.network.link.propagation, 1350_ns);   // of 2.7 us
    EXPECT_EQ(p.network.link.bandwidth, 200_Gbps);
}

TEST(Tuner, PipelinesATreeOverNodes) {
    const Parameters p = File(two_nodes + "size: 2KiB\n").load().parameters;
    EXPECT_EQ(p.collective.name(), "double_binary_tree");
    EXPECT_EQ(slices_of(p.collective), 4u);   // LL: 2 KiB / 2 trees / 256 B
}

/// As Polaris with 196 Gbit/s, 256 ranks on 64 nodes.
Experiment sixty_four_nodes(const std::string& size) {
    std::string text = two_nodes;
    text.replace(text.find("ranks: 8"), 8, "ranks: 256");
    text.replace(text.find("800Gbps"), 7, "196Gbps");
    return File(text + "size: " + size + "\n").load();
}

TEST(Tuner, CutsATreeIntoAsManySlicesAsItsScheduleCanHave) {
    EXPECT_EQ(slices_of(sixty_four_nodes("64MiB").parameters.collective), 128u);           // of 256 KiB
    EXPECT_EQ(slices_of(sixty_four_nodes("256KiB").parameters.collective), most_slices);   // LL has 512 chunks of 256 B
}

TEST(Tuner, OfALargeTreeIsSimulatedAsExpected) {
    const Experiment experiment = sixty_four_nodes("64MiB");
    const auto predicted = fastest(predictions(*experiment.parameters.tuner, 256, *experiment.parameters.size));
    EXPECT_EQ(predicted.name, "tree/Simple");
    const double expected = static_cast<double>(predicted.time.ps);
    const auto simulated = run(experiment, test::ignore).methods[0].allreduce_ps;
    EXPECT_NEAR(static_cast<double>(simulated), expected, 0.015 * expected);   // 32 slices: 12 % more
}

TEST(Tuner, LeavesAMachineWithoutItAsItIs) {
    const Parameters p = File("payload: synthetic\nsize: 64KiB\nmethods: [fp32]\n").load().parameters;
    EXPECT_EQ(p.network.link.bandwidth, LinkParams{}.bandwidth);
    EXPECT_EQ(p.gpu.launch, 0_ps);
}

TEST(Tuner, SaysWhatItCannotChooseFor) {
    EXPECT_THAT(File("trace: t\ntuner: {launch: 1us}\n").error(),
                HasSubstr("exp.yaml:2:8: tuner: NCCL chooses by size"));
    EXPECT_THAT(File(ideal + "size: 1MiB\ncollective: ring\n").error(), HasSubstr("collective: the tuner chooses"));
    EXPECT_THAT(File("payload: synthetic\nsize: 1MiB\nmethods: [fp32]\ntuner: {ranks_per_node: 4}\n").error(),
                HasSubstr("a tuner of several nodes has hops of two latencies; write {kind: hierarchical, island: 4, "
                          "rails: false}"));
    EXPECT_THAT(File(ideal + "size: 1MiB\n").error(), HasSubstr("no error"));
    std::string of_all = ideal, rails = two_nodes;
    of_all.replace(of_all.find("launch"), 0, "ranks_per_node: 8, ");
    EXPECT_THAT(File(of_all + "size: 1MiB\n").error(), HasSubstr("no error"));   // one node
    rails.replace(rails.find("rails: false"), 12, "rails: true");
    EXPECT_THAT(File(rails + "size: 1MiB\n").error(), HasSubstr("a tuner of several nodes"));
    EXPECT_THAT(
        File("payload: synthetic\nsize: 1MiB\nmethods: [fp32]\ntuner: {launch: 1us}\nnetwork: {topology: mesh}\n")
            .error(),
        HasSubstr("knows hops of star and ring"));
    EXPECT_THAT(File("payload: synthetic\nsize: 1MiB\nmethods: [fp32]\ntuner: {ranks_per_node: 3}\n").error(),
                HasSubstr("ranks_per_node 3 does not divide the 8 ranks"));
}

}   // namespace
}   // namespace oscar::tuner_test

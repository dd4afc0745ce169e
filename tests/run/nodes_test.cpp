// nodes: ranks that differ, from the configuration to the report.
#include "sim/parameters/nodes.hpp"

#include <gmock/gmock.h>

#include "sim/describe/echo.hpp"
#include "sim/run/start_jitter.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::nodes_test {
namespace {

using test::Laboratory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// An experiment without values, whose `nodes` are on line 5.
struct NodesFile {
    explicit NodesFile(const std::string& nodes, const std::string& more = "")
        : path(folder.write("exp.yaml", "payload: synthetic\nsize: 32KiB\nranks: 8\nmethods: [fp32]\nnodes: " + nodes +
                                            "\ncollective: {issue: lock_step}\n" + more)) {}
    Parameters load() const { return load_experiment(path, {}).parameters; }
    std::string error() const {
        return testing::error_of<ConfigError>(folder, [&] { load(); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

TEST(Nodes, AreAllAlikeIfNothingIsSaid) {
    const Nodes nodes = nodes_of(NodesFile("[]").load());
    ASSERT_EQ(nodes.size(), 8u);
    for (const NodeParams& node : nodes) {
        EXPECT_EQ(node.gpu.dma_latency, GpuParams{}.dma_latency);
        EXPECT_EQ(node.engine.clock, EngineParams{}.clock);
    }
    EXPECT_TRUE(starts_of(NodesFile("[]").load(), 0).empty());
}

TEST(Nodes, HaveWhatIsSaidOfThemAndTheRestOfTheExperiment) {
    const Nodes nodes =
        nodes_of(NodesFile("[{ranks: [1, 3-4], gpu: {dma_latency: 5ns}}, {ranks: ['6'], nic: {adders: 3}, "
                           "engine: {clock: 2GHz, search: binary}}]",
                           "gpu: {dma_bandwidth: 77Gbps}\nnic: {latency: 9ns}\nengine: {lanes: 16}\n")
                     .load());
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        SCOPED_TRACE(rank);
        const bool first = rank == 1 || rank == 3 || rank == 4;
        EXPECT_EQ(nodes[rank].gpu.dma_latency, first ? 5_ns : GpuParams{}.dma_latency);
        EXPECT_EQ(nodes[rank].nic.adders, rank == 6 ? 3u : NicParams{}.adders);
        EXPECT_EQ(nodes[rank].engine.clock, rank == 6 ? 2_GHz : EngineParams{}.clock);
        EXPECT_EQ(nodes[rank].engine.search, rank == 6 ? RowSearch::binary : RowSearch::flash);
        EXPECT_EQ(nodes[rank].gpu.dma_bandwidth, 77_Gbps);
        EXPECT_EQ(nodes[rank].nic.latency, 9_ns);
        EXPECT_EQ(nodes[rank].engine.lanes, 16u);
    }
}

TEST(Nodes, StartAsLateAsIsSaidBesidesTheJitter) {
    const std::string late = "[{ranks: [2], start_delay: 7us}]";
    EXPECT_THAT(starts_of(NodesFile(late).load(), 0), ElementsAre(0_us, 0_us, 7_us, 0_us, 0_us, 0_us, 0_us, 0_us));
    const auto jitter = starts_of(NodesFile("[]", "start_jitter: 3us\n").load(), 4);
    const auto both = starts_of(NodesFile(late, "start_jitter: 3us\n").load(), 4);
    for (std::size_t r = 0; r < jitter.size(); ++r) EXPECT_EQ(both[r] - jitter[r], r == 2 ? 7_us : 0_us);
}

TEST(Nodes, EchoWhatCanBeReadAgain) {
    const Parameters p =
        NodesFile("[{ranks: [0-2, 5], nic: {latency: 3ns}, start_delay: 1us}]", "gpu: {launch: 4us}\n").load();
    const std::string echo = to_json(p.nodes).dump();
    const Nodes again = nodes_of(NodesFile(echo, "gpu: {launch: 4us}\n").load()), nodes = nodes_of(p);
    for (std::size_t r = 0; r < nodes.size(); ++r) {
        EXPECT_EQ(again[r].nic.latency, nodes[r].nic.latency);
        EXPECT_EQ(again[r].gpu.launch, 4_us);
    }
}

TEST(Nodes, AreToldInTheReport) {
    const NodesFile file(
        "[{ranks: [3], gpu: {dma_latency: 900ns}}, {ranks: [5-6], engine: {clock: 500MHz}, start_delay: 2us}]");
    const Report report = run(load_experiment(file.path, {}), test::ignore);
    EXPECT_EQ(report.notes.back(),
              "nodes differ: rank 3: gpu.dma_latency 900ns; rank 5-6: engine.clock 500MHz, start_delay 2us");
    EXPECT_EQ(report.config["nodes"][0]["gpu"]["dma_latency"], "900ns");
    // Behind the lateness nothing changes but the first reading and the last writing, 200 ns longer at rank 3 only; the
    // first message of rank 3 is there before those of the late ranks.
    EXPECT_EQ(report.methods[0].allreduce_ps, (*report.methods[0].closed_form_ps) + 2'000'000 - 200'000);
}

TEST(Nodes, LeaveNoTraceWhereThereAreNone) {
    const Report report = run(load_experiment(NodesFile("[]").path, {}), test::ignore);
    EXPECT_FALSE(report.config.contains("nodes"));
    EXPECT_EQ(report.notes.size(), 1u);
}

TEST(Nodes, HaveNoClosedFormWhereQueuesMayBuildUp) {
    const NodesFile file("[{ranks: [3], gpu: {dma_latency: 900ns}}]");
    const Report report = run(load_experiment(file.path, {"collective.issue=dependency"}), test::ignore);
    EXPECT_EQ(report.methods[0].closed_form_ps, std::nullopt);
}

TEST(Nodes, RefuseRanksThatAreNoneOrNamedTwice) {
    EXPECT_EQ(NodesFile("[{ranks: [8]}]").error(), "exp.yaml:5:18: nodes.0.ranks.0: there is no rank 8; choose 0 to 7");
    EXPECT_THAT(NodesFile("[{ranks: [5-9]}]").error(), HasSubstr("there is no rank 9"));
    for (const char* wrong : {"x", "4-", "-4", "6-4", "1-2-3", "''"})
        EXPECT_THAT(NodesFile("[{ranks: [" + std::string(wrong) + "]}]").error(),
                    HasSubstr("is neither a rank nor a range of ranks; write it like 5 or 4-7"));
    EXPECT_THAT(NodesFile("[{ranks: [1-3]}, {ranks: [0, 3]}]").error(),
                HasSubstr("nodes.1.ranks.1: rank 3 was named before"));
    EXPECT_THAT(NodesFile("[{nic: {adders: 3}}]").error(), HasSubstr("nodes.0.ranks: names no rank"));
}

TEST(Nodes, RefuseKeysThatAreNoneAndValuesOutOfRange) {
    EXPECT_THAT(NodesFile("[{ranks: [1], nik: {adders: 3}}]").error(),
                HasSubstr("nodes.0.nik: no such parameter (did you mean nic?)"));
    EXPECT_THAT(NodesFile("[{ranks: [1], gpu: {dma_latensy: 3ns}}]").error(),
                HasSubstr("nodes.0.gpu.dma_latensy: no such parameter (did you mean dma_latency?)"));
    EXPECT_THAT(NodesFile("[{ranks: [1], nic: {adders: 65537}}]").error(),
                HasSubstr("65537 is out of range; choose 1 to 65536"));
}

TEST(Nodes, RefuseAnEngineThatMakesOtherBytes) {
    EXPECT_EQ(NodesFile("[{ranks: [1], engine: {lanes: 8}}]").error(),
              "exp.yaml:5:38: nodes.0.engine.lanes: all ranks must have the same; choose among clock, encode_interval, "
              "decode_interval, encode_loop, decode_loop, finish_slots, encode_latency, decode_latency, search, "
              "table_update, table_load");
    for (const char* key : {"lane_values", "min_lane_values", "streams", "blocks"})
        EXPECT_THAT(NodesFile("[{ranks: [1], engine: {" + std::string(key) + ": 7}}]").error(),
                    HasSubstr("all ranks must have the same"));
    EXPECT_EQ(NodesFile("[{ranks: [1], engine: {lanes: 64}}]").error(), "no error");   // it is the same
}

TEST(Nodes, ComputeLongerOnlyWhereThereIsAStepAndStartLateOnlyWhereThereIsNone) {
    EXPECT_THAT(NodesFile("[{ranks: [1], slowdown: 2}]").error(),
                HasSubstr("nodes.0.slowdown: applies to training steps only"));
    const Laboratory with_step(
        "step: {backward: 10us, overlap: false}\nranks: 4\nnodes: [{ranks: [1], start_delay: 1us}]\n");
    EXPECT_THAT(with_step.error(), HasSubstr("nodes.0.start_delay: all ranks begin a step together"));
}

TEST(Nodes, SlowTheStepAsTheSlowestOfThemComputes) {
    const std::string yaml =
        "step: {forward: 30us, backward: 100us, optimiser: 10us, overlap: false}\nranks: 4\nmethods: [fp32]\n"
        "iterations: {first: 1, count: 1}\nnodes: [{ranks: [1], slowdown: 1.5}, {ranks: [2], slowdown: 1.2}]\n";
    const StepReport step = Laboratory(yaml).run().methods[0].step.value();
    EXPECT_EQ(step.compute_ps, 210'000'000);   // 1.5 * 140 us
    EXPECT_EQ(step.step_ps, 210'000'000 + step.communication_ps);
}

}   // namespace
}   // namespace oscar::nodes_test

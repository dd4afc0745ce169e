// collective: flows, on the simulated machine.
#include <gmock/gmock.h>

#include "sim/config/load.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/own_process.hpp"

namespace oscar::flows_test {
namespace {

using ::testing::HasSubstr;

/// Nothing takes time but a switch's two links: 12.5 bytes a ns, 500 ns each, and 82 ns to store a packet.
const std::string ideal =
    "payload: synthetic\nranks: 4\nmethods: [fp32]\n"
    "gpu: {dma_latency: 0ps, dma_bandwidth: 100000Gbps}\nnic: {latency: 0ps}\n"
    "network: {link: {bandwidth: 100Gbps, buffer: 4MiB}, switch: {latency: 0ps}, packet: 1000B, header: 25B, flit: "
    "1025B}\n";

struct File {
    explicit File(const std::string& yaml) : path(folder.write("exp.yaml", yaml)) {}
    Experiment load() const { return load_experiment(path, {}); }
    Report run() const { return oscar::run(load(), test::ignore); }
    std::string error() const {
        return testing::error_of<ConfigError>(folder, [&] { load(); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

std::string with_flows(const std::string& list) {
    return ideal + "collective: {kind: flows, issue: dependency, flows: [" + list + "]}\n";
}

/// Of n packets alone: on two links of 500 ns, the last stored for 82 ns in the switch.
constexpr std::int64_t alone(std::int64_t packets) { return (packets + 1) * 82'000 + 1'000'000; }
constexpr std::int64_t dma = 1'000;   // at most, of the first and the last block

TEST(FlowsOnTheMachine, TakeWhatTheirOwnBytesTakeFromTheirOwnStart) {
    const Report report =
        File(with_flows("{from: 0, to: 1, bytes: 8000B}, {from: 2, to: 3, bytes: 20000B, start: 7us}")).run();
    const auto& flows = report.methods[0].flows;
    ASSERT_EQ(flows.size(), 2u);
    EXPECT_EQ(flows[0].bytes, 8000u);
    EXPECT_NEAR(static_cast<double>(flows[0].end_ps), alone(8), dma);
    EXPECT_EQ(flows[1].start_ps, 7'000'000);
    EXPECT_NEAR(static_cast<double>(flows[1].end_ps), 7'000'000 + alone(20), dma);
    EXPECT_NEAR(static_cast<double>(report.methods[0].allreduce_ps), 7'000'000 + alone(20), dma);
    EXPECT_EQ(report.methods[0].payload_bytes, 28000u);
    EXPECT_EQ(report.methods[0].closed_form_ps, std::nullopt);   // which knows no starts
}

TEST(FlowsOnTheMachine, MayHaveMoreValuesTogetherThanAreCountedIn32Bits) {
    std::string list;
    for (int i = 0; i < 18; ++i) list += "{from: 0, to: 1, bytes: 1000000000B}, ";   // 4.5e9 values
    const Report report = File(with_flows(list) + "fidelity: message\n").run();
    EXPECT_EQ(report.trace.elements, 4'500'000'000u);
    EXPECT_EQ(report.methods[0].payload_bytes, 18'000'000'000u);
    EXPECT_NEAR(static_cast<double>(report.methods[0].allreduce_ps), alone(18'000'000), 2 * dma);
}

TEST(FlowsOnTheMachine, ShareTheLastLinkOfAnIncast) {
    const Report report =
        File(with_flows(
                 "{from: 0, to: 3, bytes: 20000B}, {from: 1, to: 3, bytes: 20000B}, {from: 2, to: 3, bytes: 20000B}"))
            .run();
    EXPECT_NEAR(static_cast<double>(report.methods[0].allreduce_ps), alone(60), dma);
}

TEST(FlowsOnTheMachine, HaveAClosedFormWhereTheyBeginAtOnceAndMeetNowhere) {
    const Report report = File(with_flows("{from: 0, to: 1, bytes: 8000B}, {from: 1, to: 2, bytes: 20000B}")).run();
    EXPECT_EQ(report.methods[0].closed_form_ps, report.methods[0].allreduce_ps);
}

std::string with_computations(const std::string& list, const std::string& flows) {
    return ideal + "collective: {kind: flows, issue: dependency, computations: [" + list + "], flows: [" + flows +
           "]}\n";
}

/// A relay that computes 5 us on the message before it sends it on; then 3 us that nothing waits for.
TEST(FlowsOnTheMachine, WaitForWhatTheirSenderComputes) {
    const Report report = File(with_computations("{rank: 1, time: 5us, after: [0]}, {rank: 2, time: 30us, after: [1]}",
                                                 "{from: 0, to: 1, bytes: 8000B}, {from: 1, to: 2, bytes: 8000B, "
                                                 "computed: [0]}"))
                              .run();
    const auto& flows = report.methods[0].flows;
    EXPECT_NEAR(static_cast<double>(flows[0].end_ps), alone(8), dma);
    EXPECT_NEAR(static_cast<double>(flows[1].end_ps), 2 * alone(8) + 5'000'000, 2 * dma);
    EXPECT_NEAR(static_cast<double>(report.methods[0].allreduce_ps), 2 * alone(8) + 35'000'000, 2 * dma);
    EXPECT_EQ(report.methods[0].closed_form_ps, std::nullopt);
}

/// Two computations of one processor follow each other, of two they do not.
TEST(FlowsOnTheMachine, WaitForProcessorsThatDoOneThingAfterTheOther) {
    const auto end = [](int processor) {
        const std::string second = "{rank: 0, time: 4us, processor: " + std::to_string(processor) + "}";
        return std::stod(test::in_own_process([&] {
            const File file(with_computations("{rank: 0, time: 3us}, " + second,
                                              "{from: 0, to: 1, bytes: 8000B, computed: [0, 1]}"));
            return std::to_string(file.run().methods[0].flows[0].end_ps);
        }));
    };
    EXPECT_NEAR(end(0), 7'000'000 + alone(8), dma);
    EXPECT_NEAR(end(1), 4'000'000 + alone(8), dma);
}

TEST(FlowsOnTheMachine, EchoAConfigurationThatCanBeRunAgain) {
    const File file(with_flows("{from: 0, to: 1, bytes: 8000B, start: 5us}"));
    const Experiment again = make_experiment(parse_config(file.run().config.dump(), "echo"), file.path);
    const auto& flows = std::get<FlowsParams>(again.parameters.collective.params).flows;
    ASSERT_EQ(flows.size(), 1u);
    EXPECT_EQ(flows[0], (FlowSpec{0, 1, 8000_B, 5_us}));
    EXPECT_EQ(again.parameters.size, 8000_B);
}

TEST(FlowsOnTheMachine, SayWhatIsWrongWithThem) {
    EXPECT_THAT(File(with_flows("{from: 0, to: 4, bytes: 8B}")).error(),
                HasSubstr("collective.flows: flow 0: ranks 0 and 4 must be two of 0 to 3"));
    EXPECT_THAT(File(with_flows("{from: 0, to: 1, bytes: 8B}, {from: 0, to: 1, bytes: 6B}")).error(),
                HasSubstr("collective.flows.1.bytes: is no whole number of fp32 values"));
    EXPECT_THAT(File(with_flows("{from: 0, to: 1}") + "size: 1MiB\n").error(),
                HasSubstr("size: flows have sizes of their own; leave it out"));
    EXPECT_THAT(File("trace: t\ncollective: {kind: flows, flows: [{from: 0, to: 1}]}\n").error(),
                HasSubstr("a list of transfers carries no values; set payload: synthetic"));
    EXPECT_THAT(File(with_flows("{from: 0, to: 1}, {from: 0, to: 1, bytes: 16GiB}")).error(),
                HasSubstr("collective.flows.1.bytes: has 2^32 values in a message, one more than are possible; send 4B "
                          "less, or in slices: 2"));
}

}   // namespace
}   // namespace oscar::flows_test

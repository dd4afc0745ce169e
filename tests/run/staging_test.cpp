// Messages staged in GPU memory: DMA writes what NICs receive, kernels add it, and DMA reads what is sent.
#include <gmock/gmock.h>

#include <sstream>
#include <utility>

#include "sim/config/load.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"
#include "tests/run/own_process.hpp"

namespace oscar::staging_test {
namespace {

using namespace test;   // methods, iterations and laboratories
using ::testing::HasSubstr;

SmallMachine staged(Parameters p) {
    p.gpu.gradients = GradientForm::codes;
    p.gpu.staging = Staging::gpu;
    return SmallMachine(p);
}

TEST(Staging, LeavesTheSumsOfTheReferenceWithEveryCodecAndPayload) {
    SmallMachine machine = staged(SmallMachine::of(4));
    expect_equal_sums_and_no_closed_form(machine);
}

TEST(Staging, LeavesThemBesideIslandPortsToo) {
    SmallMachine machine = staged(two_islands());
    expect_equal_sums_and_no_closed_form(machine);
}

Parameters coded_by_gpus(Parameters p) {
    p.engine.place = EnginePlace::gpu;
    p.gpu.coding = CodingKernelParams{{{1000, 1}}, {{1000, 1}}};
    return p;
}

TEST(CodingByGpus, LeavesTheSumsOfTheReferenceWithEveryCodecAndPayload) {
    SmallMachine machine = staged(coded_by_gpus(SmallMachine::of(4)));
    expect_equal_sums_and_no_closed_form(machine);
}

TEST(CodingByGpus, LeavesThemBesideIslandPortsToo) {
    SmallMachine machine = staged(coded_by_gpus(two_islands()));
    expect_equal_sums_and_no_closed_form(machine);
}

/// A synthetic run in a process of its own: the AllReduce, in picoseconds.
std::int64_t time_of(const std::string& yaml) {
    const testing::TemporaryFolder folder;
    const auto path = folder.write("exp.yaml", "payload: synthetic\nmethods: [fp32]\n" + yaml);
    return std::stoll(in_own_process(
        [&] { return std::to_string(oscar::run(load_experiment(path, {}), ignore).methods[0].allreduce_ps); }));
}

/// Two ranks exchange halves of 8 values, add them and exchange the sums. All by docs/time.md: 16 bytes by DMA at
/// 461 Gbit/s after 700 ns, a packet with 82 bytes of header at 20 ps a byte, links of 500 ns, 300 ns and a flit of 64
/// bytes in the switch, 100 ns in each NIC; kernels move 12 bytes a value at 0.85 of 26.8 Tbit/s.
TEST(Staging, OfTwoRanksTakesTheTimeByHand) {
    const std::int64_t dma = 700'000 + (16 * 8'000 + 460) / 461;
    const std::int64_t network = 100'000 + 20 * (16 + 82) + 500'000 + 20 * 64 + 300'000 + 500'000 + 100'000;
    const std::int64_t addition = (4 * 12 * 8'000 + 22'779) / 22'780;
    EXPECT_EQ(time_of("ranks: 2\nsize: 32B\ngpu: {staging: gpu}\n"), 2 * (dma + network + dma) + addition);
}

/// Every byte that is sent is read, and every byte that is received is written: in the NIC's own memory sums of a ring
/// of four wait without that.
TEST(Staging, CostsDmaInEachStep) {
    for (const std::string fidelity : {"flit", "packet", "message"}) {
        const std::string ring = "ranks: 4\nsize: 64KiB\nfidelity: " + fidelity + "\n";
        EXPECT_GT(time_of(ring + "gpu: {staging: gpu}\n"), time_of(ring)) << fidelity;
        EXPECT_EQ(time_of(ring + "gpu: {staging: gpu}\n"),
                  time_of("ranks: 4\nsize: 64KiB\nfidelity: flit\ngpu: {staging: gpu}\n"));
    }
}

/// Both steps are handed to a NIC and by one, and where NICs add the exchange as a whole is.
TEST(Staging, DecidesHowOftenAMessageTakesItsLatency) {
    const std::string exchange = "ranks: 2\nsize: 32B\nnic: {message_latency: 6700ns}\ngpu: {staging: ";
    const std::string free = "ranks: 2\nsize: 32B\ngpu: {staging: ";
    EXPECT_EQ(time_of(exchange + "gpu}\n"), time_of(free + "gpu}\n") + 2 * 6'700'000);
    EXPECT_EQ(time_of(exchange + "nic}\n"), time_of(free + "nic}\n") + 6'700'000);
}

/// A chunk of a ring through four nodes crosses from node to node 2 x 4 times. While a GPU is handed a message, its
/// port and DMA send what other channels and slices have; if they waited, these would take the cost one after the
/// other.
TEST(AMessagesLatency, KeepsNoPortFromOtherChannels) {
    const auto ring = [](const std::string& latency) {
        return time_of(
            "ranks: 32\nsize: 25MiB\nfidelity: message\n"
            "collective: {kind: ring, issue: dependency, channels: 8, channel_order: rotated, slices: 4}\n"
            "network: {topology: {kind: hierarchical, island: 8, rails: false}}\n"
            "gpu: {gradients: codes, island_port: {}}\nnic: {message_latency: " +
            latency + "}\n");
    };
    const std::int64_t free = ring("0ns"), paying = ring("6700ns");
    EXPECT_GT(paying, free + 6'700'000);
    EXPECT_LE(paying, free + 8 * 6'700'000);
}

/// Simulated and closed-form time of a ring of five.
std::pair<std::int64_t, std::int64_t> both_times(const std::string& yaml) {
    const testing::TemporaryFolder folder;
    const auto path = folder.write("exp.yaml", "payload: synthetic\nranks: 5\nsize: 80KiB\n" + yaml);
    const std::string text = in_own_process([&] {
        const auto method = oscar::run(load_experiment(path, {}), ignore).methods[0];
        return std::to_string(method.allreduce_ps) + " " + std::to_string(method.closed_form_ps.value_or(0));
    });
    return {std::stoll(text), std::stoll(text.substr(text.find(' ')))};
}

TEST(AMessagesLatency, IsInTheClosedFormAsInTheSimulation) {
    for (const std::string issue : {"lock_step", "dependency"})
        for (const std::string kind : {"ring", "reduce_scatter", "all_gather"}) {
            SCOPED_TRACE(kind + " " + issue);
            const std::string yaml = "methods: [fp32]\ncollective: {kind: " + kind + ", issue: " + issue + "}\n";
            const auto [simulated, formula] = both_times(yaml);
            const auto [simulated_with, formula_with] = both_times(yaml + "nic: {message_latency: 6700ns}\n");
            EXPECT_GT(formula, 0);
            EXPECT_EQ(simulated_with - simulated, 6'700'000);
            EXPECT_EQ(formula_with - formula, 6'700'000);
        }
}

/// Of one rank the closed form does not know when the others wait for it.
TEST(AMessagesLatency, LeavesNoClosedFormWhereNodesDiffer) {
    const std::string yaml = "methods: [fp32]\ncollective: {kind: ring, issue: lock_step}\nnodes: [{ranks: [1], nic: ";
    EXPECT_GT(both_times(yaml + "{latency: 200ns}}]\n").second, 0);
    EXPECT_EQ(both_times(yaml + "{message_latency: 200ns}}]\n").second, 0);
}

/// fp32, uncoded integers and coded ones: one addition to each, so that coding shortens none of it.
TEST(AMessagesLatency, IsTheSameForEveryMethod) {
    const Capture capture = random_capture(4, 4, 600);
    const auto times = [&](const std::string& latency) {
        const Laboratory laboratory(
            "ranks: 4\ngpu: {gradients: codes, staging: gpu}\nmethods: [fp32, fixed_point, asc]\n"
            "quantiser: {agreement: delayed}\nnic: {message_latency: " +
                latency + "}\n",
            capture);
        return in_own_process([&] {
            std::string text;
            for (const auto& method : laboratory.run().methods) text += std::to_string(method.allreduce_ps) + " ";
            return text;
        });
    };
    std::istringstream with(times("6700ns")), without(times("0ns"));
    for (int method = 0; method < 3; ++method) {
        std::int64_t paying = 0, free = 0;
        with >> paying;
        without >> free;
        EXPECT_GT(free, 0);
        EXPECT_EQ(paying - free, 6 * 6'700'000) << method;
    }
}

std::string error_of(const std::string& yaml) { return Laboratory("ranks: 4\n" + yaml).error(); }

TEST(Staging, IsRefusedWhereItCannotBe) {
    EXPECT_THAT(error_of("gpu: {staging: gpu}\nmethods: [fp32, asc]\n"),
                HasSubstr("gpu.staging: kernels add what asc sends, and with gpu.gradients: fp32 the NIC alone makes"));
    EXPECT_THAT(error_of("gpu: {staging: gpu, memory_bandwidth: 1Tbps}\nmethods: [fp32]\n"),
                HasSubstr("cannot keep up with gpu.dma_bandwidth"));
    EXPECT_THAT(error_of("gpu: {staging: gpu, gradients: codes}\ndelta_gather: true\nmethods: [asc]\n"),
                HasSubstr("gpu.staging: with delta_gather"));
    EXPECT_THAT(error_of("gpu: {staging: gpu, gradients: codes}\nmethods: [{kind: top_k, codec: asc}]\n"),
                HasSubstr("leave out its codec, or write nic"));
    EXPECT_THAT(error_of("nic: {message_latency: 7}\n"), HasSubstr("exp.yaml:3:24: nic.message_latency: "));
    EXPECT_THAT(error_of("nic: {message_latency: -7us}\n"), HasSubstr("exp.yaml:3:24: nic.message_latency: "));
    EXPECT_THAT(error_of("nic: {message_latency: 2ms}\n"), HasSubstr("1ms"));
    EXPECT_THAT(error_of("methods: [fp32]\nnodes: [{ranks: [1], gpu: {staging: gpu}}]\n"),
                HasSubstr("nodes.0.gpu.staging: all GPUs stage alike"));
}

}   // namespace
}   // namespace oscar::staging_test

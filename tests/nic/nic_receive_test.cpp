// The gates of a NIC that receives, to the picosecond. See test::readable for what takes how long.
#include <gmock/gmock.h>

#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::nic_receive_test {
namespace {

using test::MachineSpec;
using test::PlainMachine;
using test::readable;
using ::testing::ElementsAre;

const Plan two_ranks = test::int8_plan(2);

/// As readable(), but a value is read in 10 ps, so that no sum waits for its operand.
MachineSpec with_fast_dma() {
    MachineSpec spec = readable();
    spec.node.gpu.dma_bandwidth = 3200_Gbps;
    return spec;
}

TEST(NicReceives, DecodesABlockWhenAllItsBytesAreThere) {
    MachineSpec spec = with_fast_dma();
    spec.network.packet = 96_B;
    PlainMachine machine(spec);
    const auto run =
        machine.run(two_ranks, *test::fixed_point_codec(spec), test::codes(2, 2 * 256, 8, 1));   // 4 blocks of 64 B
    // The encoder takes the blocks at 71 (70.3 + 0.64), 87, 103, 119 ns; block 1 may leave at 87 + 16 + 22 = 125 ns,
    // and with it packet 0. The others follow on its heels: 96, 96 and 64 ns on the wire, each 110 ns before it is in.
    const Time p0 = 125_ns + 96_ns + 110_ns, p1 = p0 + 96_ns, p2 = p1 + 64_ns;
    const auto& decoder = run.outcome.ranks[1].decoder;
    ASSERT_GE(decoder.size(), 3u);
    EXPECT_EQ(decoder[0], (Span{p0, p0 + 16_ns}));       // bytes 0..63 are in packet 0
    EXPECT_EQ(decoder[1], (Span{p1, p1 + 2 * 16_ns}));   // 64..127 end, and 128..191 are, in packet 1
    EXPECT_EQ(decoder[2], (Span{p2, p2 + 16_ns}));
    EXPECT_EQ(run.outcome.steps[0].arrived, p2);
    EXPECT_EQ(run.outcome.steps[0].ready, p2 + 16_ns + 18_ns);
}

/// Chunk 0 has 64 values, chunk 1 has 1024: rank 1 reads those before the 64 that it must add to what rank 0 sends.
const ChunkLayout uneven({{{0, 64}}, {{64, 64 + 1024}}});

TEST(NicReceives, AddsWhenItsOperandIsThereIfTheDmaIsSlow) {
    const MachineSpec spec = readable();
    PlainMachine machine(spec);
    const auto run = machine.run(two_ranks, *test::fixed_point_codec(spec), test::codes(2, 64 + 1024, 8, 1),
                                 Issue::lock_step, {}, &uneven);
    const Time arrived = 135_ns + 16_ns + 12_ns + 10_ns + 64_ns + 110_ns;
    EXPECT_EQ(run.outcome.steps[0].arrived, arrived);
    EXPECT_EQ(run.outcome.ranks[1].decoder.front().begin, 1024_ns + 64_ns + 71_ns);   // 70.3, and on to an edge
    EXPECT_EQ(run.outcome.steps[0].ready, 1024_ns + 64_ns + 71_ns + 16_ns + 18_ns);
}

TEST(NicReceives, AddsAtOnceIfTheDmaIsFast) {
    const MachineSpec spec = with_fast_dma();
    PlainMachine machine(spec);
    const auto run = machine.run(two_ranks, *test::fixed_point_codec(spec), test::codes(2, 64 + 1024, 8, 1),
                                 Issue::lock_step, {}, &uneven);
    const Time arrived = 71_ns + 16_ns + 12_ns + 10_ns + 64_ns + 110_ns;   // operand: 70.3 + 10.88
    EXPECT_EQ(run.outcome.steps[0].arrived, arrived);
    EXPECT_EQ(run.outcome.ranks[1].decoder.front().begin, arrived);
    EXPECT_EQ(run.outcome.steps[0].ready, arrived + 16_ns + 18_ns);
}

TEST(NicReceives, AddsNothingBeforeItsOwnGradientIsThere) {
    const MachineSpec spec = readable();
    PlainMachine machine(spec);
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        SCOPED_TRACE(to_text(issue));
        const auto run =
            machine.run(two_ranks, *test::fixed_point_codec(spec), test::codes(2, 2 * 64, 8, 1), issue, {0_ns, 5_us});
        EXPECT_EQ(run.outcome.steps[0].sent, 135_ns + 16_ns + 12_ns + 10_ns + 64_ns);   // rank 0 does not know
        const Time operand = 5_us + 2 * 64_ns + 71_ns;   // behind the values that rank 1 sends; 70.3, and on to an edge
        EXPECT_EQ(run.outcome.ranks[1].decoder.front().begin, operand);
        EXPECT_EQ(run.outcome.steps[0].ready, operand + 16_ns + 18_ns);
    }
}

TEST(NicReceives, WritesTheResultBackAndThenIsDone) {
    const MachineSpec spec = readable();
    PlainMachine machine(spec);
    const auto run = machine.run(two_ranks, *test::fixed_point_codec(spec), test::codes(2, 2 * 64, 8, 1));
    const Time sum = 173_ns + 64_ns + 110_ns + 16_ns + 18_ns;   // arrival and decoding of the only block
    EXPECT_EQ(run.outcome.steps[0].ready, sum);
    // The sum has 9 bits: 72 B in two packets, both ready with the block.
    const Time copy = sum + 16_ns + 12_ns + 10_ns + 72_ns + 110_ns;
    EXPECT_EQ(run.outcome.steps[2].arrived, copy);
    EXPECT_EQ(run.outcome.steps[2].ready, copy);   // a copy can be handed on before it is decoded
    const Time written = copy + 16_ns + 18_ns + 64_ns + 70'300_ps;
    for (const RankUse& rank : run.outcome.ranks) EXPECT_EQ(rank.finish, written);
    EXPECT_EQ(run.outcome.duration(), written);
}

class AdderTiming : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(AdderTiming, SumsFp32InItsAddersAndCopiesAroundThem) {
    MachineSpec spec = readable();
    spec.network.packet = 256_B;
    spec.node.nic.adders = GetParam();
    PlainMachine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(test::fp32_plan(2), *codec, test::floats(2, 2 * 64));
    const StepTimes &sum = run.outcome.steps[0], &copy = run.outcome.steps[2];
    const Time arrived = 64_ns + 70'300_ps + 10_ns + 256_ns + 110_ns;
    const std::uint32_t cycles = (64 + GetParam() - 1) / GetParam();
    EXPECT_EQ(sum.arrived, arrived);   // 510.3 ns; the next edge is at 511
    EXPECT_EQ(sum.ready, 511_ns + cycles * 1_ns + 1_ns);
    EXPECT_EQ(copy.arrived, sum.ready + 10_ns + 256_ns + 110_ns);
    EXPECT_EQ(copy.ready, copy.arrived);
    EXPECT_EQ(run.outcome.duration(), copy.arrived + 64_ns + 70'300_ps);
}

/// Three ranks at a switch, each of which has the others' values of a chunk to add to its own: 64 values are read in
/// 640 ns, and come in 25.6 ns.
TEST(NicReceives, ReadsAnOperandOnceHoweverManyMessagesAreAddedToIt) {
    MachineSpec spec = readable();
    spec.ranks = 3;
    spec.topology = StarParams{};
    spec.network.packet = 256_B;
    spec.network.link.bandwidth = 80_Gbps;
    spec.node.gpu.dma_bandwidth = 3200_Mbps;
    PlainMachine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan(make_schedule(DirectParams{}, 3), ElementType::float32, 32);
    const auto run = machine.run(plan, *codec, test::floats(3, 3 * 64));
    // What a rank sends is read first. The sums begin when the operand is there, both messages long before: 1990.3 ns,
    // and on to an edge; a cycle each, and the adders' second stage.
    const Time operand = 1991_ns;
    std::vector<std::vector<Time>> ready(3);
    for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (const Step& sum = plan.schedule.steps[i]; sum.op == Op::reduce)
            ready[sum.to.value].push_back(run.outcome.steps[i].ready);
    for (auto& of_rank : ready) {
        std::ranges::sort(of_rank);
        EXPECT_THAT(of_rank, ElementsAre(operand + 2_ns, operand + 3_ns));
    }
}

TEST(NicReceives, FreesTheLinksBufferAlthoughItsRankHasNotStarted) {
    MachineSpec spec = readable();
    spec.network.link.buffer = spec.network.packet;   // each packet waits for the one before to be taken
    PlainMachine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto values = test::floats(2, 2 * 64);
    const auto together = machine.run(test::fp32_plan(2), *codec, values, Issue::dependency);
    const auto late = machine.run(test::fp32_plan(2), *codec, values, Issue::dependency, {0_ns, 100_us});
    // 4 packets of 64 B; a credit is back after the wire, two ways of 100 ns and 10 ns in the NIC.
    const Time first = 64_ns + 70'300_ps + 10_ns, background = 64_ns + 100_ns + 10_ns + 100_ns;
    EXPECT_EQ(together.outcome.steps[0].sent, first + 3 * background + 64_ns);
    EXPECT_EQ(late.outcome.steps[0].sent, together.outcome.steps[0].sent);
    EXPECT_EQ(late.outcome.steps[0].arrived, 100_us);
}

/// Chunks of 8192 values, 64 in a block, in two packets that take 16384 ns on the link each: the sums of the second one
/// begin when it has come.
TEST_P(AdderTiming, AddsTheValuesOfAPacketInAsManyCyclesAsItsAddersNeed) {
    MachineSpec spec = readable();
    spec.network.packet = 16_KiB;
    spec.node.nic.adders = GetParam();
    PlainMachine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(test::fp32_plan(2), *codec, test::floats(2, 2 * 8192));
    const StepTimes& sum = run.outcome.steps[0];
    const std::int64_t cycles = (4096 + GetParam() - 1) / GetParam();
    const Time edge = Time{(sum.arrived.ps + 999) / 1000 * 1000};
    EXPECT_EQ(sum.ready, edge + cycles * 1_ns + 1_ns);
}

INSTANTIATE_TEST_SUITE_P(Adders, AdderTiming, ::testing::Values(1u, 3u, 32u, 33u, 48u, 63u, 64u, 128u, 4096u, 65536u));

}   // namespace
}   // namespace oscar::nic_receive_test

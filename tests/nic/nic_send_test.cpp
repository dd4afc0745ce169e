// The gates of a NIC that sends, to the picosecond. See test::readable for what takes how long.
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::nic_send_test {
namespace {

using test::MachineSpec;
using test::PlainMachine;
using test::readable;

const Plan two = test::int8_plan(2);

// Block k of the first message is read at 64 (k+1) + 70.3 ns, and the encoder has edges at whole ns: it takes block 0
// from 135 to 151 and block 1 from 199 to 215, both 12 cycles before their bytes are out and 10 ns before they may
// leave.
constexpr Time first_block_leaves = 135_ns + 16_ns + 12_ns + 10_ns;
constexpr Time second_block_leaves = 199_ns + 16_ns + 12_ns + 10_ns;

struct LeavingCase {
    Bytes packet;
    Time first_bit;
};
void PrintTo(const LeavingCase& c, std::ostream* out) { *out << c.packet.count << " B"; }

class FirstPacket : public ::testing::TestWithParam<LeavingCase> {};

TEST_P(FirstPacket, LeavesWhenTheBlockWithItsLastByteIsEncoded) {
    MachineSpec spec = readable();
    spec.network.packet = GetParam().packet;
    PlainMachine machine(spec);
    const auto run =
        machine.run(two, *test::fixed_point_codec(spec), test::codes(2, 2 * 128, 8, 1));   // 2 blocks of 64 B each
    for (const RankUse& rank : run.outcome.ranks) {
        EXPECT_EQ(rank.wire.front().begin, GetParam().first_bit);
        EXPECT_EQ(rank.encoder.front(), (Span{135_ns, 151_ns}));
        EXPECT_EQ(rank.encoder[1], (Span{199_ns, 215_ns}));
    }
}

INSTANTIATE_TEST_SUITE_P(Of, FirstPacket,
                         ::testing::Values(LeavingCase{63_B, first_block_leaves}, LeavingCase{64_B, first_block_leaves},
                                           LeavingCase{65_B, second_block_leaves},
                                           LeavingCase{128_B, second_block_leaves},
                                           LeavingCase{4_KiB, second_block_leaves}));

TEST(NicSends, WaitsForTheNextEdgeOfTheEnginesClock) {
    MachineSpec spec = readable();
    spec.node.engine.clock = 800_MHz;   // edges every 1.25 ns; the block is there at 134.3 ns
    PlainMachine machine(spec);
    const auto run = machine.run(two, *test::fixed_point_codec(spec), test::codes(2, 2 * 64, 8, 1));
    const Time edge = 108 * 1250_ps;   // 135 ns; the one before is at 133.75 ns
    EXPECT_EQ(run.outcome.ranks[0].encoder.front().begin, edge);
    EXPECT_EQ(run.outcome.ranks[0].wire.front().begin, edge + (16 + 12) * 1250_ps + 10_ns);
}

TEST(NicSends, IsBoundByAnEncoderThatIsSlowerThanTheDma) {
    MachineSpec spec = readable();
    spec.node.engine.encode_interval = 8;   // 128 cycles a block
    PlainMachine machine(spec);
    const auto run = machine.run(two, *test::fixed_point_codec(spec), test::codes(2, 2 * 128, 8, 1));
    const RankUse& rank = run.outcome.ranks[0];
    EXPECT_EQ(rank.encoder.front(), (Span{135_ns, 135_ns + 2 * 128_ns}));
    EXPECT_EQ(rank.wire[0], (Span{135_ns + 128_ns + 22_ns, 135_ns + 128_ns + 22_ns + 64_ns}));
    EXPECT_EQ(rank.wire[1], (Span{135_ns + 256_ns + 22_ns, 135_ns + 256_ns + 22_ns + 64_ns}));
    EXPECT_EQ(run.outcome.steps[0].sent, 135_ns + 256_ns + 22_ns + 64_ns);
}

/// Steps 0 and 2 are what rank 0 sends first, of two slices: messages of two blocks of 128 cycles.
struct TwoSlices : ::testing::Test {
    const Plan plan = test::int8_plan(2, 2);
    PlainMachine::Result run_with(Bandwidth dma) {
        MachineSpec spec = readable();
        spec.node.gpu.dma_bandwidth = dma;
        spec.node.engine.encode_interval = 8;
        PlainMachine machine(spec);
        return machine.run(plan, *test::fixed_point_codec(spec), test::codes(2, 4 * 128, 8, 1));
    }
};

TEST_F(TwoSlices, ShareTheEncoderInTheOrderOfTheirIssue) {
    const auto run = run_with(3200_Gbps);   // the first block is there at 70.94 ns, the others long before their turn
    const auto& steps = run.outcome.steps;
    EXPECT_EQ(steps[0].issued, 0_ns);
    EXPECT_EQ(steps[2].issued, 0_ns);
    EXPECT_EQ(run.outcome.ranks[0].encoder.front(), (Span{71_ns, 71_ns + 4 * 128_ns}));
    EXPECT_EQ(steps[0].sent, 71_ns + 2 * 128_ns + 22_ns + 64_ns);
    EXPECT_EQ(steps[2].sent, 71_ns + 4 * 128_ns + 22_ns + 64_ns);
}

TEST_F(TwoSlices, AreBothReadBeforeTheOperandsOfEither) {
    // 4 blocks at 64 ns each are read faster than they are encoded, unless the 256 values of the operands come between.
    const auto run = run_with(32_Gbps);
    EXPECT_EQ(run.outcome.ranks[0].encoder.front(), (Span{135_ns, 135_ns + 4 * 128_ns}));
    EXPECT_EQ(run.outcome.steps[2].sent, 135_ns + 4 * 128_ns + 22_ns + 64_ns);
}

TEST(NicSends, ReadsPartialSumsFromItsOwnMemoryWithoutDma) {
    MachineSpec spec = readable();
    spec.ranks = 3;
    spec.node.gpu.dma_latency = 5_us;
    PlainMachine machine(spec);
    const Plan plan = test::int8_plan(3);
    const auto run = machine.run(plan, *test::fixed_point_codec(spec), test::codes(3, 3 * 64, 8, 1));
    for (std::size_t r = 0; r < 3; ++r) {   // timestep 1 sends the sum of two ranks
        const Time issued = run.outcome.steps[3 + r].issued;
        EXPECT_EQ(issued.ps % 1000, 0);   // the decoder's edge
        EXPECT_EQ(run.outcome.ranks[r].encoder[1], (Span{issued, issued + 16_ns}));
        EXPECT_EQ(run.outcome.ranks[r].wire[1].begin, issued + 16_ns + 12_ns + 10_ns);
    }
}

TEST(NicSends, ForwardsAnAllGatherMessageWithoutEncodingItAgain) {
    MachineSpec spec = readable();
    spec.ranks = 4;
    PlainMachine machine(spec);
    const Plan plan = test::int8_plan(4);
    const auto run = machine.run(plan, *test::fixed_point_codec(spec), test::codes(4, 4 * 64, 8, 1));
    for (std::size_t r = 0; r < 4; ++r) {
        const RankUse& rank = run.outcome.ranks[r];
        EXPECT_EQ(test::total(rank.encoder), 4 * 16_ns);   // three partial sums and its own result, but no other's
        EXPECT_EQ(test::total(rank.decoder), 6 * 16_ns);   // what six timesteps brought
        const StepTimes& last = run.outcome.steps[5 * 4 + r];
        EXPECT_EQ(rank.wire.back().begin, last.issued + 10_ns);
    }
}

TEST(NicSends, Fp32LeavesAsSoonAsItIsReadAndNeverUsesTheEngine) {
    MachineSpec spec = readable();
    spec.network.packet = 256_B;
    PlainMachine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(test::fp32_plan(2), *codec, test::floats(2, 2 * 128));
    for (const RankUse& rank : run.outcome.ranks) {
        EXPECT_EQ(rank.wire.front().begin, 64_ns + 70'300_ps + 10_ns);   // 64 values are 256 B are a packet
        EXPECT_TRUE(rank.encoder.empty());
        EXPECT_TRUE(rank.decoder.empty());
    }
}

TEST(NicSends, WhatItHasEncodedBeforeOneLatencyAfterTheIssue) {
    MachineSpec spec = readable();
    spec.ranks = 4;
    spec.topology = StarParams{};
    PlainMachine machine(spec);
    const Collective tree = BroadcastFromRootParams{};
    const Plan plan(make_schedule(tree, 4), ElementType::integer, 8, operation_of(tree));
    const auto codec = test::fixed_point_codec(spec);
    const ChunkLayout layout = make_layout(EqualParams{}, 64, {1, 1}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    const Outcome outcome = machine.system().run({plan, participants, Issue::lock_step, {}});
    EXPECT_EQ(test::total(outcome.ranks[0].encoder), 16_ns);   // once
    ASSERT_EQ(plan.schedule.steps.size(), 3u);                 // from rank 0 to 1; to 2, and from rank 1 to 3
    EXPECT_EQ(outcome.steps[0].sent, first_block_leaves + 64_ns);
    EXPECT_EQ(outcome.steps[1].issued, outcome.steps[0].ready);
    EXPECT_EQ(outcome.steps[1].sent, outcome.steps[1].issued + 10_ns + 64_ns);
}

TEST(NicSends, PacketsOfTwoChannelsToOneRankInTurn) {
    MachineSpec spec = readable();
    spec.node.gpu.dma_bandwidth = 3200_Gbps;
    PlainMachine machine(spec);
    RingParams params;
    params.channels = 2;
    const Plan plan(make_schedule(Collective(params), 2), ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 4 * 64, {4, 1}, {});
    const auto run = machine.run(plan, *codec, test::floats(2, 4 * 64), Issue::lock_step, {}, &layout);
    std::vector<Time> sent;   // of messages of four packets each, which both are there at once
    for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.schedule.steps[i].from == Rank{0} && plan.schedule.steps[i].timestep == Timestep{0})
            sent.push_back(run.outcome.steps[i].sent);
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_EQ(sent[1] - sent[0], 64_ns);
}

TEST(NicSends, AnEmptyChunkAsAHeaderAlone) {
    MachineSpec spec = readable();
    spec.ranks = 3;
    spec.network.header = 16_B;
    PlainMachine machine(spec);
    const Plan plan = test::int8_plan(3);
    const auto run = machine.run(plan, *test::fixed_point_codec(spec), {{5}, {-7}, {100}});
    for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i) {
        SCOPED_TRACE(::testing::Message() << "step " << i);
        const bool empty =
            plan.schedule.steps[i].chunk.value != 2;   // element 0 is in chunk [0, 1) of thirds: the last
        const StepTimes& times = run.outcome.steps[i];
        EXPECT_EQ(run.outcome.records[i].bytes == 0, empty);
        if (!empty) continue;
        EXPECT_EQ(run.outcome.wire_bytes[i], 16u);
        EXPECT_EQ(times.arrived - times.issued, 10_ns + 16_ns + 100_ns + 10_ns);
        EXPECT_EQ(times.ready, times.arrived);
    }
    for (const RankState& rank_state : run.timed) EXPECT_EQ(rank_state.values().all()[0], 5 - 7 + 100);
}

}   // namespace
}   // namespace oscar::nic_send_test

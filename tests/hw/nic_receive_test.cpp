// The gates of a NIC that receives, to the picosecond. See test::readable for what takes how long.
#include <gmock/gmock.h>

#include "tests/hw/support.hpp"
#include "tests/timing/support.hpp"

namespace oscar {
namespace {

using test::Machine;
using test::MachineSpec;
using test::readable;
using testing::ElementsAre;

const Plan two = test::int8_plan(2);

/// As readable(), but a value is read in 10 ps, so that no sum waits for its operand.
MachineSpec with_fast_dma() {
    MachineSpec spec = readable();
    spec.node.gpu.dma_bandwidth = 3200_Gbps;
    return spec;
}

TEST(NicReceives, DecodesABlockWhenAllItsBytesAreThere) {
    MachineSpec spec = with_fast_dma();
    spec.network.packet = 96_B;
    Machine machine(spec);
    const auto run = machine.run(two, *test::widened(spec), test::codes(2, 2 * 256, 8, 1));   // 4 blocks of 64 B
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
    Machine machine(spec);
    const auto run =
        machine.run(two, *test::widened(spec), test::codes(2, 64 + 1024, 8, 1), Issue::lock_step, {}, &uneven);
    const Time arrived = 135_ns + 16_ns + 12_ns + 10_ns + 64_ns + 110_ns;
    EXPECT_EQ(run.outcome.steps[0].arrived, arrived);
    EXPECT_EQ(run.outcome.ranks[1].decoder.front().begin, 1024_ns + 64_ns + 71_ns);   // 70.3, and on to an edge
    EXPECT_EQ(run.outcome.steps[0].ready, 1024_ns + 64_ns + 71_ns + 16_ns + 18_ns);
}

TEST(NicReceives, AddsAtOnceIfTheDmaIsFast) {
    const MachineSpec spec = with_fast_dma();
    Machine machine(spec);
    const auto run =
        machine.run(two, *test::widened(spec), test::codes(2, 64 + 1024, 8, 1), Issue::lock_step, {}, &uneven);
    const Time arrived = 71_ns + 16_ns + 12_ns + 10_ns + 64_ns + 110_ns;   // operand: 70.3 + 10.88
    EXPECT_EQ(run.outcome.steps[0].arrived, arrived);
    EXPECT_EQ(run.outcome.ranks[1].decoder.front().begin, arrived);
    EXPECT_EQ(run.outcome.steps[0].ready, arrived + 16_ns + 18_ns);
}

TEST(NicReceives, AddsNothingBeforeItsOwnGradientIsThere) {
    const MachineSpec spec = readable();
    Machine machine(spec);
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        SCOPED_TRACE(to_text(issue));
        const auto run = machine.run(two, *test::widened(spec), test::codes(2, 2 * 64, 8, 1), issue, {0_ns, 5_us});
        EXPECT_EQ(run.outcome.steps[0].sent, 135_ns + 16_ns + 12_ns + 10_ns + 64_ns);   // rank 0 does not know
        const Time operand = 5_us + 2 * 64_ns + 71_ns;   // behind the values that rank 1 sends; 70.3, and on to an edge
        EXPECT_EQ(run.outcome.ranks[1].decoder.front().begin, operand);
        EXPECT_EQ(run.outcome.steps[0].ready, operand + 16_ns + 18_ns);
    }
}

TEST(NicReceives, WritesTheResultBackAndThenIsDone) {
    const MachineSpec spec = readable();
    Machine machine(spec);
    const auto run = machine.run(two, *test::widened(spec), test::codes(2, 2 * 64, 8, 1));
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

class AdderTiming : public testing::TestWithParam<std::uint32_t> {};

TEST_P(AdderTiming, SumsFp32InItsAddersAndCopiesAroundThem) {
    MachineSpec spec = readable();
    spec.network.packet = 256_B;
    spec.node.nic.adders = GetParam();
    Machine machine(spec);
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

INSTANTIATE_TEST_SUITE_P(Adders, AdderTiming, testing::Values(1u, 3u, 64u));

/// The NIC of rank 1 alone, between a cable that brings step 0 and one that leads nowhere.
struct LoneNic : testing::Test {
    MachineSpec spec = readable();
    Plan plan = test::fp32_plan(2);
    std::unique_ptr<Codec> codec = make_codec(Fp32Params{}, Framing{});
    std::vector<Endpoint> endpoints = test::make_endpoints(plan, *codec);
    EndpointParticipants participants{plan, endpoints, *codec};
    Job job{plan, participants, Issue::lock_step, {}};
    Outcome outcome;
    RunningJob running{job, Time{}, outcome};
    Topology topology = make_topology(spec.topology, 2);
    std::vector<std::pair<std::uint32_t, Time>> ready;
    test::Script script;
    test::NotingSink nowhere;
    Nic nic{"nic",        Rank{1},  spec.node,
            spec.network, topology, [this](StepId step) { ready.emplace_back(step.value, now()); }};
    Link in{"in", "rank0->rank1", spec.network.link, spec.network.flit, nic};
    Link out{"out", "rank1->rank0", spec.network.link, spec.network.flit, nowhere};

    LoneNic() {
        test::begin(endpoints, test::floats(2, 2 * 50), plan);   // 50 values: 200 B
        outcome.steps.resize(4);
        outcome.sent.resize(4);
        outcome.wire_bytes.resize(4);
        outcome.ranks.resize(2);
        nic.add_output(topology.next[1][0].value(), out);
        nic.begin(running);
        running.outbound[StepId{0}].departures[0].resize(2);
        running.outbound[StepId{0}].message = participants.send(StepId{0});
    }
    Packet packet(std::uint32_t sequence, std::uint64_t offset, std::uint64_t size, bool last) const {
        const auto bytes = std::span(running.outbound.at(StepId{0}).message->bytes);
        return {Rank{0}, Rank{1}, StepId{0}, sequence, offset, bytes.subspan(offset, size), 0_B, last};
    }
};

TEST_F(LoneNic, FreesTheLinksBufferOneLatencyAfterEachTail) {
    nic.start({});
    const Bytes all = spec.network.link.buffer;
    script.at(5_ns, [&] { in.send(packet(0, 0, 150, false), {}); });
    script.at(155_ns, [&] { in.send(packet(1, 150, 50, true), {}); });
    const Time first = 155_ns + 100_ns + 10_ns + 100_ns, second = 205_ns + 100_ns + 10_ns + 100_ns;
    script.at(first - 1_ps, [&] { EXPECT_EQ(in.credits(), all - 200_B); });
    script.at(first, [&] { EXPECT_EQ(in.credits(), all - 50_B); });
    script.at(second - 1_ps, [&] { EXPECT_EQ(in.credits(), all - 50_B); });
    script.at(second, [&] { EXPECT_EQ(in.credits(), all); });
    Agenda::run_all();
    EXPECT_EQ(outcome.steps[0].arrived, 205_ns + 100_ns + 10_ns);
    EXPECT_THAT(ready, ElementsAre(testing::Pair(0u, testing::Ge(outcome.steps[0].arrived))));
}

TEST_F(LoneNic, FreesTheLinksBufferAlthoughItsRankHasNotStarted) {
    const Bytes all = spec.network.link.buffer;
    script.at(5_ns, [&] { in.send(packet(0, 0, 200, true), {}); });
    const Time back = 205_ns + 100_ns + 10_ns + 100_ns;
    script.at(back - 1_ps, [&] { EXPECT_EQ(in.credits(), all - 200_B); });
    script.at(back, [&] { EXPECT_EQ(in.credits(), all); });
    script.at(back + 1_us, [&] {
        EXPECT_THAT(ready, testing::IsEmpty());
        nic.start({now()});
    });
    Agenda::run_all();
    EXPECT_THAT(ready, ElementsAre(testing::Pair(0u, testing::Gt(back + 1_us))));
}

TEST_F(LoneNic, RefusesPacketsThatOvertookEachOther) {
    nic.start({});
    script.at(5_ns, [&] { in.send(packet(1, 150, 50, true), {}); });
    EXPECT_THROW(Agenda::run_all(), std::logic_error);
}

}   // namespace
}   // namespace oscar

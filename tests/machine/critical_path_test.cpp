// What the time of an AllReduce is said to have gone to, on machines whose times can be read off.
#include "models/timing/critical_path.hpp"

#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::critical_path_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;
using test::readable;

class CausesOf : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(CausesOf, EveryStepEveryRankAndTheWholeAddUpToItsTime) {
    const RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine machine(job.spec);
    const Outcome outcome = job.run_on(machine).outcome;
    EXPECT_EQ(outcome.path.total_ps(), outcome.duration().ps);
    for (const StepTimes& step : outcome.steps) EXPECT_EQ(step.path.total_ps(), (step.ready - outcome.first_start).ps);
    for (const RankUse& rank : outcome.ranks)
        EXPECT_EQ(rank.path.total_ps(), rank.finish == 0_ps ? 0 : (rank.finish - outcome.first_start).ps);   // no value
    for_each_field<CriticalPath>([&](const auto& cause) { EXPECT_GE(outcome.path.*cause.member, 0) << cause.key; });
}

TEST_P(CausesOf, NoMoreWireOrEngineTimeThanAllLinksOrEnginesWereBusy) {
    const RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine machine(job.spec);
    const Outcome outcome = job.run_on(machine).outcome;
    Time wire, engine;
    for (const LinkUse& link : outcome.links) wire += test::total(link.busy);
    for (const RankUse& rank : outcome.ranks) engine += test::total(rank.encoder) + test::total(rank.decoder);
    EXPECT_LE(outcome.path.wire_ps, wire.ps);
    if (job.codec->uses_engine()) {   // and an edge to wait for, each time
        const Time edges = static_cast<std::int64_t>(4 * outcome.steps.size()) * 5_ns;
        EXPECT_LE(outcome.path.engine_ps, (engine + edges).ps);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, CausesOf, ::testing::Range<std::uint64_t>(400, 440));

/// Plain words on a ring of cables: a byte takes 1 ns on the wire and 0.25 ns from memory, 64 values one edge of 1 ns
/// in the adders. Chunks of 640 values are 2560 B in one packet.
struct CausesOnAPlainRing : ::testing::Test {
    MachineSpec spec = readable();
    CausesOnAPlainRing() {
        spec.ranks = 4;
        spec.network.packet = 4_KiB;
        spec.node.gpu = {32_Gbps, 70_ns};
    }
    Outcome run(Issue issue, const std::vector<Time>& start = {}) {
        if (!machine) machine = std::make_unique<Machine>(spec);
        const auto codec = make_codec(Fp32Params{}, Framing{});
        return machine->run(test::fp32_plan(4), *codec, test::floats(4, 640 * 4), issue, start).outcome;
    }
    std::unique_ptr<Machine> machine;
};

TEST_F(CausesOnAPlainRing, HasItsAlphaInLatencyItsBetaInWireAndItsGammaInTheEngine) {
    const std::int64_t rounds = 6, reduces = 3;
    const CriticalPath path{.wire_ps = rounds * 2'560'000,
                            .engine_ps = reduces * 10'000,   // ten blocks of 64
                            .dma_ps = 2 * 640'000,           // 2560 B read, 2560 B written
                            // Each round: NIC out, cable, NIC in; each sum: the adders' second stage; DMA: before the
                            // first, after the last.
                            .latency_ps = rounds * (10'000 + 100'000 + 10'000) + reduces * 1'000 + 2 * 70'000,
                            .wait_ps = 0};
    EXPECT_EQ(run(Issue::lock_step).path, path);
}

TEST_F(CausesOnAPlainRing, OfEqualChunksIsTheSameWhoeverWaitsForWhom) {
    EXPECT_EQ(run(Issue::dependency).path, run(Issue::lock_step).path);
}

TEST_F(CausesOnAPlainRing, CountsALateStartAsWaiting) {
    const Outcome outcome = run(Issue::lock_step, {0_ns, 0_ns, 70_us, 0_ns});
    EXPECT_EQ(outcome.path.wait_ps, 70'000'000);
    EXPECT_EQ(outcome.path.total_ps(), outcome.duration().ps);
}

TEST_F(CausesOnAPlainRing, CountsCreditsThatAreMissingAsWaiting) {
    // Packets of 640 B on a link whose buffer holds one. A credit is back 210 ns after the packet has left: cable, NIC
    // and cable. Three of four packets wait for it in each round. The first of a round waits less, by the NIC in which
    // it is itself by then, and after a sum by the adders: three blocks end in the last packet, which take 4 ns.
    spec.network.packet = 640_B;
    spec.network.link.buffer = 640_B;
    EXPECT_EQ(run(Issue::lock_step).path.wait_ps,
              6 * 3 * 210'000 + 3 * (100'000 - 10'000 - 4'000) + 2 * (100'000 - 10'000));
}

TEST_F(CausesOnAPlainRing, CountsWhatMessagesTakeBeyondTheMeanAsWaitingInLockStep) {
    // Chunks of 960 and 320 values: the mean of 640 is two thirds of the larger, in each round.
    spec.ranks = 2;
    const ChunkLayout uneven({{{0, 960}}, {{960, 1280}}});
    Machine two(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto path = [&](Issue issue) {
        return two.run(test::fp32_plan(2), *codec, test::floats(2, 1280), issue, {}, &uneven).outcome.path;
    };
    const CriticalPath all{.wire_ps = 2 * 3'840'000,
                           .engine_ps = 15'000,
                           .dma_ps = 2 * 960'000,
                           .latency_ps = 2 * 120'000 + 1'000 + 2 * 70'000,
                           .wait_ps = 0};
    EXPECT_EQ(path(Issue::dependency), all);   // nobody waits for rounds
    const CriticalPath level{.wire_ps = all.wire_ps / 3 * 2,
                             .engine_ps = all.engine_ps / 3 * 2,
                             .dma_ps = all.dma_ps / 3 * 2,
                             .latency_ps = all.latency_ps,
                             .wait_ps = (all.wire_ps + all.engine_ps + all.dma_ps) / 3};
    EXPECT_EQ(path(Issue::lock_step), level);
}

TEST_F(CausesOnAPlainRing, OfASenderOfTwoEqualMessagesInARoundHasNoImbalanceInLockStep) {
    // Chunks of 640 values in two slices: 2560 B each, one behind the other on the wire, in two rounds.
    spec.ranks = 2;
    Machine two(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Outcome outcome = two.run(test::fp32_plan(2, 2), *codec, test::floats(2, 640 * 4), Issue::lock_step).outcome;
    EXPECT_EQ(outcome.path.wait_ps, 0);
    EXPECT_EQ(outcome.path.wire_ps, 2 * 2 * 2'560'000);
    EXPECT_EQ(outcome.path.total_ps(), outcome.duration().ps);
}

TEST(CriticalPathOfASlowEngine, RunsThroughItsEncoder) {
    MachineSpec spec = readable();
    spec.node.engine.encode_interval =
        8;   // a block of 64 values takes 128 cycles of 1 ns, its bytes 64 ns on the wire
    test::PlainMachine machine(spec);
    const auto run = machine.run(test::int8_plan(2), *test::fixed_point_codec(spec), test::codes(2, 2 * 128, 8, 1),
                                 Issue::lock_step);
    // Two rounds of two blocks: both through the encoder, then a packet on the wire and a block through the decoder.
    // The first block is there at 134.3 ns, which waits for an edge. In the second round a block of sums of 9 bits is
    // 72 B, so that the first one ends in the packet that has to wait for the second, and both are written after that.
    const CriticalPath path{.wire_ps = 2 * 64'000,
                            .engine_ps = 700 + 2 * (2 * 128'000 + 16'000),
                            .dma_ps = 64'000 + 2 * 64'000,
                            .latency_ps = 2 * (12'000 + 10'000 + 100'000 + 10'000 + 18'000) + 2 * 70'300,
                            .wait_ps = 0};
    EXPECT_EQ(run.outcome.path, path);
}

TEST(Moments, FollowTheLaterOfTwoAndTheFirstOfEqualOnes) {
    const TimedEvent wire = TimedEvent{}.after(10_ns, &CriticalPath::wire_ps);
    const TimedEvent engine = TimedEvent{}.after(10_ns, &CriticalPath::engine_ps);
    EXPECT_EQ(later(wire, engine).path, wire.path);
    EXPECT_EQ(later(wire, engine.after(1_ps, &CriticalPath::dma_ps)).path.engine_ps, 10'000);
    EXPECT_EQ(wire.until(10_ns - 1_ps, &CriticalPath::dma_ps).at, 10_ns);   // time does not go back
}

TEST(Levelled, LeavesPathsOfSmallMessagesAndOfOtherOriginAsTheyAre) {
    const CriticalPath begin{.wire_ps = 100}, end{.wire_ps = 200, .latency_ps = 50};
    EXPECT_EQ(attribute_imbalance(begin, end, {1.5, 1.5}), end);
    EXPECT_EQ(attribute_imbalance(begin, end, {0.75, 1}),
              (CriticalPath{.wire_ps = 175, .latency_ps = 50, .wait_ps = 25}));
    EXPECT_EQ(attribute_imbalance({.dma_ps = 1}, end, {0.75, 1}), end);
}

}   // namespace
}   // namespace oscar::critical_path_test

// Packets that are damaged, lost, doubled or swapped on the simulated machine: what repairs them, and what is left.
#include <gmock/gmock.h>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/machine/support.hpp"

namespace oscar::faults_test {
namespace {

using test::Machine;
using test::MachineSpec;
using ::testing::HasSubstr;

MachineSpec with(const FaultParams& faults, const Reliability& reliability = GoBackNParams{}) {
    MachineSpec spec;
    spec.network.packet = 256_B;
    spec.network.reliability = reliability;
    spec.network.faults = faults;
    return spec;
}

/// Every codec's AllReduce of integers, on one machine.
template <class F>
void for_each_codec(Machine& machine, F&& f) {
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        const auto codec = make_codec(CodecChoice(P{}), Framing{});
        f(machine.run(test::int8_plan(4), *codec, test::codes(4, 4000, 8, 1)));
    });
}

void expect_sums(const Machine::Result& run) {
    for (const RankState& rank_state : run.timed)
        EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), exact_sum(test::codes(4, 4000, 8, 1))));
}

template <class P>
class Repaired : public ::testing::Test {};
using Repairs = ::testing::Types<GoBackNParams, SelectiveParams>;
TYPED_TEST_SUITE(Repaired, Repairs);

TYPED_TEST(Repaired, FlipsAndDropsLeaveEverySumExactAndAreAllRepaired) {
    Machine machine(with({.flip = 0.1, .drop = 0.1}, TypeParam{}));
    std::uint64_t hit = 0;
    for_each_codec(machine, [&](const Machine::Result& run) {
        expect_sums(run);
        const FaultUse& faults = run.outcome.faults.value();
        EXPECT_EQ(faults.flipped, faults.crc_errors);
        EXPECT_LE(faults.repaired, faults.flipped + faults.dropped);
        EXPECT_GT(faults.repaired, 0u);
        EXPECT_EQ(run.outcome.transport->damaged, faults.flipped + faults.dropped);
        EXPECT_GE(run.outcome.transport->retransmitted, faults.repaired);
        hit += faults.flipped + faults.dropped;
    });
    EXPECT_GT(hit, 100u);
}

TEST(Faults, OfZeroProbabilityChangeNoTime) {
    Machine machine(with({}, UnreliableParams{}));
    const auto codec = make_codec(AscParams{}, Framing{});
    const auto run = machine.run(test::int8_plan(4), *codec, test::codes(4, 4000, 8, 1));
    EXPECT_FALSE(run.outcome.faults);
    EXPECT_FALSE(run.outcome.transport);
}

TEST(Faults, ThatNothingRepairsEndTheRunWithWhatWasLost) {
    Machine machine(with({.drop = 0.2}, UnreliableParams{}));
    const auto codec = make_codec(Fp32Params{}, Framing{});
    try {
        machine.run(test::int8_plan(4), *codec, test::codes(4, 4000, 8, 1));
        FAIL() << "packets were lost";
    } catch (const Deadlock& error) {
        EXPECT_THAT(error.what(), HasSubstr("packets were lost"));
        EXPECT_THAT(error.what(), HasSubstr("write network.reliability: {kind: go_back_n} or selective"));
    }
}

TEST(Faults, OfOrderAreSortedOutByNumbersWithoutAnyRepair) {
    Machine machine(with({.duplicate = 0.3, .reorder = 0.3}, UnreliableParams{}));
    for_each_codec(machine, [&](const Machine::Result& run) {
        expect_sums(run);
        const FaultUse& faults = run.outcome.faults.value();
        EXPECT_GT(faults.duplicated, 0u);
        EXPECT_EQ(faults.discarded, faults.duplicated);
        EXPECT_GT(faults.reordered, 0u);
        EXPECT_GE(faults.sorted, faults.reordered);   // one that comes before two copies of the late one, once
        EXPECT_EQ(run.outcome.transport->damaged, 0u);
    });
}

TEST(Faults, OfOrderAreSortedOutBeforeARankHasStarted) {
    Machine machine(with({.duplicate = 0.3, .reorder = 0.3}, UnreliableParams{}));
    const auto codec = make_codec(AscParams{}, Framing{});
    const auto run = machine.run(test::int8_plan(4), *codec, test::codes(4, 4000, 8, 1), Issue::dependency,
                                 {0_ns, 50_us, 0_ns, 100_us});
    expect_sums(run);
    EXPECT_GT(run.outcome.faults->discarded, 0u);
}

TEST(Faults, CostNoTimeButWhatTheirRepairTakes) {
    Machine machine(with({.duplicate = 1}, UnreliableParams{}));
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto doubled = machine.run(test::int8_plan(4), *codec, test::codes(4, 4000, 8, 1));
    const MachineSpec spec = with({}, UnreliableParams{});
    const Bytes wire = spec.network.packet + spec.network.header;
    // 6 timesteps of 1000 words, 16 packets of which the last is short; doubled packets take no link time.
    const Time least = 6 * 15 * serialization(wire, spec.network.link.bandwidth);
    EXPECT_GT(doubled.outcome.duration(), least);
    std::uint64_t bytes = 0;
    for (const std::uint64_t step : doubled.outcome.wire_bytes) bytes += step;
    EXPECT_EQ(bytes, 24 * (4000 + 16 * spec.network.header.count));
}

/// fp32 has no headers in its blocks, so that an inverted bit changes a value and nothing else.
TEST(Faults, ThatNothingNoticesChangeSumsButNoTime) {
    Machine machine(with({}, UnreliableParams{}), "whole");
    Machine altering(with({.flip = 1, .check = PacketCheck::none}, UnreliableParams{}), "altering");
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto values = test::floats(4, 4000);
    const auto whole = machine.run(test::fp32_plan(4), *codec, values);
    const auto altered = altering.run(test::fp32_plan(4), *codec, values);
    EXPECT_FALSE(std::ranges::equal(altered.timed[0].values().all(), whole.timed[0].values().all()));
    EXPECT_GT(altered.outcome.faults->flipped, 0u);
    EXPECT_EQ(altered.outcome.finish, whole.outcome.finish);
    for (std::size_t i = 0; i < whole.outcome.steps.size(); ++i) {
        const StepTimes &a = altered.outcome.steps[i], &b = whole.outcome.steps[i];
        EXPECT_EQ(std::tie(a.issued, a.sent, a.arrived, a.ready, a.stored),
                  std::tie(b.issued, b.sent, b.arrived, b.ready, b.stored))
            << "step " << i;
    }
}

TEST(Faults, OfAnotherIterationHitOtherPackets) {
    Machine machine(with({.drop = 0.2}, GoBackNParams{}));
    const Plan plan = test::fp32_plan(4);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 4000, {4, 1}, {});
    const auto finish = [&](std::uint64_t draw) {
        SyntheticMessageSource participants(plan, *codec, layout);
        return machine.system().run({plan, participants, Issue::lock_step, {}, {}, draw}).duration();
    };
    EXPECT_EQ(finish(3), finish(3));
    EXPECT_NE(finish(3), finish(4));
}

}   // namespace
}   // namespace oscar::faults_test

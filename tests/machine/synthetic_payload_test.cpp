// Jobs without values: the same times and bytes as with values, in memory that does not grow with them.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "models/codec/message/size_only_codec.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/core/address_sanitizer.hpp"
#include "tests/machine/support.hpp"

namespace oscar::synthetic_payload_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;

using Times = std::vector<std::tuple<Time, Time, Time, Time, CriticalPath>>;   ///< of each step

Times times_of(const Outcome& outcome) {
    Times times;
    for (const StepTimes& t : outcome.steps) times.emplace_back(t.issued, t.sent, t.arrived, t.ready, t.path);
    return times;
}

void expect_same(const Outcome& synthetic, const Outcome& size_only) {
    EXPECT_EQ(synthetic.first_start, size_only.first_start);
    EXPECT_EQ(synthetic.finish, size_only.finish);
    EXPECT_EQ(synthetic.path, size_only.path);
    EXPECT_EQ(synthetic.records, size_only.records);
    EXPECT_EQ(synthetic.wire_bytes, size_only.wire_bytes);
    EXPECT_EQ(times_of(synthetic), times_of(size_only));
    for (std::size_t r = 0; r < synthetic.ranks.size(); ++r) {
        EXPECT_EQ(synthetic.ranks[r].encoder, size_only.ranks[r].encoder);
        EXPECT_EQ(synthetic.ranks[r].decoder, size_only.ranks[r].decoder);
        EXPECT_EQ(synthetic.ranks[r].wire, size_only.ranks[r].wire);
        EXPECT_EQ(synthetic.ranks[r].finish, size_only.ranks[r].finish);
    }
    for (const EdgeId e : synthetic.links.indices()) EXPECT_EQ(synthetic.links[e].busy, size_only.links[e].busy);
}

class Raw : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Raw, TakesTheTimesAndSendsTheBytesOfEveryCodecOfConstantRate) {
    const RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine machine(job.spec);
    const auto framing = job.spec.node.engine.framing();
    int compared = 0;
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        const auto codec = make_codec(CodecChoice{P{}}, framing);
        if (!codec->constant_rate()) return;
        SCOPED_TRACE(kind.name);
        const auto sizes_only = make_size_only_codec(make_codec(CodecChoice{P{}}, framing));
        const auto size_only = machine.run(job.plan, *sizes_only, job.values, job.issue, job.start, &job.layout);
        SyntheticMessageSource participants(job.plan, *codec, job.layout);
        expect_same(machine.system().run({job.plan, participants, job.issue, job.start}), size_only.outcome);
        const auto exact = machine.run(job.plan, *codec, job.values, job.issue, job.start, &job.layout);
        EXPECT_EQ(times_of(exact.outcome), times_of(size_only.outcome));
        ++compared;
    });
    EXPECT_GE(compared, 3);   // fp32, bf16 and fixed_point at least
}

INSTANTIATE_TEST_SUITE_P(Seed, Raw, ::testing::Range<std::uint64_t>(200, 230));

TEST(SyntheticMessageSource, ShareOneMessageAmongStepsOfOneSizeAndWidth) {
    const Plan plan = test::int8_plan(4);
    const auto codec = make_codec(FixedPointParams{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 4 * 100, {4, 1}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    EXPECT_EQ(participants.send(StepId{0}), participants.send(StepId{3}));   // one rank's values, of two chunks
    EXPECT_NE(participants.send(StepId{0}), participants.send(StepId{4}));   // sums of two ranks are wider
    EXPECT_EQ(participants.send(StepId{0})->size(), 100u);                   // int8
    EXPECT_EQ(participants.send(StepId{4})->size(), 113u);                   // 100 values of 9 bits are 112.5 bytes
}

TEST(SyntheticMessageSource, RefuseACodecWhoseMessagesDependOnValues) {
    const Plan plan = test::int8_plan(2);
    const auto codec = make_codec(AscParams{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 10, {2, 1}, {});
    EXPECT_THROW(SyntheticMessageSource(plan, *codec, layout), std::invalid_argument);
}

TEST(SyntheticMessageSource, DoNotTakeBytes) {
    const Plan plan = test::int8_plan(2);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 10, {2, 1}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    EXPECT_THROW(participants.blocks_in(StepId{0}, {}), std::logic_error);
}

/// 8 MiB of fp32 and of sums at `ranks` ranks, without values.
Outcome run_synthetic(Machine& machine, std::uint32_t ranks, Issue issue = Issue::lock_step) {
    const Plan plan = test::fp32_plan(ranks);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 2 << 20, {ranks, 1}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    return machine.system().run({plan, participants, issue, {}});
}

MachineSpec star_of(std::uint32_t ranks) {
    MachineSpec spec;
    spec.ranks = ranks;
    return spec;
}

TEST(MachineMemory, HoldsNoStepThatIsDoneAndInLockStepOneTimestepAtMost) {
    Machine machine(star_of(16));
    run_synthetic(machine, 16);
    EXPECT_EQ(machine.system().active_steps().left, 0u);
    EXPECT_LE(machine.system().active_steps().peak, 2u * 16);   // of 480 steps: 16 outbound, and the same ones inbound
    run_synthetic(machine, 16, Issue::dependency);
    EXPECT_EQ(machine.system().active_steps().left, 0u);
}

TEST(MachineMemory, IsBoundedByStepsAndNotByStepsTimesRanks) {
    if (test::address_sanitizer) GTEST_SKIP() << "the sanitizer has memory of its own";
    constexpr std::uint32_t ranks = 256;
    constexpr std::uint64_t steps = 2 * (ranks - 1) * ranks;   // 130 560
    Machine machine(star_of(ranks));
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    EXPECT_EQ(run_synthetic(machine, ranks).steps.size(), steps);
    getrusage(RUSAGE_SELF, &after);
    // A step in the schedule with its dependency takes 80 B, in the outcome 120, in lists and tables 40; then there is
    // the plan's 2 MiB of who holds what and the links' busy spans. Anything of each rank for each step would take
    // 256 times as much as that: 32 MiB a byte.
    EXPECT_LT((after.ru_maxrss - before.ru_maxrss) * 1024, static_cast<long>(600 * steps));
}

}   // namespace
}   // namespace oscar::synthetic_payload_test

// What each of several collectives did: its time and bytes, of steps and ranks of its own.
#include <gmock/gmock.h>

#include "tests/machine/placed_work.hpp"

namespace oscar::joint_job_shares_test {
namespace {

using test::CodingCost;
using test::first_ranks;
using test::Machine;
using test::MachineSpec;

/// Broadcasts of a value in two slices, of which the second has none: its packet, a header of 1000 B, leaves when the
/// first has come, and takes 1 us and more. A byte takes 1 ns.
struct ALastStepWithoutValues : ::testing::Test {
    static MachineSpec spec() {
        MachineSpec spec = test::readable();
        spec.ranks = 4;
        spec.topology = StarParams{};
        spec.network.header = 1000_B;
        return spec;
    }
    struct TwoSlices : CodingCost {
        explicit TwoSlices(const std::vector<Rank>& on, Time at = {})
            : CodingCost(in_two_slices(), on, 1, spec(), at, Fp32Params{}) {
            layout = ChunkLayout({{{0, 1}}, {}});
        }
        static BroadcastFromRootParams in_two_slices() {
            BroadcastFromRootParams params;
            params.slices = 2;
            return params;
        }
    };
    Machine machine{spec()};
};

TEST_F(ALastStepWithoutValues, EndsItsCollectiveAlthoughItsRanksHaveAllTheyAreToHold) {
    TwoSlices work(std::vector<Rank>{{0}, {1}});
    const auto ran = test::run(machine, {work.placed()});
    Time ranks;
    for (const RankUse& rank : ran.outcome.ranks) ranks = std::max(ranks, rank.finish);
    ASSERT_EQ(ran.outcome.steps.size(), 2u);
    EXPECT_EQ(ranks, ran.outcome.steps[0].ready + 1_ns + 70'300_ps);   // the value is written to GPU memory
    EXPECT_EQ(ran.shares[0].finish, ran.outcome.steps[1].ready);
    EXPECT_GT(ran.shares[0].finish, ran.outcome.steps[0].ready + 1000_ns);
}

TEST_F(ALastStepWithoutValues, EndsTheCollectiveThatItIsOfAndNoOther) {
    TwoSlices first(std::vector<Rank>{{0}, {1}}), second(std::vector<Rank>{{2}, {3}}, 10_us);
    const auto ran = test::run(machine, {first.placed(), second.placed()});
    EXPECT_EQ(ran.shares[1].start, 10_us);
    EXPECT_EQ(ran.shares[1].duration(), ran.shares[0].duration());
    EXPECT_EQ(ran.shares[1].finish, ran.outcome.steps[3].ready);
}

TEST_F(ALastStepWithoutValues, HasTheBackgroundTrafficBesideItForAsLongAsItTakes) {
    MachineSpec beside = spec();
    beside.network.background.emplace().load = 0.1;
    beside.network.background->message = 64_B;
    Machine with_traffic(beside, "with_traffic");
    TwoSlices work(std::vector<Rank>{{0}, {1}}, 5_us);
    const Outcome outcome = test::run(with_traffic, {work.placed()}).outcome;
    for (const RankUse& rank : outcome.ranks) EXPECT_LT(rank.finish, outcome.finish);
    EXPECT_EQ(outcome.background->duration, outcome.duration());
}

/// On three of five ranks, and on all five.
TEST(JointJobPlan, CompletesAStepThatCompletesItsOwnCollectiveAndNoPartialSum) {
    MachineSpec spec = test::readable();
    CodingCost three(RingParams{}, {{0}, {1}, {2}}, 30, spec), all(RingParams{}, first_ranks(5), 50, spec);
    for (CodingCost* work : {&three, &all}) {
        const JointJob joint({work->placed()}, 5);
        const Plan& plan = joint.job().plan;
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
            EXPECT_EQ(plan.completes(StepId{i}), work->plan.completes(StepId{i})) << i;
    }
}

/// What is said where these cannot run as one job on four ranks.
std::string refusal_of(std::vector<PlacedCollective> collectives) {
    try {
        const JointJob job(std::move(collectives), 4);
    } catch (const std::invalid_argument& refused) {
        return refused.what();
    }
    return "none";
}

TEST(JointJobOfTwo, RefusesWordsOfTwoWidthsAndCodersBesideNone) {
    const MachineSpec spec = test::readable();
    CodingCost codes(RingParams{}, {{0}, {1}}, 10, spec);
    CodingCost floats(RingParams{}, {{2}, {3}}, 10, spec, {}, Fp32Params{});
    EXPECT_EQ(refusal_of({codes.placed(), floats.placed()}), "collectives of one job differ in their words");
    floats.plan = codes.plan;   // integers that no engine codes
    EXPECT_EQ(refusal_of({codes.placed(), floats.placed()}), "some collectives of a job use the engine, others do not");
}

TEST(JointJobOfTwo, RefusesAStepToTheRankBehindItsLast) {
    CodingCost work(RingParams{}, {{0}, {1}, {2}}, 30, test::readable());
    work.ranks.pop_back();
    EXPECT_EQ(refusal_of({work.placed()}), "a step of a collective is not between its ranks");
}

TEST(JointJobOfTwo, BeginsWithTheFirstOfThemWhateverOtherRanksThereAre) {
    const MachineSpec spec = ALastStepWithoutValues::spec();
    Machine machine(spec);
    CodingCost late(RingParams{}, {{0}, {1}}, 64, spec, 7_us), first(RingParams{}, {{2}, {3}}, 64, spec, 5_us);
    const auto both = test::run(machine, {late.placed(), first.placed()});
    EXPECT_EQ(both.outcome.first_start, 5_us);
    const auto one = test::run(machine, {late.placed()});   // ranks 2 and 3 take no part
    EXPECT_EQ(one.outcome.first_start, 7_us);
    EXPECT_EQ(one.shares[0].start, 7_us);
}

TEST(JointJobPlan, KeepsTheChannelOfEachChunkBesideACollectiveThatHasNone) {
    const MachineSpec spec = test::readable();
    RingParams two;
    two.channels = 2;
    CodingCost plain(RingParams{}, {{0}, {1}}, 40, spec), channelled(two, {{2}, {3}}, 40, spec);
    const auto expect_own = [](const Schedule& joint, std::uint32_t from, const Schedule& own) {
        for (std::uint32_t c = 0; c < own.chunks; ++c)
            EXPECT_EQ(joint.channel_of(ChunkId{from + c}), own.channel_of(ChunkId{c})) << c;
    };
    const Schedule &without = plain.plan.schedule, &with = channelled.plan.schedule;
    ASSERT_EQ(with.channel_of(ChunkId{with.chunks - 1}), 1u);
    const JointJob behind({plain.placed(), channelled.placed()}, 4), before({channelled.placed(), plain.placed()}, 4);
    expect_own(behind.job().plan.schedule, 0, without);
    expect_own(behind.job().plan.schedule, without.chunks, with);
    expect_own(before.job().plan.schedule, 0, with);
    expect_own(before.job().plan.schedule, with.chunks, without);
}

/// Rounds 0 and 2 have a step each, and round 1 has none; round 0 of the other collective has none either.
TEST(JointJobPlan, LetsARoundBehindAnEmptyOneWaitForTheLastWithSteps) {
    const MachineSpec spec = test::readable();
    CodingCost work(RingParams{}, {{0}, {1}}, 10, spec), other(RingParams{}, {{2}, {3}}, 10, spec);
    for (CodingCost* two : {&work, &other}) {
        Schedule schedule;
        schedule.ranks = 2;
        schedule.chunks = 1;
        const std::uint32_t first = two == &work ? 0 : 1;
        schedule.steps = {{Rank{0}, Rank{1}, ChunkId{0}, Op::reduce, Timestep{first}},
                          {Rank{1}, Rank{0}, ChunkId{0}, Op::copy, Timestep{first + 2}}};
        two->plan = Plan(schedule, ElementType::integer, 8);
    }
    const JointJob joint({work.placed(), other.placed()}, 4);
    const Schedule& schedule = joint.job().plan.schedule;
    EXPECT_TRUE(schedule.after(StepId{0}).empty());
    EXPECT_TRUE(schedule.after(StepId{2}).empty());
    EXPECT_TRUE(std::ranges::equal(schedule.after(StepId{1}), std::vector{StepId{0}}));
    EXPECT_TRUE(std::ranges::equal(schedule.after(StepId{3}), std::vector{StepId{2}}));
}

TEST(JointJobOfTwo, WhichEndAtOneInstantHasTheCausesOfTheOneThatIsLastInIt) {
    const MachineSpec spec = ALastStepWithoutValues::spec();
    Machine machine(spec);
    const auto broadcast = [&](std::vector<Rank> ranks, std::uint32_t values, Time start) {
        return CodingCost(BroadcastFromRootParams{}, std::move(ranks), values, spec, start, Fp32Params{});
    };
    CodingCost large = broadcast({{0}, {1}}, 640, {}), small = broadcast({{2}, {3}}, 64, {});
    const Time later = test::run(machine, {large.placed()}).outcome.duration() -
                       test::run(machine, {small.placed()}).outcome.duration();
    ASSERT_GT(later, 0_ps);
    small.start = later;
    const auto both = test::run(machine, {large.placed(), small.placed()});
    ASSERT_EQ(both.shares[0].finish, both.shares[1].finish);
    EXPECT_EQ(both.outcome.path.wait_ps, later.ps) << "of the small one, which begins so late";
    EXPECT_EQ(test::run(machine, {small.placed(), large.placed()}).outcome.path.wait_ps, 0);
}

}   // namespace
}   // namespace oscar::joint_job_shares_test

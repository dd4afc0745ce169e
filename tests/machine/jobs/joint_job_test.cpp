// Several collectives at once: alone where they share nothing, slower where they share links. Seeds are printed.
#include "models/machine/joint_job.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/machine/placed_work.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::joint_job_test {
namespace {

using test::CodingCost;
using test::Draws;
using test::first_ranks;
using test::Machine;
using test::MachineSpec;
using test::Ran;
using test::random_collective;
using test::run;

constexpr std::uint32_t machine_ranks = 9;

/// Two collectives, of a random kind each, on random ranks.
struct Two {
    explicit Two(std::uint64_t seed, const MachineSpec& spec) : draw(seed) {
        std::vector<Rank> all = first_ranks(machine_ranks);
        test::shuffle(all, draw);
        const std::uint32_t first = draw.number(2, 5), second = draw.number(2, machine_ranks - first);
        const auto begin = all.begin();
        for (const std::vector<Rank>& ranks :
             {std::vector(begin, begin + first), std::vector(begin + first, begin + first + second)})
            works.push_back(
                std::make_unique<CodingCost>(random_collective(draw, static_cast<std::uint32_t>(ranks.size())), ranks,
                                             draw.number(1, 20'000), spec, draw.coin() ? draw.up_to(5_us) : Time{}));
    }
    std::vector<PlacedCollective> both() { return {works[0]->placed(), works[1]->placed()}; }
    Draws draw;
    std::vector<std::unique_ptr<CodingCost>> works;
};

MachineSpec on(const TopologyKind& topology, std::uint64_t seed) {
    Draws draw(seed + 1000);
    MachineSpec spec = test::random_machine(draw);
    spec.ranks = machine_ranks;
    spec.topology = topology;
    spec.node.gpu.gradients = GradientForm::fp32;
    return spec;
}

class JointJobs : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(JointJobs, OfOneCollectiveOnAllRanksTakeTheTimesOfAJobOfItsOwn) {
    const MachineSpec spec = on(StarParams{}, GetParam());
    Draws draw(GetParam());
    Machine machine(spec);
    CodingCost work(random_collective(draw, machine_ranks), first_ranks(machine_ranks), draw.number(1, 20'000), spec);
    const Outcome own = machine.system().run({work.plan, work.fresh(), work.issue, {}});
    const Ran joint = run(machine, {work.placed()});
    EXPECT_EQ(joint.outcome.finish, own.finish);
    EXPECT_EQ(joint.shares[0].duration(), own.duration());
    for (std::size_t i = 0; i < own.steps.size(); ++i) {
        const StepTimes &a = joint.outcome.steps[i], &b = own.steps[i];
        EXPECT_EQ(std::tie(a.issued, a.sent, a.arrived, a.ready), std::tie(b.issued, b.sent, b.arrived, b.ready)) << i;
    }
    for (std::size_t r = 0; r < own.ranks.size(); ++r) EXPECT_EQ(joint.outcome.ranks[r].finish, own.ranks[r].finish);
}

TEST_P(JointJobs, TakeTheTimesThatTheyTakeAloneWhereTheyShareNoLink) {   // on a switch, no two ranks do
    const MachineSpec spec = on(StarParams{}, GetParam());
    Machine machine(spec);
    Two two(GetParam(), spec);
    const Ran both = run(machine, two.both());
    for (std::size_t c = 0; c < 2; ++c) {
        const Ran alone = run(machine, {two.works[c]->placed()});
        EXPECT_EQ(both.shares[c].duration(), alone.shares[0].duration());
        EXPECT_EQ(both.shares[c].wire_bytes, alone.shares[0].wire_bytes);
    }
}

TEST_P(JointJobs, AreNoFasterThanAloneAndSendTheSameBytesWhereTheyShareLinks) {
    const MachineSpec spec = on(test::sample<GraphParams>(machine_ranks), GetParam());   // two switches and a cable
    Machine machine(spec);
    Two two(GetParam(), spec);
    const Ran both = run(machine, two.both());
    for (std::size_t c = 0; c < 2; ++c) {
        const Ran alone = run(machine, {two.works[c]->placed()});
        EXPECT_GE(both.shares[c].duration(), alone.shares[0].duration());
        EXPECT_EQ(both.shares[c].wire_bytes, alone.shares[0].wire_bytes);
    }
}

TEST_P(JointJobs, TakeTheSameTimesAtEachFidelity) {
    MachineSpec spec = on(test::sample<GraphParams>(machine_ranks), GetParam());
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    std::vector<std::vector<Time>> finishes;
    for (const auto& machine : machines) {
        Two two(GetParam(), spec);
        auto& times = finishes.emplace_back();
        for (const PlacedOutcome& share : run(*machine, two.both()).shares) times.push_back(share.finish);
    }
    EXPECT_EQ(finishes[0], finishes[1]);
    EXPECT_EQ(finishes[1], finishes[2]);
}

INSTANTIATE_TEST_SUITE_P(Seed, JointJobs, ::testing::Range<std::uint64_t>(0, 40));

/// Two pairs of ranks, each on both sides of a cable that is as fast as a rank's link: a byte takes 1 ns.
TEST(JointJob, TakesTwiceAsLongOnACableThatItSharesWithItsEqual) {
    MachineSpec spec = test::readable();
    spec.ranks = 4;
    spec.topology = test::sample<GraphParams>(4);   // even ranks on one switch, odd ranks on the other
    spec.network.packet = 1024_B;
    Machine machine(spec);
    BroadcastFromRootParams collective;
    const std::uint32_t values = 64 * 1024;   // of 8 bits: 64 packets of 1024 ns each
    CodingCost first(collective, {{0}, {1}}, values, spec), second(collective, {{2}, {3}}, values, spec);
    const Time alone = run(machine, {first.placed()}).shares[0].duration();
    const Ran both = run(machine, {first.placed(), second.placed()});
    // The two take turns on the cable: of the first to be done the last packet is the 127th, of the other the 128th.
    const Time packet = 1024_ns;
    EXPECT_EQ(std::max(both.shares[0].finish, both.shares[1].finish), alone + 64 * packet);
    EXPECT_EQ(std::min(both.shares[0].finish, both.shares[1].finish), alone + 63 * packet);
}

TEST(JointJob, RefusesRanksThatAreNoneOrInTwoCollectives) {
    const MachineSpec spec = test::readable();
    CodingCost first(RingParams{}, {{0}, {1}}, 10, spec), second(RingParams{}, {{1}, {2}}, 10, spec);
    EXPECT_THROW(JointJob({first.placed(), second.placed()}, 3), std::invalid_argument);
    EXPECT_THROW(JointJob({second.placed()}, 2), std::invalid_argument);
    EXPECT_NO_THROW(JointJob({second.placed()}, 3));
    EXPECT_THROW(JointJob({}, 3), std::invalid_argument);
}

TEST(JointJob, RefusesACollectiveInWhichSwitchesAdd) {
    const MachineSpec spec = test::readable();
    CodingCost work(InNetworkParams{}, {{0}, {1}}, 100, spec);
    std::string error = "none";
    try {
        const JointJob job({work.placed()}, 2);
    } catch (const std::invalid_argument& refused) {
        error = refused.what();
    }
    EXPECT_EQ(error, "a collective in which switches add runs as a job of its own");
}

}   // namespace
}   // namespace oscar::joint_job_test

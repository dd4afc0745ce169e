// Several jobs in flight: alone where they share nothing, in each other's way where they share a part. Seeds are
// printed.
#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

#include "models/collective/endpoint/live_message_source.hpp"
#include "tests/machine/placed_work.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::several_jobs_test {
namespace {

using test::CodingCost;
using test::Draws;
using test::first_ranks;
using test::Machine;
using test::MachineSpec;
using test::random_collective;

constexpr std::uint32_t machine_ranks = 9;

/// A collective on some ranks, as a job of the machine.
struct Work {
    Work(const CodingCost& of, std::uint32_t ranks) : cost(of), plan(of.plan) { plan.place(of.ranks, ranks); }
    Job fresh() {
        source = std::make_unique<SyntheticMessageSource>(plan, *cost.codec, cost.layout);
        return {plan, *source, cost.issue};
    }
    const CodingCost& cost;
    Plan plan;
    std::unique_ptr<SyntheticMessageSource> source;
};

/// Two collectives of a random kind each, on random ranks; `apart`: no rank has both.
struct Two {
    Two(std::uint64_t seed, const MachineSpec& spec, bool apart) : draw(seed) {
        std::vector<Rank> all = first_ranks(machine_ranks);
        test::shuffle(all, draw);
        const std::uint32_t first = draw.number(2, 5), second = draw.number(2, machine_ranks - first);
        add({all.begin(), all.begin() + first}, spec);
        if (!apart) test::shuffle(all, draw);
        add({all.begin() + (apart ? first : 0), all.begin() + (apart ? first : 0) + second}, spec);
    }
    void add(const std::vector<Rank>& ranks, const MachineSpec& spec) {
        costs.push_back(std::make_unique<CodingCost>(random_collective(draw, static_cast<std::uint32_t>(ranks.size())),
                                                     ranks, draw.number(1, 20'000), spec,
                                                     draw.coin() ? draw.up_to(5_us) : Time{}));
        works.push_back(std::make_unique<Work>(*costs.back(), machine_ranks));
    }
    std::vector<Outcome> together(Machine& machine) {
        const Job first = works[0]->fresh(), second = works[1]->fresh();
        machine.system().start(machine.system().add(first), costs[0]->start);
        machine.system().start(machine.system().add(second), costs[1]->start);
        return machine.system().run_all();
    }
    Outcome alone(Machine& machine, std::size_t c) { return machine.system().run(works[c]->fresh()); }

    Draws draw;
    std::vector<std::unique_ptr<CodingCost>> costs;
    std::vector<std::unique_ptr<Work>> works;
};

MachineSpec on(const TopologyKind& topology, std::uint64_t seed) {
    Draws draw(seed + 1000);
    MachineSpec spec = test::random_machine(draw);
    spec.ranks = machine_ranks;
    spec.topology = topology;
    spec.node.gpu.gradients = GradientForm::fp32;
    return spec;
}

std::uint64_t sum(const SharedEntries<std::uint64_t>& values) {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values) all += value;
    return all;
}

class SeveralJobs : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SeveralJobs, OnRanksApartTakeTheTimesOfOneJobThatIsBothOfThem) {
    const MachineSpec spec = on(test::sample<GraphParams>(machine_ranks), GetParam());   // two switches and a cable
    Machine machine(spec);
    Two two(GetParam(), spec, true);
    const test::Ran joint = test::run(machine, {two.costs[0]->placed(), two.costs[1]->placed()});
    const std::vector<Outcome> own = two.together(machine);
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(own[c].duration(), joint.shares[c].duration()) << "job " << c;
        EXPECT_EQ(sum(own[c].wire_bytes), joint.shares[c].wire_bytes);
        for (const Rank rank : two.costs[c]->ranks)
            EXPECT_EQ(own[c].ranks[rank.value].finish + two.costs[c]->start,
                      std::max(joint.outcome.ranks[rank.value].finish, two.costs[c]->start));
    }
}

TEST_P(SeveralJobs, WithoutASharedPartTakeWhatEachTakesAlone) {   // on a switch, no two ranks share a link
    const MachineSpec spec = on(StarParams{}, GetParam());
    Machine machine(spec);
    Two two(GetParam(), spec, true);
    two.costs[0]->start = two.costs[1]->start = {};   // clocks of units count from the begin of a run
    const std::vector<Outcome> both = two.together(machine);
    for (std::size_t c = 0; c < 2; ++c) {
        const Outcome alone = two.alone(machine, c);
        EXPECT_EQ(both[c].duration(), alone.duration());
        EXPECT_EQ(both[c].path, alone.path);
        for (std::size_t i = 0; i < alone.steps.size(); ++i)
            EXPECT_EQ(both[c].steps[i].ready, alone.steps[i].ready) << "step " << i;
    }
}

TEST_P(SeveralJobs, OfTheSameRanksSendTheSameBytesAndAreTogetherNoFasterThanEither) {
    const MachineSpec spec = on(StarParams{}, GetParam());
    Machine machine(spec);
    Two two(GetParam(), spec, false);
    two.costs[0]->start = two.costs[1]->start = {};
    const std::vector<Outcome> both = two.together(machine);
    for (std::size_t c = 0; c < 2; ++c) {
        const Outcome alone = two.alone(machine, c);
        EXPECT_EQ(both[c].wire_bytes, alone.wire_bytes);
        EXPECT_EQ(both[c].records, alone.records);
        EXPECT_GE(std::max(both[0].finish, both[1].finish), alone.finish);
    }
}

TEST_P(SeveralJobs, OfTheSameRanksTakeTheSameTimesAtEachFidelity) {
    MachineSpec spec = on(test::sample<GraphParams>(machine_ranks), GetParam());
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    std::vector<std::vector<Time>> finishes;
    for (const auto& machine : machines) {
        Two two(GetParam(), spec, false);
        auto& times = finishes.emplace_back();
        for (const Outcome& outcome : two.together(*machine)) times.push_back(outcome.finish);
    }
    EXPECT_EQ(finishes[0], finishes[1]);
    EXPECT_EQ(finishes[1], finishes[2]);
}

TEST_P(SeveralJobs, OneAfterTheOtherBeginWhenTheResultsOfTheOneBeforeAreThere) {
    const MachineSpec spec = on(StarParams{}, GetParam());
    Machine machine(spec);
    Two two(GetParam(), spec, false);
    auto& system = machine.system();
    const Job first = two.works[0]->fresh(), second = two.works[1]->fresh();
    const std::size_t then = system.add(second);
    Time told;
    const std::size_t now = system.add(first, [&](const Outcome& outcome) {
        told = outcome.finish;
        system.start(then);
    });
    system.start(now);
    const std::vector<Outcome> outcomes = system.run_all();
    EXPECT_EQ(told, outcomes[1].finish);
    const Outcome alone = two.alone(machine, 0);
    EXPECT_EQ(outcomes[1].finish, alone.finish);   // nothing was in its way
    EXPECT_EQ(outcomes[0].records, two.alone(machine, 1).records);
}

INSTANTIATE_TEST_SUITE_P(Seed, SeveralJobs, ::testing::Range<std::uint64_t>(0, 40));

/// Two AllReduces of all ranks of a machine, with values.
struct WithValues {
    explicit WithValues(const MachineSpec& spec)
        : codec(make_codec(AscParams{}, spec.node.engine.framing())),
          plan(make_schedule(RingParams{Issue::dependency}, spec.ranks), ElementType::integer, 8) {
        for (std::uint64_t seed : {1u, 2u}) {
            values.push_back(test::codes(spec.ranks, 3000, 8, seed));
            ranks.push_back(test::make_endpoints(plan, *codec));
            test::begin(ranks.back(), values.back(), plan);
            sources.emplace_back(plan, ranks.back(), *codec);
        }
    }
    std::unique_ptr<Codec> codec;
    Plan plan;
    std::vector<std::vector<std::vector<Symbol>>> values;
    std::deque<std::vector<RankState>> ranks;
    std::deque<LiveMessageSource> sources;
};

TEST(SeveralJobs, WithValuesLeaveTheSumOfEachAtAllItsRanks) {
    MachineSpec spec = test::readable();
    spec.ranks = 5;
    spec.topology = StarParams{};
    Machine machine(spec);
    WithValues two(spec);
    const Job first{two.plan, two.sources[0], Issue::dependency}, second{two.plan, two.sources[1], Issue::dependency};
    for (const Job* job : {&first, &second}) machine.system().start(machine.system().add(*job));
    machine.system().run_all();
    for (std::size_t j = 0; j < 2; ++j)
        for (const RankState& rank : two.ranks[j])
            EXPECT_TRUE(std::ranges::equal(rank.values().all(), exact_sum(two.values[j])));
}

/// A byte takes 1 ns on the wire; two broadcasts over the same cable at once.
TEST(SeveralJobs, OfTwoRanksTakeTurnsOnTheirCable) {
    MachineSpec spec = test::readable();
    spec.network.packet = 1024_B;
    Machine machine(spec);
    const std::uint32_t values = 64 * 1024;   // of 8 bits: 64 packets of 1024 ns each
    CodingCost cost(BroadcastFromRootParams{}, {{0}, {1}}, values, spec);
    Work first(cost, 2), second(cost, 2);
    const Time alone = machine.system().run(first.fresh()).duration();
    const Job a = first.fresh(), b = second.fresh();
    machine.system().start(machine.system().add(a));
    machine.system().start(machine.system().add(b));
    const std::vector<Outcome> both = machine.system().run_all();
    const Time last = std::max(both[0].finish, both[1].finish);
    EXPECT_GE(last, alone + 63 * 1024_ns);   // the cable carries all 128 packets
    EXPECT_LE(last, 2 * alone);
}

TEST(SeveralJobs, AreRefusedWhereOneIsNeverStartedOrStartedTwice) {
    const MachineSpec spec = test::readable();
    Machine machine(spec);
    CodingCost cost(RingParams{}, {{0}, {1}}, 10, spec);
    Work work(cost, 2);
    const Job job = work.fresh();
    const std::size_t number = machine.system().add(job);
    machine.system().start(number);
    EXPECT_THROW(machine.system().start(number), std::logic_error);
    machine.system().add(job);
    EXPECT_THROW(machine.system().run_all(), std::logic_error);
}

TEST(SeveralJobs, AreRefusedWhereSwitchesAddInOneAndTheMachineCanBeUsedAgain) {
    MachineSpec spec = test::readable();
    spec.ranks = 4;
    spec.topology = StarParams{};
    Machine machine(spec);
    CodingCost plain(RingParams{}, first_ranks(4), 10, spec), adding(InNetworkParams{}, first_ranks(4), 10, spec);
    Work first(plain, 4);
    SyntheticMessageSource source(adding.plan, *adding.codec, adding.layout);
    const Job a = first.fresh(), b{adding.plan, source};
    machine.system().start(machine.system().add(a));
    machine.system().start(machine.system().add(b));
    EXPECT_THROW(machine.system().run_all(), std::invalid_argument);
    EXPECT_GT(machine.system().run(first.fresh()).finish, 0_ps);
}

}   // namespace
}   // namespace oscar::several_jobs_test

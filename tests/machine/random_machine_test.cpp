// Laws of every run, over random machines and jobs. Seeds are printed; a test of one seed is a process of its own.
#include <gmock/gmock.h>

#include "tests/machine/support.hpp"

namespace oscar::random_machine_test {
namespace {

using test::Machine;
using test::RandomJob;

class RandomMachine : public ::testing::TestWithParam<std::uint64_t> {
protected:
    const RandomJob job{GetParam()};
    Machine machine{job.spec};
    ::testing::ScopedTrace trace{__FILE__, __LINE__, ::testing::Message() << job};

    Time start_of(Rank rank) const { return job.start.empty() ? Time{} : job.start[rank.value]; }
    std::span<const Hop> path(const Step& step) const { return machine.routes().path(step.from, step.to); }
};

TEST_P(RandomMachine, LeavesTheExactSumEverywhereAndSendsTheBytesOfTheReference) {
    const auto run = job.run_on(machine);
    const auto sum = exact_sum(job.values);
    for (const RankState& rank_state : run.timed) EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), sum));
    EXPECT_EQ(run.outcome.records, run.reference.records);
}

TEST_P(RandomMachine, DoesTheSameAtTheSameTimesAgain) {
    const auto first = job.run_on(machine), again = job.run_on(machine);
    EXPECT_EQ(first.outcome.finish, again.outcome.finish);
    EXPECT_EQ(first.outcome.records, again.outcome.records);
    for (std::size_t i = 0; i < first.outcome.steps.size(); ++i) {
        const StepTimes &a = first.outcome.steps[i], &b = again.outcome.steps[i];
        EXPECT_EQ(std::tie(a.issued, a.sent, a.arrived, a.ready), std::tie(b.issued, b.sent, b.arrived, b.ready)) << i;
    }
    for (std::size_t r = 0; r < first.outcome.ranks.size(); ++r) {
        EXPECT_EQ(first.outcome.ranks[r].encoder, again.outcome.ranks[r].encoder);
        EXPECT_EQ(first.outcome.ranks[r].decoder, again.outcome.ranks[r].decoder);
        EXPECT_EQ(first.outcome.ranks[r].wire, again.outcome.ranks[r].wire);
    }
    for (const EdgeId e : first.outcome.links.indices())
        EXPECT_EQ(first.outcome.links[e].busy, again.outcome.links[e].busy);
}

TEST_P(RandomMachine, KeepsEachLinkBusyForJustTheBitsThatCrossIt) {
    // All links have one rate, so that no tail comes later than a packet's own serialization.
    const NetworkParams& network = job.spec.network;
    const auto run = job.run_on(machine);
    struct Load {
        Time busy;
        std::uint64_t packets = 0, bytes = 0, flits = 0;
    };
    IndexedVector<EdgeId, Load> expected(run.outcome.links.size());
    for (std::size_t i = 0; i < run.outcome.records.size(); ++i) {
        std::uint64_t step_bytes = 0;
        for (const Bytes wire : test::wires_of(run.reference.records[i].bytes, network)) {
            step_bytes += wire.count;
            for (const Hop& hop : path(job.step(i))) {
                Load& load = expected[hop.edge];
                load.busy += serialization(wire, network.link.bandwidth);
                ++load.packets;
                load.bytes += wire.count;
                load.flits += (wire.count + network.flit.count - 1) / network.flit.count;
            }
        }
        EXPECT_EQ(run.outcome.wire_bytes[i], step_bytes) << "step " << i;
    }
    for (const EdgeId e : expected.indices()) {
        SCOPED_TRACE(machine.topology().edge_name(e));
        const LinkUse& use = run.outcome.links[e];
        EXPECT_EQ(test::total(use.busy), expected[e].busy);
        EXPECT_EQ(use.packets, expected[e].packets);
        EXPECT_EQ(use.wire_bytes, expected[e].bytes);
        EXPECT_EQ(use.flits, expected[e].flits);
    }
    for (std::uint32_t r = 0; r < job.spec.ranks; ++r)   // what the NIC says it sent is what its cable carried
        EXPECT_EQ(test::total(run.outcome.ranks[r].wire),
                  expected[machine.routes().path(Rank{r}, Rank{(r + 1) % job.spec.ranks}).front().edge].busy);
}

TEST_P(RandomMachine, IssuesEachStepAtTheInstantAtWhichNothingHoldsItBack) {
    const auto run = job.run_on(machine);
    const auto& steps = run.outcome.steps;
    std::vector<Time> round_ready(job.plan.schedule.timesteps() + 1);   // [t]: all of timestep t-1 is ready
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Time& ready = round_ready[job.step(i).timestep.value + 1];
        ready = std::max(ready, steps[i].ready);
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        const Step& step = job.step(i);
        Time free = start_of(step.from);
        for (const StepId before : job.plan.schedule.after(StepId{i})) free = std::max(free, steps[before.value].ready);
        if (job.issue == Issue::lock_step)
            for (std::uint32_t t = 0; t <= step.timestep.value; ++t) free = std::max(free, round_ready[t]);
        EXPECT_EQ(steps[i].issued, free) << "step " << i;
    }
}

TEST_P(RandomMachine, PassesItsStagesInOrderAndNeverFasterThanAnIdleNetwork) {
    const auto run = job.run_on(machine);
    for (std::size_t i = 0; i < run.outcome.steps.size(); ++i) {
        SCOPED_TRACE(::testing::Message() << "step " << i);
        const StepTimes& times = run.outcome.steps[i];
        EXPECT_LE(times.issued, times.sent);
        EXPECT_LE(times.sent, times.arrived);
        EXPECT_LE(times.arrived, times.ready);
        EXPECT_GE(times.arrived - times.issued,
                  test::fastest(run.outcome.records[i].bytes, path(job.step(i)).size(), job.spec));
        if (job.step(i).op == Op::copy) {
            EXPECT_EQ(times.ready, times.arrived);
        }
    }
}

TEST_P(RandomMachine, TakesAtLeastTheLongestChainAndTheBusiestSender) {
    const auto run = job.run_on(machine);
    std::vector<Time> done(run.outcome.steps.size()), sending(job.spec.ranks);
    for (std::uint32_t i = 0; i < done.size(); ++i) {   // the recursion of an infinitely fast engine
        const Step& step = job.step(i);
        const std::uint64_t bytes = run.outcome.records[i].bytes;
        done[i] = start_of(step.from);
        for (const StepId before : job.plan.schedule.after(StepId{i})) done[i] = std::max(done[i], done[before.value]);
        done[i] += test::fastest(bytes, path(step).size(), job.spec);
        EXPECT_GE(run.outcome.finish, done[i]) << "step " << i;
        sending[step.from.value] += test::serialization_of(bytes, job.spec.network);
    }
    EXPECT_EQ(run.outcome.first_start, job.start.empty() ? Time{} : *std::ranges::min_element(job.start));
    for (std::uint32_t r = 0; r < job.spec.ranks; ++r) EXPECT_GE(run.outcome.finish - start_of(Rank{r}), sending[r]);
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomMachine, ::testing::Range<std::uint64_t>(0, 40));

}   // namespace
}   // namespace oscar::random_machine_test

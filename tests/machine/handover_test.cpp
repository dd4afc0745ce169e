// The cost of a message between GPU and NIC: who takes it, when, and the same at all fidelities. Seeds are printed.
#include <gmock/gmock.h>

#include "models/job/schedule_on.hpp"
#include "tests/machine/islands.hpp"
#include "tests/machine/same_outcome.hpp"

namespace oscar::handover_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::of_islands;
using test::RandomJob;

constexpr Time cost = 7_us, to_nic = 3500_ns;

MachineSpec with(MachineSpec spec, Staging staging, Time message_latency) {
    spec.node.gpu.gradients = GradientForm::codes;
    spec.node.gpu.staging = staging;
    spec.node.nic.message_latency = message_latency;
    return spec;
}

/// The same machine without and with the cost of a message.
struct Pair {
    Machine free, paying;
    Pair(const MachineSpec& spec, Staging staging)
        : free(with(spec, staging, 0_ps), name("free", spec, staging)),
          paying(with(spec, staging, cost), name("paying", spec, staging)) {}
    static std::string name(const std::string& what, const MachineSpec& spec, Staging staging) {
        return what + std::to_string(spec.ranks) + std::string(to_text(staging));
    }
};

Outcome outcome_of(Machine& machine, const Plan& plan, Issue issue, const std::vector<Time>& start = {}) {
    const auto codec = make_codec(FixedPointParams{}, Framing{});
    const std::uint32_t ranks = plan.schedule.ranks;
    return machine.run(plan, *codec, test::codes(ranks, plan.schedule.chunks * 1024, 8, 1), issue, start).outcome;
}

/// What an outcome takes longer, all of which is latency.
Time longer(const Outcome& paying, const Outcome& free) {
    CriticalPath expected = free.path;
    const Time more = paying.duration() - free.duration();
    expected.latency_ps += more.ps;
    EXPECT_EQ(paying.path, expected);
    return more;
}

/// A NIC that adds by itself is told of a ring once, and tells once of the sums: however many steps there are.
TEST(ANicThatAdds, TakesTheCostOfAMessageOnceInACollective) {
    std::vector<std::unique_ptr<Pair>> pairs;
    for (const std::uint32_t ranks : {3u, 5u}) {
        MachineSpec spec;
        spec.ranks = ranks;
        pairs.push_back(std::make_unique<Pair>(spec, Staging::nic));
    }
    for (const auto& pair : pairs)
        for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
            const Plan plan = test::int8_plan(pair->free.topology().ranks);
            EXPECT_EQ(longer(outcome_of(pair->paying, plan, issue), outcome_of(pair->free, plan, issue)), cost);
        }
}

/// Where GPUs add, each of the 2 (n - 1) steps of a ring is handed to a NIC and by one.
TEST(AGpuThatAdds, TakesTheCostOfAMessageInEachStep) {
    std::vector<std::unique_ptr<Pair>> pairs;
    for (const std::uint32_t ranks : {3u, 5u}) {
        MachineSpec spec;
        spec.ranks = ranks;
        pairs.push_back(std::make_unique<Pair>(spec, Staging::gpu));
    }
    for (const auto& pair : pairs)
        for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
            const std::uint32_t ranks = pair->free.topology().ranks;
            const Plan plan = test::int8_plan(ranks);
            EXPECT_EQ(longer(outcome_of(pair->paying, plan, issue), outcome_of(pair->free, plan, issue)),
                      std::int64_t{2} * (ranks - 1) * cost);
        }
}

/// Messages under way at once take it at once: a rank sends seven at a time, one after the other on its link.
TEST(AGpuThatAdds, TakesItOnceForMessagesThatAreUnderWayAtOnce) {
    MachineSpec spec;
    spec.ranks = 8;
    Pair pair(spec, Staging::gpu);
    const Plan plan(make_schedule(AllToAllParams{}, 8), ElementType::integer, 8, Operation::all_to_all);
    const Outcome free = outcome_of(pair.free, plan, Issue::dependency);
    EXPECT_EQ(longer(outcome_of(pair.paying, plan, Issue::dependency), free), cost);
}

Plan of_two_islands() {
    HierarchicalParams params;
    params.island = 2;
    return {make_schedule(params, 4), ElementType::integer, 8, Operation::all_reduce, false, 2};
}

/// Two islands of two, one step of a ring between them each way. A NIC that adds is handed the sum of its island's
/// kernels, and hands them the sum of all; a GPU that adds is handed both messages.
TEST(TwoTiers, TakeTheCostOfAMessageWhereKernelsAndNicsMeet) {
    Pair by_nic(of_islands(4, 2), Staging::nic), by_gpu(of_islands(4, 2), Staging::gpu);
    const Plan plan = of_two_islands();
    const auto of_nic = [&](Machine& machine) { return outcome_of(machine, plan, Issue::lock_step); };
    EXPECT_EQ(longer(of_nic(by_nic.paying), of_nic(by_nic.free)), cost);
    for (const Issue issue : {Issue::lock_step, Issue::dependency})
        EXPECT_EQ(longer(outcome_of(by_gpu.paying, plan, issue), outcome_of(by_gpu.free, plan, issue)), 2 * cost);
}

/// Where a step starts with its data, a NIC that is told later of one sum has been told of the other, to which it adds,
/// and has read it when the message comes: 2 bytes a value at 4 bytes a ns, after 70 ns.
TEST(TwoTiers, ReadAnOperandWhileTheyAreHandedAnotherSum) {
    Pair by_nic(of_islands(4, 2), Staging::nic);
    const Plan plan = of_two_islands();
    const auto of_nic = [&](Machine& machine) { return outcome_of(machine, plan, Issue::dependency).duration(); };
    EXPECT_EQ(of_nic(by_nic.paying), of_nic(by_nic.free) + cost - 512_ns - 70_ns);
}

/// A NIC adds to a sum of kernels when it has been told of it, and has read it: rank 3 starts late, so that the message
/// of rank 0 is at rank 2 before. 4096 bytes at 4 bytes a ns after 70 ns; 1024 values by 64 adders of 10 GHz.
TEST(TwoTiers, AddToASumOfKernelsWhenTheNicIsToldOfIt) {
    Machine machine(with(of_islands(4, 2), Staging::nic, cost));
    HierarchicalParams params;
    params.island = 2;
    const Plan plan(make_schedule(params, 4), ElementType::float32, 32, Operation::all_reduce, false, 2);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(plan, *codec, test::floats(4, plan.schedule.chunks * 1024), Issue::dependency,
                                 {0_ps, 0_ps, 0_ps, 50_us});
    test::expect_same(run);
    const auto is_of = [&](std::uint32_t i, Tier tier) {
        return plan.schedule.steps[i].op == Op::reduce && plan.schedule.steps[i].to == Rank{2} &&
               plan.tier(StepId{i}) == tier;
    };
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        for (std::uint32_t j = 0; j < i && is_of(i, Tier::between); ++j) {
            if (!is_of(j, Tier::inside) || plan.schedule.steps[j].chunk != plan.schedule.steps[i].chunk) continue;
            EXPECT_EQ(run.outcome.steps[i].ready,
                      run.outcome.steps[j].ready + to_nic + 1024_ns + 70_ns + Time{16 * 100 + 100});
        }
}

TEST(TwoTiers, TakeNoneInsideAnIsland) {
    Pair pair(of_islands(2, 2), Staging::gpu);
    HierarchicalParams params;
    params.island = 2;
    const Plan plan(make_schedule(params, 2), ElementType::integer, 8, Operation::all_reduce, false, 2);
    const Outcome free = outcome_of(pair.free, plan, Issue::dependency);
    EXPECT_EQ(longer(outcome_of(pair.paying, plan, Issue::dependency), free), 0_ps);
}

/// Rank 1 forwards what comes from rank 0 at once if it was told of the collective by then, and not an instant before
/// it was. A chain of three.
class TheGate : public ::testing::TestWithParam<TimingFidelity> {};

TEST_P(TheGate, OfANicIsTheMomentAtWhichItIsTold) {
    MachineSpec spec;
    spec.ranks = 3;
    spec.fidelity = GetParam();
    Machine machine(with(spec, Staging::nic, cost));
    BroadcastFromRootParams chain;
    chain.shape = BroadcastShape::chain;
    const Plan plan(make_schedule(chain, 3), ElementType::integer, 8, Operation::broadcast);
    ASSERT_EQ(plan.schedule.steps[1].from, Rank{1});
    const auto steps = [&](Time start) {
        return outcome_of(machine, plan, Issue::dependency, {0_ps, start, 0_ps}).steps;
    };
    const auto prompt = steps(0_ps);
    const Time arrival = prompt[0].arrived;
    ASSERT_GT(arrival, to_nic);
    EXPECT_EQ(prompt[1].issued, arrival);
    for (const Time late : {Time{-1}, 0_ps, 1_ps, 1_us}) {
        const auto at = steps(arrival - to_nic + late);
        EXPECT_EQ(at[0].arrived, arrival);
        EXPECT_EQ(at[1].sent - prompt[1].sent, std::max(0_ps, late)) << late.ps;
    }
}
INSTANTIATE_TEST_SUITE_P(AtEachFidelity, TheGate,
                         ::testing::Values(TimingFidelity::flit, TimingFidelity::packet, TimingFidelity::message));

/// The first bit leaves when DMA has read the values, which begins half of the cost after the start.
TEST(ANicThatAdds, ReadsNothingBeforeItIsTold) {
    MachineSpec spec = test::readable();
    Pair pair(spec, Staging::nic);
    const Plan plan = test::int8_plan(2);
    const Outcome free = outcome_of(pair.free, plan, Issue::lock_step);
    const Outcome paying = outcome_of(pair.paying, plan, Issue::lock_step);
    EXPECT_EQ(paying.ranks[0].wire.front().begin, free.ranks[0].wire.front().begin + to_nic);
    EXPECT_EQ(paying.steps[0].issued, 0_ps) << "the GPU has begun with it";
}

class ARandomMachine : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ARandomMachine, TakesTheSameTimeAtAllFidelities) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    test::Draws draw(GetParam());
    if (draw.coin()) job.spec = with_random_nodes(job.spec, draw);
    const Staging staging = draw.coin() ? Staging::gpu : Staging::nic;
    job.spec = with(job.spec, staging, draw.up_to(10_us));
    for (NodeParams& node : job.spec.nodes) {
        node.gpu.gradients = GradientForm::codes;
        node.gpu.staging = staging;
        node.nic.message_latency = draw.up_to(10_us);
    }
    std::vector<std::unique_ptr<Machine>> machines;
    for (const auto& choice : choices(TimingFidelity{})) {
        MachineSpec spec = job.spec;
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    const Outcome first = job.run_on(*machines.front()).outcome;
    for (std::size_t i = 1; i < machines.size(); ++i) test::expect_same(job.run_on(*machines[i]).outcome, first);
}

/// By the whole cost at least, but for edges of clocks that come sooner after it, by less than a cycle of 200 MHz.
TEST_P(ARandomMachine, IsSlowerByTheCost) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    const Staging staging = test::Draws(GetParam()).coin() ? Staging::gpu : Staging::nic;
    job.start.clear();
    Pair pair(job.spec, staging);
    EXPECT_GE(job.run_on(pair.paying).outcome.duration(), job.run_on(pair.free).outcome.duration() + cost - 5_ns);
}

INSTANTIATE_TEST_SUITE_P(Seed, ARandomMachine, ::testing::Range<std::uint64_t>(4800, 4840));

/// Every collective between islands ends with its sums, by either way of staging.
TEST(TwoTiers, LeaveTheSumsOfEveryCollective) {
    std::vector<std::unique_ptr<Machine>> machines;
    std::vector<Plan> plans;
    for (const Staging staging : {Staging::nic, Staging::gpu})
        for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
            if constexpr (!std::is_same_v<P, FlowsParams>) {   // whose list is not given
                machines.push_back(std::make_unique<Machine>(with(of_islands(12, 4), staging, cost),
                                                             std::string(kind.name) + std::string(to_text(staging))));
                plans.emplace_back(schedule_on(P{}, machines.back()->topology()), ElementType::integer, 8,
                                   operation_of(P{}), false, 4);
            }
        });
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto codec = make_codec(FixedPointParams{}, Framing{});
        const auto run = machines[i]->run(plans[i], *codec, test::codes(12, plans[i].schedule.chunks * 100, 8, i),
                                          Issue::dependency);
        for (std::uint32_t r = 0; r < 12; ++r) EXPECT_TRUE(equal_values(run.timed[r], run.untimed[r]));
    }
}

}   // namespace
}   // namespace oscar::handover_test
